import { decodeLegacy } from '../read/legacy-encodings.ts'

// Text that was UTF-8, was read in another encoding than Windows-1252 and saved as UTF-8 again: `РљРѕС„Рµ` for `Кофе`,
// `FĂĽr` and `F√ºr` for `Für`.
const PAGES = ['Windows-1251', 'Windows-1250', 'Macintosh', 'CP437', 'CP850'].map((encoding) => {
  const high = Buffer.from(Array.from({ length: 0x80 }, (_, index) => 0x80 + index))
  return new Map([...decodeLegacy(high, encoding)].map((character, index) => [character, 0x80 + index]))
})

const strict = new TextDecoder('utf-8', { fatal: true })
const BESIDE_ASCII = /[a-z][^\0-\x7f]|[^\0-\x7f][a-z]/i
const BEYOND_ASCII = /[^\0-\x7f]/gu
/** No text has them: controls, accents without a letter, what belongs to no script. */
const NO_TEXT = /[\x80-\x9f]|[\u0300-\u036f]|\p{Co}|\p{Cn}/u
/** Words of two scripts, as an honest `d’âme` would become one. */
const TWO_SCRIPTS = /\p{Script=Latin}(?!\p{Script=Latin})\p{L}|(?!\p{Script=Latin})\p{L}\p{Script=Latin}/u
/** So many letters are read as others by no accident: where none stands beside one of ASCII, and in words of two scripts. */
const [SOME, MANY] = [3, 8]

/** The text before one such reading; undefined where it was none, or only of a part of it. */
export function beforeOtherReading(text: string): string | undefined {
  for (const page of PAGES) {
    const before = readBack(text, page)
    if (before === undefined || NO_TEXT.test(before)) continue
    const count = before.match(BEYOND_ASCII)?.length ?? 0
    const isCertain = count >= SOME || BESIDE_ASCII.test(text)
    if (isCertain && (count >= MANY || !TWO_SCRIPTS.test(before))) return before
  }
  return undefined
}

/** The text whose bytes in UTF-8 a page shows so; undefined where they are no UTF-8 from end to end. */
export function readBack(text: string, page: ReadonlyMap<string, number>): string | undefined {
  // Most texts are honest, and seen to be so by the first of their letters.
  const first = text.search(BEYOND_ASCII)
  const [lead = 0, next = 0] = [page.get(text[first] ?? ''), page.get(text[first + 1] ?? '')]
  if (lead < 0xc2 || next < 0x80 || next > 0xbf) return undefined
  const bytes = Buffer.alloc(text.length)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const byte = code < 0x80 ? code : page.get(text[at] ?? '')
    if (byte === undefined) return undefined
    bytes[at] = byte
  }
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}
