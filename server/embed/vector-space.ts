import { createHash } from 'node:crypto'
import { DEFAULT_SIMILARITY_FLOOR } from '../../src/contract/limits.ts'
import type { Log } from '../deps.ts'
import { calibrate, calibrationFor, ROUNDING } from './calibrate.ts'
import type { EmbedKind } from './embedder.ts'
import { modelFacts } from './known-models.ts'

/** Settings for a model that is not the built-in one. */
export interface ModelSettings {
  model: string
  /** The calibration constant `k`; default: from the facts known about the model. */
  calibration?: number | undefined
  queryPrefix?: string | undefined
  documentPrefix?: string | undefined
}

export type VectorSpace = ReturnType<typeof vectorSpace>

/**
 * How a provider's raw vectors become comparable, and the name of their space.
 * @param details other choices that change the vectors, as parts of the id
 */
export function vectorSpace(provider: string, settings: ModelSettings, details: string[], log: Log) {
  const facts = modelFacts(settings.model)
  const k = settings.calibration ?? calibrationFor(facts.threshold, DEFAULT_SIMILARITY_FLOOR)
  const queryPrefix = settings.queryPrefix ?? facts.queryPrefix ?? ''
  const documentPrefix = settings.documentPrefix ?? facts.documentPrefix ?? ''
  if (settings.calibration === undefined) advise(settings.model, facts, log)
  const marks = queryPrefix || documentPrefix ? [`p${shortHash(`${queryPrefix}\n${documentPrefix}`)}`] : []
  return {
    id: [provider, settings.model, ...details, ...marks, `k${k.toFixed(3)}`, ROUNDING].join('/'),
    calibration: k,
    /** The text with the model's prefix. */
    mark: (text: string, kind: EmbedKind) => (kind === 'query' ? queryPrefix : documentPrefix) + text,
    /** A raw vector, normalised, calibrated and rounded. */
    finish: (raw: ArrayLike<number>, kind: EmbedKind) => calibrate(unit(raw), k, kind),
  }
}

function advise(model: string, facts: { known: boolean; threshold: number }, log: Log): void {
  if (!facts.known) {
    const hint =
      'nothing is known of this embedding model: let `pullquote doctor` measure it, and set PULLQUOTE_EMBEDDING_CALIBRATION'
    log.warn({ model, threshold: facts.threshold }, hint)
  } else if (facts.threshold > DEFAULT_SIMILARITY_FLOOR) {
    // The constant only raises cosines; if unrelated texts score above the floor, the floor has to move.
    log.warn(
      { model, similarity_floor: facts.threshold },
      "with this embedding model even unrelated texts have a high cosine; set the projects' similarity_floor to about this",
    )
  }
}

function unit(raw: ArrayLike<number>): Float32Array {
  let squares = 0
  for (let i = 0; i < raw.length; i++) squares += (raw[i] ?? 0) ** 2
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0
  const out = new Float32Array(raw.length)
  for (let i = 0; i < raw.length; i++) out[i] = (raw[i] ?? 0) * scale
  return out
}

/** Eight characters that distinguish settings within a model's id. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
