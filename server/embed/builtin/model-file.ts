import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import type { EmbedKind } from '../embedder.ts'

const HEADER = 4 + 5 * 4 + 7 * 8
const VERSION = 3

/** The file's header. */
export interface ModelHeader {
  readonly dimensions: number
  readonly wordCount: number
  readonly phraseCount: number
  /** Length of the list of words. */
  readonly listBytes: number
  /** Raw cosine that calibration maps to the contract's default floor. */
  readonly threshold: number
}

/** The trained table in `embedding.bin`, whose layout is described in training/export.py. */
export interface ModelFile {
  readonly dimensions: number
  /** Most frequent first; a word's index is its row. */
  readonly words: readonly string[]
  /** Rows of both words of each phrase; phrase `i` has row `words.length + i`. */
  readonly phrases: Uint16Array
  /** Raw cosine that calibration maps to the contract's default floor. */
  readonly threshold: number
  /** Weight of each word and phrase in a query, relative to 1 in a document. */
  readonly gains: Float64Array
  /** What each word and phrase adds to the doubt of a query or a document (see `Model`). */
  readonly doubts: Readonly<Record<EmbedKind, Float64Array>>
  readonly baseDoubt: Readonly<Record<EmbedKind, number>>
  /** The same for an unknown word. */
  readonly unknownDoubt: Readonly<Record<EmbedKind, number>>
  /** Length of the vector of an unknown word. */
  readonly unknownLength: number
  /** One scale per row: words, then phrases. */
  readonly scales: Float64Array
  readonly rows: Int8Array
}

/**
 * Reads the header and checks that the file is complete.
 * @throws when the file is missing, of another version or truncated
 */
export function readModelHeader(path: URL | string): ModelHeader {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(HEADER)
    readSync(file, bytes, 0, HEADER, 0)
    return headerOf(bytes, fstatSync(file).size, path)
  } finally {
    closeSync(file)
  }
}

function headerOf(bytes: Buffer, size: number, path: URL | string): ModelHeader {
  if (size < HEADER || bytes.toString('latin1', 0, 4) !== 'PQEM' || bytes.readUInt32LE(4) !== VERSION) {
    throw new Error(`${String(path)} is not a version ${VERSION} model file; build the package again.`)
  }
  const [dimensions = 0, wordCount = 0, phraseCount = 0, listBytes = 0] = [8, 12, 16, 20].map((at) =>
    bytes.readUInt32LE(at),
  )
  const header = { dimensions, wordCount, phraseCount, listBytes, threshold: bytes.readDoubleLE(24) }
  if (layoutOf(header).end !== size) throw damaged(path)
  return header
}

/** Offsets of the file's sections. */
function layoutOf({ dimensions, wordCount, phraseCount, listBytes }: ModelHeader) {
  const rowCount = wordCount + phraseCount
  const phrases = aligned(HEADER + listBytes)
  const columns = phrases + phraseCount * 4
  const scales = aligned(columns + rowCount * 3)
  const rows = scales + rowCount * 4
  return { phrases, columns, scales, rows, end: rows + rowCount * dimensions }
}

const aligned = (at: number): number => Math.ceil(at / 4) * 4

const damaged = (path: URL | string): Error => new Error(`${String(path)} is damaged; install the package again.`)

/** Reads a model at once; the rows are a view of the buffer, not a copy. @throws when the file is missing or damaged */
export function readModelFile(path: URL | string): ModelFile {
  const bytes = readFileSync(path)
  const header = headerOf(bytes, bytes.length, path)
  const { dimensions, wordCount, phraseCount, listBytes, threshold } = header
  const at = layoutOf(header)
  const words = bytes.toString('utf8', HEADER, HEADER + listBytes).split('\n')
  if (words.length !== wordCount) throw damaged(path)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const phrases = new Uint16Array(phraseCount * 2)
  for (let i = 0; i < phrases.length; i++) phrases[i] = view.getUint16(at.phrases + i * 2, true)
  const rowCount = wordCount + phraseCount
  const column = (place: number, scale: number) => {
    const values = new Float64Array(rowCount)
    const from = at.columns + place * rowCount
    for (let i = 0; i < rowCount; i++) values[i] = (bytes[from + i] ?? 0) * scale
    return values
  }
  const doubtScale = view.getFloat64(32, true)
  const scales = new Float64Array(rowCount)
  for (let i = 0; i < rowCount; i++) scales[i] = view.getFloat32(at.scales + i * 4, true)
  return {
    dimensions,
    words,
    phrases,
    threshold,
    gains: column(0, 0.01),
    doubts: { query: column(1, doubtScale), document: column(2, doubtScale) },
    baseDoubt: { query: view.getFloat64(40, true), document: view.getFloat64(48, true) },
    unknownDoubt: { query: view.getFloat64(56, true), document: view.getFloat64(64, true) },
    unknownLength: view.getFloat64(72, true),
    scales,
    rows: new Int8Array(bytes.buffer, bytes.byteOffset + at.rows, rowCount * dimensions),
  }
}
