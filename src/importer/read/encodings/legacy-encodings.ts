import { TextDecoder } from 'node:util'
import iconv from 'iconv-lite'

/** The fallback when no encoding is clearly better: most files that are not UTF-8 are in it. */
export const WESTERN = 'Windows-1252'

/** Whether text in the named encoding can be decoded. */
export function isEncodingName(name: string): boolean {
  // iconv-lite also lists codecs that are not text encodings, such as base64.
  return decoderOf(name) !== undefined || (iconv.encodingExists(name) && iconv.encode('a,"{', name).length >= 4)
}

/**
 * Decodes bytes in a named encoding: with the browsers' tables, whose Macintosh has the euro sign, and with iconv-lite
 * for others that spreadsheets write, such as those of MS-DOS.
 *
 * @param encoding one that {@link isEncodingName} accepts
 */
export function decodeLegacy(bytes: Buffer, encoding: string): string {
  const decoder = decoderOf(encoding)
  if (decoder?.encoding === 'windows-1252') return decodeWindows1252(bytes)
  const isWhole = decoder !== undefined && !INCOMPLETE.has(decoder.encoding)
  const text = isWhole ? decoder.decode(bytes) : iconv.decode(bytes, encoding)
  // Windows-1258 writes Vietnamese accents as combining characters.
  return decoder?.encoding === 'windows-1258' ? text.normalize('NFC') : text
}

/**
 * Node 20 decodes EUC-KR without the 8,824 syllables that Windows added (CP949, in which Korean spreadsheets save), and
 * Big5 without the 4,908 characters of Hong Kong: iconv-lite has them.
 */
const INCOMPLETE: ReadonlySet<string> = new Set(['euc-kr', 'big5'])

function decoderOf(name: string): TextDecoder | undefined {
  try {
    return new TextDecoder(name)
  } catch {
    return undefined
  }
}

/**
 * The characters of the bytes 0x80–0x9F; all other bytes are Latin-1. Some releases of Node 20 and 22 decode
 * Windows-1252 as Latin-1 (measured on 20.20: byte 0x9C gave U+009C, not "œ"), so this is the table of
 * https://encoding.spec.whatwg.org. Its five undefined bytes map to the control characters of the same number.
 */
const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Decodes Windows-1252. */
export function decodeWindows1252(bytes: Buffer): string {
  return latin1AsWindows1252(bytes.toString('latin1'))
}

/** What a text was meant to be whose bytes are Windows-1252 and were read as Latin-1. */
export function latin1AsWindows1252(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, (character) => HIGH[character.charCodeAt(0) - 0x80] ?? character)
}

/** The bytes 0x80–0xFF by character, both as Windows-1252 and as Latin-1. */
export const highBytes: ReadonlyMap<string, number> = new Map([
  ...Array.from({ length: 0x80 }, (_, index) => [String.fromCharCode(0x80 + index), 0x80 + index] as const),
  ...[...HIGH].map((character, index) => [character, 0x80 + index] as const),
])
