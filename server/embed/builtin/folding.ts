import { readFileSync } from 'node:fs'
import { UNSPACED_SCRIPTS } from '../../unspaced-scripts.ts'

export const DROPPED = 1
export const APOSTROPHE = 39

/**
 * Folded code unit per BMP code unit: 0 separates tokens, 1 is dropped, 39 is any apostrophe, otherwise a letter or digit.
 */
export const FOLD = new Uint16Array(65536)
/** Code units that fold to several letters (ß, æ, ligatures). */
export const FOLD_TO_MANY = new Map<number, Uint16Array>()
/** Length of the pieces into which runs of a letter are cut, in scripts without spaces; 0 for all other letters. */
export const UNSPACED = new Uint8Array(65536)

export const toUnits = (text: string): Uint16Array => Uint16Array.from(text, (char) => char.charCodeAt(0))

function readFoldTable(): void {
  for (let c = 48; c <= 57; c++) FOLD[c] = c
  for (let c = 97; c <= 122; c++) {
    FOLD[c] = c
    FOLD[c - 32] = c
  }
  // fold-table.txt describes the format of its two tables in its first two paragraphs.
  const text = readFileSync(new URL('./fold-table.txt', import.meta.url), 'utf8')
  const [runs = [], expansions = []] = text
    .split('\n\n')
    .slice(2)
    .map((table) => table.trim().split(/\s/))
  let at = 0
  for (const run of runs) {
    const [gap = '', length = '', delta = ''] = run.split(',')
    at += Number.parseInt(gap, 36)
    for (let left = Number.parseInt(length, 36); left > 0; left--, at++) {
      FOLD[at] = delta === '!' ? DROPPED : at + Number.parseInt(delta, 36)
    }
  }
  for (const entry of expansions) {
    const [code = '', letters = ''] = entry.split(',')
    const from = Number.parseInt(code, 36)
    FOLD_TO_MANY.set(from, toUnits(letters))
    FOLD[from] = from
  }
  for (const c of "'`´‘’ʼ") FOLD[c.charCodeAt(0)] = APOSTROPHE
  for (const { size, ranges } of UNSPACED_SCRIPTS) {
    for (const [first, last] of ranges) {
      for (let c = first; c <= last; c++) if ((FOLD[c] ?? 0) > 1) UNSPACED[c] = size
    }
  }
}
readFoldTable()

/** A capital letter followed by a small one. */
export function isCapitalised(text: string, i: number): boolean {
  const first = text.charCodeAt(i)
  const second = i + 1 < text.length ? text.charCodeAt(i + 1) : 0
  return isCapital(first) && (FOLD[second] ?? 0) >= 58 && !isCapital(second)
}

/** Latin, Greek and Cyrillic capitals up to U+042F; elsewhere capitals are not treated as marking names. */
function isCapital(unit: number): boolean {
  if (unit < 128) return unit >= 65 && unit <= 90
  if (unit < 0xc0 || unit > 0x42f) return false
  if (unit <= 0xde) return unit !== 0xd7
  if (unit < 0x100) return false
  if (unit < 0x180)
    return FOLD[unit] === FOLD[unit + 1] && (unit < 0x137 || unit > 0x148 ? unit % 2 === 0 : unit % 2 === 1)
  return (unit >= 0x391 && unit <= 0x3a9) || unit >= 0x400
}

export function isDigitAt(text: string, i: number): boolean {
  const folded = i < text.length ? (FOLD[text.charCodeAt(i)] ?? 0) : 0
  return folded >= 48 && folded < 58
}

/** What {@link isEmoji} is true of, with its skin tone and presentation. */
export const EMOJI = /[\u2600-\u27bf\u{1f300}-\u{1faff}]\ufe0f?/gu

/** Symbols and pictographs (U+2600–27BF, U+1F300–1FAFF) without skin tones, which only modify the preceding one. */
export function isEmoji(text: string, i: number): boolean {
  const unit = text.charCodeAt(i)
  if (unit >= 0x2600 && unit <= 0x27bf) return true
  if (unit < 0xd83c || unit > 0xd83e) return false
  const low = i + 1 < text.length ? text.charCodeAt(i + 1) : 0
  if (low < 0xdc00 || low > 0xdfff) return false
  const code = (unit - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000
  return code >= 0x1f300 && code <= 0x1faff && !(code >= 0x1f3fb && code <= 0x1f3ff)
}
