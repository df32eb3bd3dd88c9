import { findRepeatedName } from '../../contract/json-names.ts'
import { parseJsonText } from '../../contract/json-text.ts'

/** One JSON value of the input, or why it is invalid. Positions and lines count from 1. */
export type JsonRecord = { position: number; line: number } & (
  | { ok: true; value: unknown }
  | { ok: false; problem: string }
)

/** Many times the JSON of the largest review. A longer value is skipped without being kept in memory. */
const RECORD_BYTES = 1024 * 1024

export const NEWLINE = 0x0a

export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09
}

/** Collects the bytes of one value, which may come in several chunks, and parses them. */
export class RecordBytes {
  position = 0
  line = 0
  begun = false
  #parts: Uint8Array[] = []
  #size = 0

  begin(line: number) {
    this.begun = true
    this.line = line
  }

  keep(bytes: Uint8Array) {
    this.#size += bytes.length
    if (this.#size <= RECORD_BYTES) this.#parts.push(bytes)
    else this.#parts = []
  }

  get isBlank(): boolean {
    return this.#size <= RECORD_BYTES && this.#parts.every((part) => part.every(isSpace))
  }

  drop() {
    this.begun = false
    this.#parts = []
    this.#size = 0
  }

  take(): JsonRecord {
    const at = { position: ++this.position, line: Math.max(1, this.line) }
    const parts = this.#parts
    const tooLong = this.#size > RECORD_BYTES
    const blank = this.isBlank
    this.drop()
    if (tooLong) return { ...at, ok: false, problem: 'is longer than 1 MiB, the limit for a review' }
    if (blank) return { ...at, ok: false, problem: 'is empty: there is an extra comma' }
    let text: string
    try {
      text = utf8.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts))
    } catch {
      return { ...at, ok: false, problem: 'is not UTF-8: save the file as UTF-8' }
    }
    try {
      const value = parseJsonText(text)
      const repeated = findRepeatedName(text, value)
      // Rejected like on the server: the parser silently keeps the last of them.
      return repeated === undefined
        ? { ...at, ok: true, value }
        : { ...at, ok: false, problem: `has ${repeated} twice` }
    } catch (error) {
      return { ...at, ok: false, problem: `is not JSON: ${error instanceof Error ? error.message : error}` }
    }
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
