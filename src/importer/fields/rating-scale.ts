import { quoted } from '../quoted.ts'
import { NUMBER, NUMERIC, POINTS, parseDecimal } from './rating.ts'
import { shortCell } from './short-cell.ts'

/** Share of bare numbers beyond 5 at which they prove another scale instead of typing errors. */
const SCALE_SHARE = 0.2

/** Where few customers were content, few ratings are beyond 5, but not always the same. */
const UP_TO_TEN = [6, 7, 8, 9, 10]
const LEAST_DIFFERENT = 3

/** Minimum count of each of 0 and 1; fewer may be one-star and unrated reviews. */
const LEAST_FLAGS = 3
/** So many are no stars even beside a single 0: some review has more than one. */
const MANY_FLAGS = 10

const BARE = new RegExp(`^(${NUMBER})${POINTS}?$`, 'i')

/**
 * Collects evidence of a file's rating scale. On a scale of 1 to 10 only ratings beyond 5 are telling, and 5 out of 10
 * must not become five stars. Ratings that name their scale (`4/5`, `4 stars`) need no proof, but beside `8/10` a bare 4
 * may be out of 10 too.
 */
export class RatingScale {
  #named: { cell: string; line: number } | undefined
  /** How many rows have each bare number. */
  readonly #counts = new Map<number, number>()
  #within = 0
  #beyond = 0
  #isCertain = false
  #parts = 0
  #uptoOne = 0
  #ones = 0
  #zeros = 0
  #zero: { cell: string; line: number } | undefined
  #part: { cell: string; line: number } | undefined
  #first: { cell: string; line: number } | undefined

  /** @param isGiven whether the user gave the scale of bare numbers */
  add(cell: string, line: number, isGiven = false): void {
    const value = bareRating(cell)
    if (value === undefined) {
      const best = scaleNamedIn(cell)
      if (!isGiven && best !== undefined && best !== 5) this.#named ??= { cell, line }
      return
    }
    if (value > 0 && !isGiven) this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1)
    if (value > 0 && value < 1) this.#parts++
    if (value > 0 && value <= 1) this.#uptoOne++
    if (value === 1) this.#ones++
    if (value === 0) {
      this.#zeros++
      this.#zero ??= { cell, line }
    }
    if (value <= 5) {
      if (value > 0) this.#within++
      this.#part ??= value > 0 && value < 1 ? { cell, line } : undefined
      return
    }
    this.#beyond++
    // A typing error gives 6 or 55, never 5.8.
    if (!Number.isInteger(value)) this.#isCertain = true
    this.#first ??= { cell, line }
  }

  /** A rating that proves a scale other than 1 to 5; undefined when there is none. */
  get proof(): { cell: string; line: number } | undefined {
    // A scale of 0 to 1, as for sentiment, where 0.93 is not one star.
    if (this.#parts >= 2 && this.#uptoOne === this.#within && this.#beyond === 0) return this.#part
    // Yes or no, as for recommendations, where 1 is the best.
    const areFlags = Math.min(this.#ones, this.#zeros) >= LEAST_FLAGS || (this.#ones >= MANY_FLAGS && this.#zeros > 0)
    if (this.#ones === this.#within && this.#beyond === 0 && areFlags) return this.#zero
    const isScale =
      this.#isCertain ||
      this.#beyond >= (this.#within + this.#beyond) * SCALE_SHARE ||
      UP_TO_TEN.filter((value) => this.#counts.has(value)).length >= LEAST_DIFFERENT
    return isScale ? this.#first : this.#named
  }

  /** A doubt whether the best rating is 5: in many rows none is above 3 or 4, and that is the most frequent one. */
  note(): string | undefined {
    const rated = [...this.#counts.values()].reduce((sum, count) => sum + count, 0)
    const best = Math.max(...this.#counts.keys())
    const isShort = rated >= LEAST_SHORT && (best === 3 || best === 4)
    if (!isShort || [...this.#counts.values()].some((count) => count > (this.#counts.get(best) ?? 0))) return undefined
    return `no rating is above ${best}, which is the most frequent one: if it is the best possible, use --rating-scale ${best}`
  }
}

/** Fewer guests may all have been content with three stars. */
const LEAST_SHORT = 30

/** The scale that a rating such as `8/10` names. */
function scaleNamedIn(cell: string): number | undefined {
  const best = /\d/.test(cell) ? NUMERIC.exec(shortCell(cell) ?? '')?.[3] : undefined
  return best === undefined ? undefined : parseDecimal(best)
}

/** The number of a rating that could be on any scale, as `8` and `8점`. */
export function bareRating(cell: string): number | undefined {
  const number = BARE.exec(cell)?.[1]
  return number === undefined ? undefined : parseDecimal(number)
}

/** Converts a rating on a known scale, bare or as `7/10`, to one out of 5; any other cell is returned unchanged. */
export function toFiveStars(written: string, scale: number): string {
  const cell = scale === 100 ? written.replace(/\s?%$/, '') : written
  const [, number = '', , best] = NUMERIC.exec(shortCell(cell) ?? '') ?? []
  const isOfScale = best === undefined ? bareRating(cell) !== undefined : parseDecimal(best) === scale
  const value = isOfScale ? parseDecimal(number) : Number.NaN
  if (!(value <= scale)) return written
  // The lowest rating becomes 1; 0 means unrated on any scale.
  // Rounded, because a rating is read with at most ten decimals.
  return value === 0 ? '0' : String(Math.max(1, Number(((value * 5) / scale).toFixed(6))))
}

/** Usual best ratings; 50 is Dianping's five stars. */
const USUAL_BEST = [10, 20, 50, 100]

/** Why a rating is rejected although it looks like one of 1 to 5. */
export function otherScaleMessage(cell: string, beyond: { cell: string; line: number }): string {
  const named = scaleNamedIn(beyond.cell)
  if (named !== undefined)
    return (
      `the rating ${quoted(cell)} may be out of ${named}, as ${quoted(beyond.cell)} in row ${beyond.line} is: ` +
      `use --rating-scale ${named} if it is, or --rating-scale 5 if it is out of 5`
    )
  const proven = bareRating(beyond.cell) ?? 0
  const best = USUAL_BEST.find((scale) => scale >= proven) ?? 10
  // Shares and sentiments: there is no scale to name.
  const convert = proven > 1 ? `use --rating-scale ${best} if the best rating is ${best}, or ` : ''
  // German school grades end at 6, and so would be turned round.
  const grades = proven > 1 && proven <= 6 ? ' (as with German school grades, of which 1 is the best)' : ''
  return (
    `the rating ${quoted(cell)} is on a scale other than 1 to 5, as ${quoted(beyond.cell)} in row ${beyond.line} shows: ` +
    `${convert}leave the ratings out with --map rating=${grades}`
  )
}
