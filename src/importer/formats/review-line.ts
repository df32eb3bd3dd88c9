import { parseRating } from '../fields/rating.ts'
import { HEADER_ALIASES } from './aliases.ts'
import { isDate } from './column-content.ts'
import { headerNames } from './header-names.ts'

/** Shorter sentences are also written above a column: "What our guests say about us". */
const LONG_SENTENCE = 60
const SENTENCE_END = /[.!…]["'”»)]*$/
/** How surveys end what they ask. */
const ASKING = /[?:*)]\s*$/

/**
 * Whether the first line of a table is a review, so that the table has no headings.
 *
 * @param isUsed whether a column was recognized, or named by the user
 */
export function isReviewLine(headers: readonly string[], isUsed: boolean): boolean {
  return headers.some(isDate) || (!isUsed && !headers.some(isKnown) && (headers.some(isData) || hasOneRating(headers)))
}

function isKnown(header: string): boolean {
  return [...HEADER_ALIASES.values()].some((aliases) => headerNames(header).some((name) => aliases.has(name)))
}

/** `4 stars`; several are the headings of columns that count them. */
function hasOneRating(headers: readonly string[]): boolean {
  const rated = headers.filter((header) => {
    const rating = NUMBER_ALONE.test(header) ? undefined : parseRating(header)
    return rating?.ok === true && rating.value !== null
  })
  return rated.length === 1
}

const NUMBER_ALONE = /^\s*[\d.,]*\s*$/

/** What only stands in rows: an e-mail address, a rating, a sentence. Data tools number columns from 0. */
function isData(header: string, index: number): boolean {
  const cell = header.trim()
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cell)) return true
  if (/^(?:10|\d)(?:[.,]\d)?$/.test(cell)) return Math.abs(Number(cell) - index) > 1
  const words = cell.split(/\s+/).length
  return words > 2 && !ASKING.test(cell) && (SENTENCE_END.test(cell) || (words > 7 && cell.length >= LONG_SENTENCE))
}
