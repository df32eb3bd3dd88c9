import { decodeLegacy } from '../read/encodings/legacy-encodings.ts'

// UTF-8 text that was decoded in an encoding other than Windows-1252 and saved as UTF-8 again: `РљРѕС„Рµ` for `Кофе`,
// `FĂĽr` and `F√ºr` for `Für`.
const PAGES = ['Windows-1251', 'Windows-1250', 'Macintosh', 'CP437', 'CP850'].map((encoding) => {
  const high = Buffer.from(Array.from({ length: 0x80 }, (_, index) => 0x80 + index))
  return new Map([...decodeLegacy(high, encoding)].map((character, index) => [character, 0x80 + index]))
})

const strict = new TextDecoder('utf-8', { fatal: true })
const BESIDE_ASCII = /[a-z][^\0-\x7f]|[^\0-\x7f][a-z]/i
const BEYOND_ASCII = /[^\0-\x7f]/gu
/** Never in text: control characters, accents without a letter, unassigned and private-use characters. */
const NO_TEXT = /[\x80-\x9f]|[\u0300-\u036f]|\p{Co}|\p{Cn}/u
/** Words in two scripts, as intact `d’âme` would become one. */
const TWO_SCRIPTS = /\p{Script=Latin}(?!\p{Script=Latin})\p{L}|(?!\p{Script=Latin})\p{L}\p{Script=Latin}/u
/** Enough letters to rule out coincidence: when none is next to an ASCII letter, and when words mix two scripts. */
const [SOME, MANY] = [3, 8]

/** Undoes one such decoding; undefined when there was none, or only in part of the text. */
export function repairCodePage(text: string): string | undefined {
  const first = text.search(BEYOND_ASCII)
  for (const page of PAGES) {
    const before = redecode(text, page, first)
    if (before === undefined || NO_TEXT.test(before)) continue
    const count = before.match(BEYOND_ASCII)?.length ?? 0
    const isCertain = count >= SOME || BESIDE_ASCII.test(text)
    if (isCertain && (count >= MANY || !TWO_SCRIPTS.test(before))) return before
  }
  return undefined
}

/**
 * Re-encodes a text in a code page and decodes it as UTF-8; undefined unless the result is valid UTF-8 as a whole.
 *
 * @param first index of the first non-ASCII character
 */
export function redecode(
  text: string,
  page: ReadonlyMap<string, number>,
  first = text.search(BEYOND_ASCII),
): string | undefined {
  // Most texts are intact, which their first non-ASCII letters show.
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
