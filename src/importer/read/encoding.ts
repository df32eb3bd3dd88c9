import { isAscii, isUtf8 } from 'node:buffer'

export interface Decoded {
  /** UTF-8 without a byte order mark. */
  bytes: Buffer
  /** Letters of another script than Latin, in an encoding that cannot be determined: the bytes are nonsense then. */
  isOtherScript?: boolean
  encoding: 'UTF-8' | 'UTF-16LE' | 'UTF-16BE' | 'Windows-1252' | 'Windows-1254' | 'UTF-8 with Windows-1252 lines'
}

const NEWLINE = 0x0a

/**
 * Brings a file's bytes to UTF-8. UTF-8 with or without a byte order mark, UTF-16 with one (or by its zero bytes), and
 * Windows-1252, or 1254 for Turkish, for bytes that are not UTF-8. A file of both, as pasting together makes them, is told apart line by line.
 */
export function toUtf8(bytes: Uint8Array): Decoded {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf) return fromEightBit(buffer.subarray(3))
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return fromUtf16(buffer.subarray(2), 'UTF-16LE')
  if (buffer[0] === 0xfe && buffer[1] === 0xff) return fromUtf16(buffer.subarray(2), 'UTF-16BE')
  const wide = utf16WithoutMark(buffer)
  return wide ? fromUtf16(buffer, wide) : fromEightBit(buffer)
}

function fromUtf16(buffer: Buffer, encoding: 'UTF-16LE' | 'UTF-16BE'): Decoded {
  return { bytes: Buffer.from(new TextDecoder(encoding).decode(buffer)), encoding }
}

/** Text of mostly Latin letters in UTF-16 has a zero in every other byte; nothing else that is text has. */
export function utf16WithoutMark(buffer: Uint8Array): 'UTF-16LE' | 'UTF-16BE' | undefined {
  const pairs = Math.min(buffer.length >> 1, 2000)
  if (pairs < 2) return undefined
  let even = 0
  let odd = 0
  for (let index = 0; index < pairs; index++) {
    if (buffer[2 * index] === 0) even++
    if (buffer[2 * index + 1] === 0) odd++
  }
  if (odd > pairs * 0.4 && even < pairs * 0.05) return 'UTF-16LE'
  if (even > pairs * 0.4 && odd < pairs * 0.05) return 'UTF-16BE'
  return undefined
}

function fromEightBit(buffer: Buffer): Decoded {
  if (isUtf8(buffer)) return { bytes: buffer, encoding: 'UTF-8' }
  let withLetters = 0
  let utf8Lines = 0
  let isOtherScript = false
  for (const line of linesOf(buffer)) {
    if (isAscii(line)) continue
    withLetters++
    if (isUtf8(line)) utf8Lines++
    else isOtherScript ||= looksLikeOtherScript(line)
  }
  // A Windows-1252 line is valid UTF-8 only by a rare accident, so a majority of valid lines is no accident.
  if (utf8Lines * 2 <= withLetters) {
    const text = decodeWindows1252(buffer)
    const isOther = looksLikeOtherScript(buffer)
    if (isTurkish(text))
      return { bytes: Buffer.from(toTurkish(text)), encoding: 'Windows-1254', isOtherScript: isOther }
    return { bytes: Buffer.from(text), encoding: 'Windows-1252', isOtherScript: isOther }
  }
  return { bytes: Buffer.concat([...decodedRuns(buffer)]), encoding: 'UTF-8 with Windows-1252 lines', isOtherScript }
}

/** The letters in which Windows-1254 differs from 1252, and what they are there. */
const TURKISH = new Map([...'ÐÝÞðýþ'].map((letter, index) => [letter, [...'ĞİŞğış'][index] ?? letter]))
const ENOUGH_TURKISH = 3

/** Whether text that was read as Windows-1252 is Turkish: only Icelandic has these letters, and never without its vowels. */
function isTurkish(text: string): boolean {
  const letters = text.match(/[ÐÝÞðýþ]/g)?.length ?? 0
  const vowels = text.match(/[ÁÍÓÚÆáíóúæ]/g)?.length ?? 0
  return letters >= ENOUGH_TURKISH && letters > 4 * vowels
}

function toTurkish(text: string): string {
  return text.replace(/[ÐÝÞðýþ]/g, (letter) => TURKISH.get(letter) ?? letter)
}

/** Lines of one encoding that follow each other, as one piece: a file of a million lines is a few pieces. */
function* decodedRuns(buffer: Buffer): Generator<Buffer> {
  let start = 0
  let end = 0
  let utf8 = true
  const piece = () => {
    const bytes = buffer.subarray(start, end)
    return utf8 ? bytes : Buffer.from(decodeWindows1252(bytes))
  }
  for (const line of linesOf(buffer)) {
    const next = isUtf8(line)
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

/** So long a run of letters beyond ASCII, of so many different ones, is a word of a script without Latin letters. */
const LONG_RUN = 6
const RUN = 4
const DIFFERENT = 3
/** Letters beyond ASCII stand alone or in pairs in Western languages; signs are repeated, but alike. */
const ENOUGH_RUNS = 2

/**
 * Whether bytes that are no UTF-8 are text of another script than Latin: Cyrillic, Greek, Hebrew, Arabic, Japanese,
 * Chinese, Korean … in one of the encodings from before Unicode, as spreadsheets in those countries still write them.
 * Read as Windows-1252 they would be nonsense that looks like letters.
 */
export function looksLikeOtherScript(bytes: Uint8Array): boolean {
  let runs = 0
  let start = 0
  for (let at = 0; at <= bytes.length; at++) {
    if ((bytes[at] ?? 0) >= 0x80) continue
    const length = at - start
    if (length >= RUN) {
      const different = new Set(bytes.subarray(start, Math.min(at, start + 64))).size
      if (length >= LONG_RUN && different > DIFFERENT) return true
      if (different >= DIFFERENT && ++runs >= ENOUGH_RUNS) return true
    }
    start = at + 1
  }
  return false
}

/**
 * The characters of the bytes 0x80–0x9F; all others are Latin-1. Some releases of Node 20 and 22 read Windows-1252 as
 * Latin-1 (measured on 20.20: byte 0x9C gave U+009C, not "œ"), so the table of https://encoding.spec.whatwg.org stands
 * here. Its five undefined bytes map to the control characters of the same number.
 */
const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Text of bytes in Windows-1252. */
export function decodeWindows1252(bytes: Buffer): string {
  const text = bytes.toString('latin1')
  return text.replace(/[\u0080-\u009f]/g, (character) => HIGH[character.charCodeAt(0) - 0x80] ?? character)
}

/** Bytes 0x80–0xFF by their characters, those of Latin-1 included. */
export const highBytes: ReadonlyMap<string, number> = new Map([
  ...Array.from({ length: 0x80 }, (_, index) => [String.fromCharCode(0x80 + index), 0x80 + index] as const),
  ...[...HIGH].map((character, index) => [character, 0x80 + index] as const),
])
