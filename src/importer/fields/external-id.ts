import { hash } from 'node:crypto'
import type { Source } from '../../contract/review.ts'
import { isSpreadsheetError } from './spreadsheet-error.ts'

const TEXT_CHARACTERS = 200
const VERSION = 'h1'
const UNDATED = 'u1'

/**
 * The id of a review whose export has none: SHA-256 over source, author, UTC day and the first 200 characters of the
 * text, each in Unicode form NFC, lower case, with white space collapsed, as a JSON list. The day without its time,
 * because spreadsheets drop times. The prefix names this recipe; another recipe needs another prefix, and this one stays
 * as it is.
 *
 * Where the day is not known but counted back or given, it is no part: the same file, made or read on another day, holds the
 * same reviews.
 *
 * @param review with the day as `YYYY-MM-DD`; undefined where the file names none
 */
export function stableId(review: { source: Source; author: string; day: string | undefined; text: string }): string {
  const { source, author, day, text } = review
  if (day === undefined)
    return `${UNDATED}-${hash('sha256', `["${source}",${authorPart(author)},${textPart(text)}]`, 'hex')}`
  return `${VERSION}-${hash('sha256', `["${source}",${authorPart(author)},"${day}",${textPart(text)}]`, 'hex')}`
}

/** Whether an id was made here of the day too, since its export has none. */
export function isStableId(id: string): boolean {
  return id.startsWith(`${VERSION}-`)
}

// Most authors and texts are plain: letters without combining marks, punctuation that JSON does not escape, single blanks.
// Of them lower case is all that there is to do, which takes a third of the time. (The lower case of İ is two letters.)
const PRINTABLE = /^[ !#-[\]-~\u00a1-\u012f\u0131-\u024f\u2010-\u2027]+$/
const BLANKS_TO_COLLAPSE = /^ | {2}/

function isPlain(value: string): boolean {
  return PRINTABLE.test(value) && !BLANKS_TO_COLLAPSE.test(value)
}

function authorPart(author: string): string {
  if (isPlain(author) && !author.endsWith(' ')) return `"${author.toLowerCase()}"`
  return JSON.stringify(normalized(author))
}

function textPart(text: string): string {
  if (text.length > TEXT_CHARACTERS) {
    // One character more: it may be an accent that joins with the last.
    const head = text.slice(0, TEXT_CHARACTERS + 1)
    if (isPlain(head)) return `"${head.toLowerCase().slice(0, TEXT_CHARACTERS)}"`
  } else if (isPlain(text) && !text.endsWith(' ')) return `"${text.toLowerCase()}"`
  return JSON.stringify(textStart(text))
}

function normalized(value: string): string {
  const folded = value.normalize('NFC').toLowerCase()
  return (UNEVEN.test(folded) ? folded.replace(/\s+/g, ' ') : folded).trim()
}

const UNEVEN = /\s\s|[^\S ]/
const SURROGATE = /[\ud800-\udfff]/

/** The first characters of the normalized text; only as much of it is normalized as is needed for them. */
function textStart(text: string): string {
  for (const units of [280, 1_000]) {
    if (text.length <= units) break
    const head = normalized(text.slice(0, units))
    // Where the head was cut, a letter may still join with what follows: the end of it does not count.
    if (head.length > TEXT_CHARACTERS + 40 && !SURROGATE.test(head)) return head.slice(0, TEXT_CHARACTERS)
  }
  const whole = normalized(text)
  return SURROGATE.test(whole) ? [...whole].slice(0, TEXT_CHARACTERS).join('') : whole.slice(0, TEXT_CHARACTERS)
}

/** Whether a database or a program wrote that a review has no id: rows would share it, and be one review. */
export function isNoId(id: string): boolean {
  return NO_ID.test(id) || isSpreadsheetError(id)
}

const NO_ID = /^(?:n\/a|na|<na>|null|\(null\)|\[null\]|\\n|none|nil|nan|undefined|-+|–|—|\?)$/i

/** Whether a spreadsheet turned a long number into 1.23457E+18: its last digits are lost, so rows would share it. */
export function isMangledId(id: string): boolean {
  return /^\d(?:[.,]\d+)?[eE]\+\d{2,3}$/.test(id)
}
