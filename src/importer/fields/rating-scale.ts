import { quoted } from '../skip-reasons.ts'
import { NUMBER, parseDecimal } from './rating.ts'

/** From this share of a file's bare numbers on, those beyond 5 are its scale and no slips of somebody's finger. */
const SCALE_SHARE = 0.2

const BARE = new RegExp(`^${NUMBER}$`)

/**
 * Collects what the ratings of one file say about their scale. In a file of 1 to 10 only those beyond 5 give
 * themselves away, and a 5 of 10 must not become five stars. A rating that says its scale itself (`4/5`, `4 stars`) is
 * not asked.
 */
export class RatingScale {
  #within = 0
  #beyond = 0
  #first: { cell: string; line: number } | undefined

  add(cell: string, line: number): void {
    if (cell === '' || !BARE.test(cell)) return
    const value = parseDecimal(cell)
    if (value <= 5) {
      if (value > 0) this.#within++
      return
    }
    this.#beyond++
    this.#first ??= { cell, line }
  }

  /** A rating that shows that the file's bare numbers are not of 1 to 5, or `undefined` when they are. */
  get proof(): { cell: string; line: number } | undefined {
    return this.#beyond >= (this.#within + this.#beyond) * SCALE_SHARE ? this.#first : undefined
  }
}

/** Whether a rating could be of any scale. */
export function isBareRating(cell: string): boolean {
  return BARE.test(cell)
}

/** A bare number of a known scale, such as the 7 of a 7 out of 10, as one of 5; what is none stays as it is. */
export function toFiveStars(cell: string, scale: number): string {
  const value = BARE.test(cell) ? parseDecimal(cell) : Number.NaN
  return value <= scale ? String((value * 5) / scale) : cell
}

/** Why a rating is not taken, though it looks like one of 1 to 5. */
export function otherScaleMessage(cell: string, beyond: { cell: string; line: number }): string {
  return (
    `the rating ${quoted(cell)} is on another scale than 1 to 5, as ${quoted(beyond.cell)} in row ${beyond.line} shows: ` +
    'convert the column first, or leave it out with --map rating='
  )
}
