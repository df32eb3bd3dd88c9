import { hash } from 'node:crypto'
import { URI_LENGTH } from '../../contract/limits.ts'
import type { Source } from '../../contract/review.ts'
import { isSpreadsheetError } from './spreadsheet-error.ts'

const TEXT_CHARACTERS = 200
const VERSION = 'h1'
const UNDATED = 'u1'

/**
 * The id of a review whose export has none: SHA-256 of a JSON list of source, author, UTC day and the first 200
 * characters of the text, each in NFC, lower case, with white space collapsed. The time is left out because
 * spreadsheets drop it. The prefix names this recipe, which must not change; another recipe needs another prefix.
 *
 * A day that was counted back or given is left out, so that the same file, made or read on another day, yields the same
 * ids.
 *
 * @param review with the day as `YYYY-MM-DD`; undefined when the file has none
 */
export function stableId(review: { source: Source; author: string; day: string | undefined; text: string }): string {
  const { source, author, day, text } = review
  if (day === undefined)
    return `${UNDATED}-${hash('sha256', `["${source}",${authorPart(author)},${textPart(text)}]`, 'hex')}`
  return `${VERSION}-${hash('sha256', `["${source}",${authorPart(author)},"${day}",${textPart(text)}]`, 'hex')}`
}

/** How ids begin that were generated here, including the day. */
export const STABLE_ID_START = `${VERSION}-`

/** Whether an id was generated here, including the day, because the export has none. */
export function isStableId(id: string): boolean {
  return id.startsWith(STABLE_ID_START)
}

/** Whether an id was generated here, from what the export has. */
export function isGeneratedId(id: string): boolean {
  return isStableId(id) || id.startsWith(`${UNDATED}-`)
}

// Most authors and texts are plain: letters without combining marks, punctuation that JSON does not escape, single
// blanks. Lower-casing is then all that is needed, which takes a third of the time. (İ is excluded: it lower-cases to
// two characters.)
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
    // Including the next character, which may be an accent that combines with the last.
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

/** The first characters of the normalized text, normalizing only as much as needed. */
function textStart(text: string): string {
  for (const units of [280, 1_000]) {
    if (text.length <= units) break
    const head = normalized(text.slice(0, units))
    // The last characters of the cut head may still combine with what follows, so a margin is left.
    if (head.length > TEXT_CHARACTERS + 40 && !SURROGATE.test(head)) return head.slice(0, TEXT_CHARACTERS)
  }
  const whole = normalized(text)
  return SURROGATE.test(whole) ? [...whole].slice(0, TEXT_CHARACTERS).join('') : whole.slice(0, TEXT_CHARACTERS)
}

/** Whether an id is a placeholder for none: rows would share it and be merged into one review. */
export function isMissingId(id: string): boolean {
  return NO_ID.test(id) || isSpreadsheetError(id)
}

const NO_ID = /^(?:n\/a|na|<na>|null|\(null\)|\[null\]|\\n|none|nil|nan|undefined|-+|–|—|\?)$/i

/** Whether a spreadsheet turned a long id into 1.23457E+18: its last digits are lost, so rows would share it. */
export function isMangledId(id: string): boolean {
  return /^\d(?:[.,]\d+)?[eE]\+\d{2,3}$/.test(id)
}

const IN_LINK = /[?&#]review_?id=([^&#]{1,200})(?:[&#]|$)/i

/** The id of a review in the address of its page, as Google's Play Console writes it. */
export function idInLink(link: string): string | undefined {
  const found = link.length <= URI_LENGTH ? IN_LINK.exec(link)?.[1] : undefined
  try {
    return found === undefined ? undefined : decodeURIComponent(found)
  } catch {
    return found
  }
}
