import { isRelativeDate, parseDate } from '../fields/date.ts'
import { parseLanguage } from '../fields/language.ts'
import { parseLink } from '../fields/link.ts'
import { parseRating } from '../fields/rating.ts'
import { isUnset } from '../fields/unset.ts'
import type { RawRow } from '../read/table.ts'
import type { Field } from './mapping.ts'

type Share = (test: (cell: string) => boolean) => number

/** By field, what the cells must be for a column to be what its header says; fields not listed accept anything. */
const PLAUSIBLE: Partial<Record<Field, (share: Share, cells: readonly string[]) => boolean>> = {
  rating: (share) => share((cell) => parseRating(cell).ok || isScore(cell)) >= 0.5,
  date: (share) => share(isDate) >= 0.5 || share(isSlashed) >= 0.5,
  text: (share) => share((cell) => isNumber(cell) || parseRating(cell).ok || isDate(cell) || isNested(cell)) < 0.5,
  avatar: (share) => share((cell) => parseLink(cell) !== undefined) >= 0.5,
  url: (share) => share((cell) => parseLink(cell) !== undefined) >= 0.5,
  language: (share) => share((cell) => parseLanguage(cell) !== undefined) >= 0.5,
  author: (share) =>
    share((cell) => isNumber(cell) || cell.includes('://') || cell.startsWith('/') || NO_NAME.test(cell)) < 0.5,
  // A product id under the header "id" would merge all reviews of a product, and that of a survey all its answers.
  id: (_, cells) => {
    const different = new Set(cells).size
    return cells.length < 20 ? cells.length < 3 || different > 1 : different / cells.length >= 0.5
  },
  source: (share) => share((cell) => cell.length <= 60 && !isNumber(cell)) >= 0.5,
}

/** Whether a column's cells fit the field that its header names; an empty column fits any. */
export function isPlausibleColumn(field: Field, sample: readonly RawRow[], index: number): boolean {
  const cells = filledCells(sample, index)
  const share: Share = (test) => cells.filter(test).length / cells.length
  return cells.length === 0 || (PLAUSIBLE[field]?.(share, cells) ?? true)
}

/**
 * Whether a column holds sentences, so that it may be the text whatever its header.
 *
 * @param least minimum average length of its cells
 */
export function looksLikeProse(sample: readonly RawRow[], index: number, least = 25): boolean {
  const cells = filledCells(sample, index).filter((cell) => !isNested(cell))
  const average = cells.reduce((sum, cell) => sum + cell.length, 0) / Math.max(cells.length, 1)
  return average >= least && cells.filter((cell) => SENTENCE.test(cell)).length >= cells.length / 2
}

/**
 * Three words, of letters and not of numbers, or as long a run of letters of a language without blanks. It begins only where a
 * word does: pictures stand in cells as a single word of many thousand letters.
 */
const SENTENCE =
  /(?<!\S)(?:[^\s\p{L}]*\p{L}\S*\s+){2}[^\s\p{L}]*\p{L}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{M}、。，！？ー・]{12}/u

/** Whether a column holds only nested JSON, which is never the text. */
export function holdsLists(sample: readonly RawRow[], index: number): boolean {
  const cells = filledCells(sample, index)
  return cells.length > 0 && cells.every(isNested)
}

/** Whether a column holds only numbers, such as `1234` and `1,234`. */
export function holdsNumbers(sample: readonly RawRow[], index: number): boolean {
  const cells = filledCells(sample, index)
  return cells.length > 0 && cells.every((cell) => /^\d+(?:[.,]\d+)*$/.test(cell))
}

/** Whether a column holds dates, whatever its header. */
export function looksLikeDates(sample: readonly RawRow[], index: number): boolean {
  const cells = filledCells(sample, index)
  return cells.length > 0 && cells.filter(isDate).length >= cells.length / 2
}

/** A column that repeats a question is not varied. */
export function isVaried(cells: readonly string[]): boolean {
  return new Set(cells).size > cells.length / 2
}

/** The non-empty cells of a column, trimmed. */
export function filledCells(sample: readonly RawRow[], index: number): string[] {
  return sample.flatMap((row) => {
    const cell = row.fault ? '' : (row.cells[index] ?? '').trim()
    return cell === '' ? [] : [cell]
  })
}

/** The rows in which a column is empty, as a database's program may also write in a word. */
export function unfilledRows(sample: readonly RawRow[], index: number): RawRow[] {
  return sample.filter((row) => {
    const cell = (row.cells[index] ?? '').trim()
    return !row.fault && (cell === '' || isUnset(cell))
  })
}

/** Whether a cell is a date in any notation. */
export function isDate(cell: string): boolean {
  return parseDate(cell).ok || parseDate(cell, true).ok
}

/** Whether it has the shape of a date; if it is unreadable, the row reports it. */
function isSlashed(cell: string): boolean {
  return /\d/.test(cell) && cell.length <= 40 && /[-/.: ]/.test(cell) && !isRelativeDate(cell)
}

/** Whether it is a list or an object left as JSON. */
function isNested(cell: string): boolean {
  return /^(?:\[\s*\{|\{\s*")/.test(cell)
}

/** A user id, one of Facebook's, or whether a name may be shown. */
const NO_NAME = /^(?:true|false|yes|no|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|(?=.*\d)[\da-f]{8,}|\d{6,}_\d{6,})$/i

/** A number on any scale; none exceeds 100. */
function isScore(cell: string): boolean {
  return isNumber(cell) && Number.parseFloat(cell) <= 100
}

function isNumber(cell: string): boolean {
  return /^[-+]?\d+(?:[.,]\d+)?%?$/.test(cell)
}
