import { addAbortSignal } from 'node:stream'
import { Cancelled } from '../../client/errors.ts'
import { CodedError, codeOf } from '../../contract/code-of.ts'
import { CliError, noSuchFile } from '../errors/cli-error.ts'
import { openInput } from '../open-input.ts'
import { isSpace, type JsonRecord, NEWLINE, RecordBytes } from './json-record.ts'

/** Reading cannot continue; `message` says where and what to do. */
export class UnreadableInput extends CodedError<'unreadable_input'> {
  /** The file is not JSON at all, rather than invalid JSON. */
  readonly isOtherKind: boolean
  constructor(message: string, isOtherKind = false) {
    super('unreadable_input', message)
    this.isOtherKind = isOtherKind
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** How the values of the input are separated. */
type Layout = 'array' | 'lines' | 'objects'

/**
 * Streams the values of a JSON array, JSON lines, or concatenated JSON objects, with one value in memory at a time. The
 * structure is parsed on bytes: no byte of a non-ASCII character in UTF-8 can be mistaken for punctuation. An invalid
 * value is reported and skipped as long as its end can be found.
 *
 * @throws {UnreadableInput} for an input that is not JSON at all, or ends in the middle
 */
export async function* readRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<JsonRecord> {
  const scanner = new RecordScanner()
  for await (const chunk of chunks) if (chunk.length > 0) yield* scanner.scan(chunk)
  yield* scanner.finish()
}

/** What ends a value: a line's end, the comma after it, the end of the array, or its own closing brace. */
type Boundary = 'line' | 'comma' | 'array' | 'object'

class RecordScanner {
  #layout: Layout | undefined
  #line = 1
  #depth = 0
  #inString = false
  #escaped = false
  #arrayClosed = false
  #isFirst = true
  readonly #value = new RecordBytes();

  *scan(raw: Uint8Array): Generator<JsonRecord> {
    const chunk = this.#isFirst ? withoutByteOrderMark(raw) : raw
    this.#isFirst = false
    const value = this.#value
    let from = 0
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i] as number
      if (byte === NEWLINE) this.#line++
      if (!value.begun) {
        if (isSpace(byte) || !this.#beginsAt(chunk, i)) continue
        from = i
      } else if (value.line === 0 && !isSpace(byte)) value.line = this.#line

      const boundary = this.#boundaryAt(byte)
      if (boundary === undefined) continue
      value.keep(chunk.subarray(from, boundary === 'object' ? i + 1 : i))
      if (boundary === 'array' && value.position === 0 && value.isBlank) value.drop()
      else yield value.take()
      if (boundary === 'comma') {
        // A value must follow a comma, and may turn out empty; its line is set at its first byte.
        value.begin(0)
        from = i + 1
      } else if (boundary === 'array') this.#arrayClosed = true
    }
    if (value.begun) value.keep(chunk.slice(from))
  }

  /** Begins a value, unless this byte opens the array. */
  #beginsAt(chunk: Uint8Array, i: number): boolean {
    if (this.#arrayClosed) throw new UnreadableInput(`line ${this.#line}: there is text after the end of the array`)
    if (this.#layout === undefined) {
      this.#layout = layoutOf(chunk, i)
      if (this.#layout === 'array') return false
    }
    this.#value.begin(this.#line)
    return true
  }

  #boundaryAt(byte: number): Boundary | undefined {
    if (this.#layout === 'lines') return byte === NEWLINE ? 'line' : undefined
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false
      else if (byte === BACKSLASH) this.#escaped = true
      else if (byte === QUOTE) this.#inString = false
      return undefined
    }
    const isBetween = this.#depth === 0 && this.#layout === 'array'
    if (byte === COMMA) return isBetween ? 'comma' : undefined
    if (byte === QUOTE) this.#inString = true
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#depth++
    else if (byte === CLOSE_BRACKET && isBetween) return 'array'
    else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && this.#depth > 0) {
      this.#depth--
      if (this.#depth === 0 && this.#layout === 'objects') return 'object'
    }
    return undefined
  }

  /** The last line. @throws {UnreadableInput} if the input is empty or ends in the middle */
  *finish(): Generator<JsonRecord> {
    const value = this.#value
    // Probably a failed export: an empty list is [].
    if (this.#layout === undefined) throw new UnreadableInput('the input is empty')
    if (value.begun && this.#layout === 'lines') yield value.take()
    else if (value.begun && !(this.#layout === 'array' && value.isBlank)) {
      throw new UnreadableInput(
        `the input ends inside the value that begins on line ${value.line}: is the file complete?`,
      )
    } else if (this.#layout === 'array' && !this.#arrayClosed) {
      throw new UnreadableInput(`the input ends before the closing bracket of the array: is the file complete?`)
    }
  }
}

/** Detects the layout by the first non-space byte (at `start`) and, for an object, by its first line. */
function layoutOf(chunk: Uint8Array, start: number): Layout {
  if (chunk[start] === OPEN_BRACKET) return 'array'
  if (chunk[start] !== OPEN_BRACE) {
    throw new UnreadableInput('the input is not JSON: it must begin with "[" (an array) or "{" (JSON lines)', true)
  }
  const newline = chunk.indexOf(NEWLINE, start)
  if (newline < 0) return 'objects'
  const firstLine = Buffer.from(chunk.subarray(start, newline)).toString('utf8').trimEnd()
  // A line that ends in a brace is a JSON line, valid or not; a pretty-printed object continues.
  return firstLine.endsWith('}') ? 'lines' : 'objects'
}

function withoutByteOrderMark(chunk: Uint8Array): Uint8Array {
  const [a, b, c] = chunk
  if (a === 0xef && b === 0xbb && c === 0xbf) return chunk.subarray(3)
  // UTF-16 without a byte order mark has a zero among its first two bytes, since JSON begins with ASCII.
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) || a === 0 || b === 0) {
    throw new UnreadableInput('the input is UTF-16: save the file as UTF-8')
  }
  if (a === 0x1f && b === 0x8b) {
    throw new UnreadableInput(
      'the input is gzip: unpack it first, for example gunzip -c FILE | pullquote reviews push -',
    )
  }
  return chunk
}

/**
 * The JSON records of a file, or of standard input for `-`.
 *
 * @param help hint on what such a file contains
 * @param signal stops reading with {@link Cancelled}
 * @throws {CliError} with the file's name, when it cannot be read as a whole
 */
export async function* readRecordFile(file: string, help: string, signal?: AbortSignal): AsyncGenerator<JsonRecord> {
  const name = file === '-' ? 'standard input' : file
  try {
    const stream = file === '-' ? process.stdin : await openInput(file)
    // Otherwise a terminal, or a pipe whose writer is silent, would keep us waiting.
    if (signal) addAbortSignal(signal, stream)
    yield* readRecords(stream)
  } catch (error) {
    if (signal?.aborted) throw new Cancelled()
    if (error instanceof UnreadableInput) {
      const other =
        error.isOtherKind && file !== '-'
          ? [`to import CSV or an export from another service: pullquote reviews import ${file}`]
          : []
      throw new CliError(`${name}: ${error.message}`, { code: error.code, hints: [...other, help] })
    }
    const code = codeOf(error)
    if (code === 'ENOENT') throw noSuchFile(name)
    if (code === 'EISDIR') throw new CliError(`${name} is a folder`, { code: 'no_file', hints: ['give a file in it'] })
    throw error
  }
}
