import type { ReviewInput } from '../../contract/review.ts'
import { utcDay } from '../fields/date.ts'
import { isStableId } from '../fields/external-id.ts'

const LEAST_REVIEWS = 10
const LEAST_DAYS = 5
/** Two exports of one business have other numbers of reviews on most of their days. */
const SHARE = 0.9

/** New reviews that seem to be those of an earlier import, and those. */
interface ReadOtherwise {
  fresh: number
  stored: number
}

/**
 * Tells whether an import's new reviews seem to be those of an earlier one whose file was read otherwise, so that their
 * generated ids are others: with another column as the text none can be recognised, but as many are of each day.
 */
export class NewDays {
  readonly #days: string[] = []

  add({ external_id: id, occurred_at: at }: ReviewInput): void {
    if (isStableId(id)) this.#days.push(utcDay(at))
  }

  /** @param exports the days of stored reviews, by export, that the import lacks: also those with ids that it was told not to read */
  compare(exports: Iterable<readonly string[]>): ReadOtherwise | undefined {
    const fresh = this.#days.length
    const days = countsOf(this.#days)
    if (fresh < LEAST_REVIEWS || days.size < LEAST_DAYS) return undefined
    for (const stored of exports) {
      let common = 0
      for (const [day, count] of countsOf(stored)) common += Math.min(count, days.get(day) ?? 0)
      if (common >= SHARE * Math.max(fresh, stored.length)) return { fresh, stored: stored.length }
    }
    return undefined
  }
}

function countsOf(days: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const day of days) counts.set(day, (counts.get(day) ?? 0) + 1)
  return counts
}

export function describeReadOtherwise({ fresh, stored }: ReadOtherwise): string {
  return (
    `the ${fresh} new reviews are of the same days as ${stored} stored ones with other ids or texts: if an earlier import read the same file otherwise ` +
    '(other columns as the id, author or text, or an earlier version of Pullquote), these now stand beside the new ones and should be deleted'
  )
}
