import type { Finding } from '../../src/contract/doctor.ts'
import { DEFAULT_SIMILARITY_FLOOR } from '../../src/contract/limits.ts'
import { calibrationFor, rawCosine } from '../embed/calibrate.ts'
import type { Embedder } from '../embed/embedder.ts'
import { measureScores } from '../embed/measure-scores.ts'
import { ok, warning } from './finding.ts'

/** A threshold this close to the floor is not worth reporting. */
const NEAR = 0.05

/** Whether the scores of a model other than the built-in one fit the floor: the right constant is known for few models. */
export async function scoreFindings(embedder: Embedder, longestMs: number): Promise<Finding[]> {
  const k = embedder.calibration
  if (k === undefined) return []
  const floor = DEFAULT_SIMILARITY_FLOOR
  const measured = await measureScores(embedder, floor, AbortSignal.timeout(Math.max(1, Math.round(longestMs)))).catch(
    (error: unknown) => String(error),
  )
  if (typeof measured === 'string') {
    const hint =
      'run pullquote doctor when the embedding service is less busy: it has a minute there to embed 225 short texts'
    return [warning('scores', `could not be measured: ${measured}`, hint)]
  }
  const { threshold, found, wrong } = measured
  const percent = (share: number) => `${Math.round(share * 100)} %`
  const message = `in a built-in test, ${percent(found)} of the texts that fit a query and ${percent(wrong)} of those that do not are above the floor of ${floor}`
  if (Math.abs(threshold - floor) <= NEAR) return [ok('scores', message)]
  const suitable = calibrationFor(rawCosine(threshold, k), floor)
  const hint = `set PULLQUOTE_EMBEDDING_CALIBRATION=${suitable.toFixed(2)} instead of ${k.toFixed(2)}, which embeds all reviews again; a floor that was set for this model's scores has to change as well`
  return [warning('scores', message, hint)]
}
