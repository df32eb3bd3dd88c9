import { hash } from 'node:crypto'

const TEXT_CHARACTERS = 200
const VERSION = 'h1'

/**
 * The id of a review whose export has none: SHA-256 over source, author, UTC day and the first 200 characters of the
 * text, each in Unicode form NFC, lower case, with white space collapsed. The day without its time, because spreadsheets
 * drop times. The prefix names this recipe; another recipe needs another prefix, and this one stays as it is.
 */
export function stableId(review: { source: string; author: string; day: string; text: string }): string {
  const parts = [review.source, normalised(review.author), review.day, textStart(review.text)]
  return `${VERSION}-${hash('sha256', JSON.stringify(parts), 'hex')}`
}

function normalised(value: string): string {
  // Plain letters and blanks need no table of Unicode; looking first is cheaper than replacing what need not be.
  if (PRINTABLE_ASCII.test(value)) {
    const lower = value.toLowerCase()
    return (lower.includes('  ') ? lower.replace(/ +/g, ' ') : lower).trim()
  }
  const folded = value.normalize('NFC').toLowerCase()
  return (UNEVEN.test(folded) ? folded.replace(/\s+/g, ' ') : folded).trim()
}

const PRINTABLE_ASCII = /^[ -~]*$/
const UNEVEN = /\s\s|[^\S ]/
const SURROGATE = /[\ud800-\udfff]/

/** The first characters of the normalised text; only as much of it is normalised as is needed for them. */
function textStart(text: string): string {
  for (const units of [280, 1_000]) {
    if (text.length <= units) break
    const head = normalised(text.slice(0, units))
    // Where the head was cut, a letter may still join with what follows: the end of it does not count.
    if (head.length > TEXT_CHARACTERS + 40 && !SURROGATE.test(head)) return head.slice(0, TEXT_CHARACTERS)
  }
  const whole = normalised(text)
  return SURROGATE.test(whole) ? [...whole].slice(0, TEXT_CHARACTERS).join('') : whole.slice(0, TEXT_CHARACTERS)
}

/** Whether a spreadsheet turned a long number into 1.23457E+18: its last digits are lost, so rows would share it. */
export function isMangledId(id: string): boolean {
  return /^\d(?:[.,]\d+)?[eE]\+\d{2,3}$/.test(id)
}
