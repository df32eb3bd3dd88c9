import { TextDecoder } from 'node:util'
import iconv from 'iconv-lite'

/** What is taken where nothing else is clearly better: most files that are not UTF-8 are in it. */
export const WESTERN = 'Windows-1252'

/** Whether text in an encoding of this name can be read. */
export function isEncodingName(name: string): boolean {
  // iconv-lite counts what is no encoding of text as well, such as base64.
  return decoderOf(name) !== undefined || (iconv.encodingExists(name) && iconv.encode('a,"{', name).length >= 4)
}

/**
 * Text of bytes in a named encoding: with the tables of browsers, in which the Macintosh knows the euro, and of others that
 * spreadsheets write, such as those of MS-DOS, with iconv-lite's.
 *
 * @param encoding one that {@link isEncodingName} knows
 */
export function decodeOld(bytes: Buffer, encoding: string): string {
  const decoder = decoderOf(encoding)
  if (decoder?.encoding === 'windows-1252') return decodeWindows1252(bytes)
  const text = decoder ? decoder.decode(bytes) : iconv.decode(bytes, encoding)
  // There the accents of Vietnamese stand behind their letters.
  return decoder?.encoding === 'windows-1258' ? text.normalize('NFC') : text
}

function decoderOf(name: string): TextDecoder | undefined {
  try {
    return new TextDecoder(name)
  } catch {
    return undefined
  }
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
