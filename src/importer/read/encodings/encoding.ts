import { isAscii, isUtf8 } from 'node:buffer'
import type { FileType } from '../table.ts'
import { guessEncoding } from './guess-encoding.ts'
import { decodeLegacy, WESTERN } from './legacy-encodings.ts'
import { detectBomlessUtf16, type Utf16 } from './wide-encodings.ts'

export interface Decoded {
  /** UTF-8 without a byte order mark. */
  bytes: Buffer
  encoding: string
  /** Candidates, when the encoding is ambiguous; `bytes` are then meaningless. */
  candidates?: string[]
  /** How many of the non-ASCII characters are invalid in this encoding. */
  lost?: { count: number; of: number }
}

const NEWLINE = 0x0a
const LOST = '\ufffd'
/** Of Chinese lines with this many letters one in a thousand is UTF-8 by accident; in other languages fewer. */
const [PROVEN_LETTERS, ACCIDENTS] = [4, 0.02]
/** The ISO-2022-JP escape sequence, with which Japanese e-mail switches within ASCII. */
const JAPANESE_BEGINS = '\x1b$B'

/**
 * Converts a file to UTF-8 from UTF-8 or UTF-16, with or without a byte order mark, or else from the encoding it most
 * resembles. A file that mixes UTF-8 and another encoding, as pasting creates, is decoded line by line.
 *
 * @param named the encoding of bytes that are neither UTF-8 nor UTF-16; guessed by default
 */
export function toUtf8(bytes: Uint8Array, named?: string): Decoded {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf) return fromEightBit(buffer.subarray(3), named)
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return fromUtf16(buffer.subarray(2), 'UTF-16LE')
  if (buffer[0] === 0xfe && buffer[1] === 0xff) return fromUtf16(buffer.subarray(2), 'UTF-16BE')
  const wide = detectBomlessUtf16(buffer)
  return wide ? fromUtf16(buffer, wide) : fromEightBit(buffer, named)
}

function fromUtf16(buffer: Buffer, encoding: Utf16): Decoded {
  return { bytes: Buffer.from(new TextDecoder(encoding).decode(buffer)), encoding }
}

function fromEightBit(buffer: Buffer, named: string | undefined): Decoded {
  if (isAscii(buffer) && buffer.includes(JAPANESE_BEGINS))
    return { bytes: Buffer.from(decodeLegacy(buffer, 'ISO-2022-JP')), encoding: 'ISO-2022-JP' }
  if (isUtf8(buffer)) return { bytes: buffer, encoding: 'UTF-8' }
  let withLetters = 0
  let proven = 0
  const others: Buffer[] = []
  for (const line of linesOf(buffer)) {
    if (isAscii(line)) continue
    withLetters++
    if (!isMostlyUtf8(line)) others.push(line)
    else if (isUtf8(line) && line.filter((byte) => byte >= 0xc0).length >= PROVEN_LETTERS) proven++
  }
  // A line in another encoding is rarely valid UTF-8 by accident, so a majority of valid lines proves UTF-8.
  const isMostly = others.length * 2 < withLetters
  const isMixed = isMostly || proven > withLetters * ACCIDENTS
  const guess = named === undefined ? guessEncoding(isMixed ? Buffer.concat(others) : buffer) : { encoding: named }
  if ('candidates' in guess && !isMostly) return { bytes: buffer, encoding: '', candidates: guess.candidates }
  const encoding = 'candidates' in guess ? WESTERN : guess.encoding
  const text = isMixed ? [...decodedRuns(buffer, encoding)].join('') : decodeLegacy(buffer, encoding)
  const lost = lostIn(text, isMixed ? lettersLostBefore(buffer) : 0)
  const label = others.length > 0 ? `UTF-8 with ${encoding} lines` : 'UTF-8'
  return { bytes: Buffer.from(text), encoding: isMixed ? label : encoding, ...(lost.count > 0 && { lost }) }
}

/** Whether a line is UTF-8 apart from places where it was cut or damaged. */
function isMostlyUtf8(line: Buffer): boolean {
  if (isUtf8(line)) return true
  const before = lettersLostBefore(line)
  const { count, of } = lostIn(line.toString(), before)
  // Nobody types three letters of another encoding that make up the sign of a lost one.
  return count * 2 < of + before
}

/** How often UTF-8 has the sign of a letter that an earlier program could not read. */
function lettersLostBefore(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(LOST); at !== -1; at = bytes.indexOf(LOST, at + 3)) count++
  return count
}

function lostIn(text: string, before: number): { count: number; of: number } {
  const lost = { count: -before, of: 0 }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x80) lost.of++
    if (code === 0xfffd) lost.count++
  }
  return lost
}

/** Decodes consecutive lines of one encoding as one piece: a file of a million lines becomes a few pieces. */
function* decodedRuns(buffer: Buffer, encoding: string): Generator<string> {
  let start = 0
  let end = 0
  let utf8 = true
  const piece = () => {
    const bytes = buffer.subarray(start, end)
    return utf8 ? bytes.toString() : decodeLegacy(bytes, encoding)
  }
  for (const line of linesOf(buffer)) {
    const next = isMostlyUtf8(line)
    if (next !== utf8) {
      yield piece()
      start = end
      utf8 = next
    }
    end += line.length
  }
  yield piece()
}

function* linesOf(buffer: Buffer): Generator<Buffer> {
  for (let start = 0; start < buffer.length; ) {
    const end = buffer.indexOf(NEWLINE, start)
    const next = end === -1 ? buffer.length : end + 1
    yield buffer.subarray(start, next)
    start = next
  }
}

/** How a file was decoded when the encoding was guessed and may be wrong. */
export function describeEncoding(encoding: string, fileType: FileType): string | undefined {
  if (/^UTF-\w+$/.test(encoding)) return undefined
  const wayOut =
    'if letters are wrong, name the encoding (--encoding windows-1250), or save the file as "CSV UTF-8" before you import it'
  const [, among] = /^UTF-8 with (.*) lines$/.exec(encoding) ?? []
  if (among !== undefined) return `: some lines are in ${among} instead of UTF-8 and were read line by line: ${wayOut}`
  const byLetters = encoding === WESTERN ? 'for Western European letters' : 'judging by its letters'
  const why = fileType === 'xml' ? 'as its first line or its letters say' : byLetters
  return ` is not in UTF-8 and was read as ${encoding}, ${why}: ${wayOut}`
}
