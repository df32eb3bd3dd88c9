import { readFileSync } from 'node:fs'
import type { EmbedKind } from '../embedder.ts'

const HEADER = 4 + 5 * 4 + 7 * 8
const VERSION = 3

/** The trained table as it lies in `embedding.bin`; the layout is described in training/export.py. */
export interface ModelFile {
  readonly dimensions: number
  /** Most frequent first; a word's position is its row. */
  readonly words: readonly string[]
  /** Row ids of both words of each phrase; phrase `i` has row `words.length + i`. */
  readonly phrases: Uint16Array
  /** Raw cosine that calibration moves to the contract's default floor. */
  readonly threshold: number
  /** What each word and phrase weighs in a query, against 1 in a document. */
  readonly gains: Float64Array
  /** What each word and phrase adds to the doubt of a query or a document (see `Model`). */
  readonly doubts: Readonly<Record<EmbedKind, Float64Array>>
  readonly baseDoubt: Readonly<Record<EmbedKind, number>>
  /** The same for a word that the model does not know. */
  readonly unknownDoubt: Readonly<Record<EmbedKind, number>>
  /** Length of the vector of an unknown word. */
  readonly unknownLength: number
  /** One scale a row: words, then phrases. */
  readonly scales: Float64Array
  readonly rows: Int8Array
}

/** Reads a model in one go; the rows are a view of what was read, not a copy. */
export function readModelFile(path: URL | string): ModelFile {
  const bytes = readFileSync(path)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.toString('latin1', 0, 4) !== 'PQEM' || view.getUint32(4, true) !== VERSION) {
    throw new Error(`${String(path)} is not a version ${VERSION} model file; build the package again.`)
  }
  const [dimensions = 0, wordCount = 0, phraseCount = 0, listBytes = 0] = [8, 12, 16, 20].map((at) =>
    view.getUint32(at, true),
  )
  let at = HEADER + listBytes
  const words = bytes.toString('utf8', HEADER, at).split('\n')
  at += (4 - (at % 4)) % 4
  const phrases = new Uint16Array(phraseCount * 2)
  for (let i = 0; i < phrases.length; i++, at += 2) phrases[i] = view.getUint16(at, true)
  const featureCount = wordCount + phraseCount
  const doubtScale = view.getFloat64(32, true)
  const column = (scale: number) => {
    const values = new Float64Array(featureCount)
    for (let i = 0; i < featureCount; i++) values[i] = view.getUint8(at++) * scale
    return values
  }
  const gains = column(0.01)
  const doubts = { query: column(doubtScale), document: column(doubtScale) }
  at += (4 - (at % 4)) % 4
  const rowCount = featureCount
  const scales = new Float64Array(rowCount)
  for (let i = 0; i < rowCount; i++, at += 4) scales[i] = view.getFloat32(at, true)
  if (words.length !== wordCount || at + rowCount * dimensions !== bytes.byteLength) {
    throw new Error(`${String(path)} is damaged; install the package again.`)
  }
  const rows = new Int8Array(bytes.buffer, bytes.byteOffset + at, rowCount * dimensions)
  return {
    dimensions,
    words,
    phrases,
    threshold: view.getFloat64(24, true),
    gains,
    doubts,
    baseDoubt: { query: view.getFloat64(40, true), document: view.getFloat64(48, true) },
    unknownDoubt: { query: view.getFloat64(56, true), document: view.getFloat64(64, true) },
    unknownLength: view.getFloat64(72, true),
    scales,
    rows,
  }
}
