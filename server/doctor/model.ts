import type { Finding } from '../../src/contract/doctor.ts'
import type { Sql } from '../deps.ts'
import { cosineOf } from '../embed/calibrate.ts'
import type { Embedder } from '../embed/embedder.ts'
import { storedVectors } from '../sql/installation/diagnosis.ts'
import { activeModelId } from '../sql/installation/installation.ts'
import { failure, ok } from './finding.ts'

/** Below, two vectors of one text are of two models; rounding and a service's own arithmetic take less than a hundredth. */
const SAME_COSINE = 0.95
const SAMPLE = 8

export interface ModelDeps {
  sql: Sql
  embedder: Embedder
  model: { name: string; id: number }
}

/** Whether this server's model is the one that the reviews are indexed with, by its name and by its vectors. */
export async function modelFinding(deps: ModelDeps, longestMs: number): Promise<Finding> {
  const { sql, model } = deps
  if ((await activeModelId(sql)) !== model.id) {
    const message = `this server embeds with ${model.name}, but another model is active in the database`
    return failure(
      'model',
      message,
      'give all servers and commands the same embedding settings; a start of a server makes its model the active one',
    )
  }
  if (await answersAsStored(deps, longestMs)) return ok('model', model.name)
  const message = `${model.name} answers with other vectors than those stored under its name, so searches find the wrong reviews or none`
  return failure(
    'model',
    message,
    'run the former model again, or give this one another name (PULLQUOTE_EMBEDDING_MODEL) or, if its service knows only this one, another PULLQUOTE_EMBEDDING_CALIBRATION: all reviews are then embedded again',
  )
}

/** An operator's model may have changed under its name: a tag that moved on, or a service that ignores names. */
async function answersAsStored({ sql, embedder, model }: ModelDeps, longestMs: number): Promise<boolean> {
  // The built-in one has its version in its name.
  if (embedder.calibration === undefined) return true
  const stored = await storedVectors(sql, model.id, SAMPLE)
  const texts = stored.map(({ text }) => text)
  const signal = AbortSignal.timeout(Math.max(1, Math.round(longestMs)))
  // The check of the embedding says why there are none.
  const vectors = await embedder.embed(texts, 'document', signal).catch(() => [])
  return vectors.every((vector, i) => cosineOf(vector, stored[i]?.vector ?? []) >= SAME_COSINE)
}
