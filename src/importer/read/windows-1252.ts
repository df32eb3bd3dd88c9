/**
 * The characters of the bytes 0x80–0x9F; all others are Latin-1. Some releases of Node 20 and 22 read Windows-1252 as
 * Latin-1 (measured on 20.20: byte 0x9C gave U+009C, not "œ"), so the table of https://encoding.spec.whatwg.org stands
 * here. Its five undefined bytes map to the control characters of the same number.
 */
const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

export function decodeWindows1252(bytes: Buffer): string {
  const text = bytes.toString('latin1')
  return text.replace(/[\u0080-\u009f]/g, (character) => HIGH[character.charCodeAt(0) - 0x80] ?? character)
}

/** Bytes 0x80–0xFF by their characters, those of Latin-1 included. */
export const highBytes: ReadonlyMap<string, number> = new Map([
  ...Array.from({ length: 0x80 }, (_, index) => [String.fromCharCode(0x80 + index), 0x80 + index] as const),
  ...[...HIGH].map((character, index) => [character, 0x80 + index] as const),
])
