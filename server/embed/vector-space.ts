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
 * @param activeName the space that the database is indexed with, if any
 */
export function vectorSpace(
  provider: string,
  settings: ModelSettings,
  details: string[],
  { log, activeName }: { log: Log; activeName?: string | undefined },
) {
  const facts = modelFacts(settings.model)
  const queryPrefix = settings.queryPrefix ?? facts.queryPrefix ?? ''
  const documentPrefix = settings.documentPrefix ?? facts.documentPrefix ?? ''
  const marks = queryPrefix || documentPrefix ? [`p${shortHash(`${queryPrefix}\n${documentPrefix}`)}`] : []
  const idOf = (k: number) => [provider, settings.model, ...details, ...marks, `k${k.toFixed(3)}`, ROUNDING].join('/')
  const suitable = calibrationFor(facts.threshold, DEFAULT_SIMILARITY_FLOOR)
  // What was indexed before constants below 0 existed stays as it is: its projects have floors for the raw cosines.
  const isRaw = settings.calibration === undefined && suitable < 0 && activeName === idOf(0)
  const k = isRaw ? 0 : (settings.calibration ?? suitable)
  if (isRaw) log.warn({ model: settings.model, similarity_floor: facts.threshold }, RAW)
  else if (settings.calibration === undefined && !facts.known)
    log.warn({ model: settings.model, threshold: facts.threshold }, UNKNOWN)
  return {
    id: idOf(k),
    calibration: k,
    /** The text with the model's prefix. */
    mark: (text: string, kind: EmbedKind) => (kind === 'query' ? queryPrefix : documentPrefix) + text,
    /** A raw vector, normalised, calibrated and rounded. */
    finish: (raw: ArrayLike<number>, kind: EmbedKind) => calibrate(unit(raw), k, kind),
  }
}

const UNKNOWN =
  'nothing is known of this embedding model: let `pullquote doctor` measure it, and set PULLQUOTE_EMBEDDING_CALIBRATION'
const RAW =
  "the reviews were indexed with this model's own cosines, which are high for unrelated texts too: set the projects' similarity_floor to about this, or let `pullquote doctor` name a PULLQUOTE_EMBEDDING_CALIBRATION"

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
