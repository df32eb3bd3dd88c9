import type { Finding } from '../../src/contract/doctor.ts'
import type { Sql } from '../deps.ts'
import { cosineOf } from '../embed/calibrate.ts'
import { type Embedder, EmbeddingUnavailable } from '../embed/embedder.ts'
import { storedVectors } from '../sql/installation/diagnosis.ts'
import { failure, ok, warning } from './finding.ts'
import { scoreFindings } from './scores.ts'

const TIMEOUT_MS = 10_000
/** A visitor notices that a search takes this long. */
const SLOW_MS = 2_000

/** Below, two vectors of one text are of two models; rounding and a service's own arithmetic take less than a hundredth. */
const SAME_COSINE = 0.95
const SAMPLE = 8

export interface EmbeddingDeps {
  sql: Sql
  embedder: Embedder
  model: { id: number }
}

/**
 * Whether queries are embedded and how fast, and of a model other than the built-in one whether it is still the same, and
 * whether its scores fit the floor.
 * @param longestMs for all
 */
export async function embeddingFindings(deps: EmbeddingDeps, longestMs: number): Promise<Finding[]> {
  const { embedder } = deps
  const started = performance.now()
  try {
    await embedder.embed(
      ['Is anybody there?'],
      'query',
      AbortSignal.timeout(Math.round(Math.min(TIMEOUT_MS, longestMs))),
    )
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return [failure('embedding', `no vector: ${message}`, hintFor(error))]
  }
  const ms = Math.round(performance.now() - started)
  const message = `a query is embedded in ${ms} ms`
  const hint = 'check whether the embedding service is busy or too slow: each new query waits for it'
  const finding = ms < SLOW_MS ? ok('embedding', message) : warning('embedding', message, hint)
  // One after the other: it is not to be measured how long a query waits for these tests.
  if (!(await answersAsStored(deps, longestMs - ms))) return [finding, failure('embedding', CHANGED, ANOTHER_NAME)]
  return [finding, ...(await scoreFindings(embedder, longestMs - (performance.now() - started)))]
}

const CHANGED =
  'the model answers with other vectors than those stored under its name, so searches find the wrong reviews or none'
const ANOTHER_NAME =
  'run the former model again, or give this one another name (PULLQUOTE_EMBEDDING_MODEL) or, if its service knows only this one, another PULLQUOTE_EMBEDDING_CALIBRATION: all reviews are then embedded again'

/** An operator's model may have changed under its name: a tag that moved on, or a service that ignores names. */
async function answersAsStored({ sql, embedder, model }: EmbeddingDeps, longestMs: number): Promise<boolean> {
  // The built-in one has its version in its name.
  if (embedder.calibration === undefined) return true
  const stored = await storedVectors(sql, model.id, SAMPLE)
  const texts = stored.map(({ text }) => text)
  const signal = AbortSignal.timeout(Math.max(1, Math.round(longestMs)))
  // A service that embeds no excerpts just now is told of by the queue.
  const vectors = await embedder.embed(texts, 'document', signal).catch(() => [])
  return vectors.every((vector, i) => cosineOf(vector, stored[i]?.vector ?? []) >= SAME_COSINE)
}

function hintFor(error: unknown): string {
  const status = error instanceof EmbeddingUnavailable ? error.status : undefined
  if (status === 429) return 'wait, or raise the limit of requests there: searches and indexing share it'
  if (status !== undefined && status >= 500) return 'look for the reason in the log of the embedding service'
  return 'check PULLQUOTE_EMBEDDING_URL, _KEY and _MODEL, and whether the service runs'
}
