import { ANONYMOUS } from '../fields/author.ts'
import { utcDay } from '../fields/date.ts'
import { isGeneratedId, isStableId, stableId } from '../fields/external-id.ts'
import { keyOf } from './coverage.ts'
import type { EarlierImports } from './earlier-imports.ts'
import type { ReviewKey, StoredDay, StoredDays } from './exchanged-days.ts'
import { LEAST_LENGTH } from './recognizable.ts'
import type { ImportRow } from './row.ts'

/** Rows of a file that are stored under their author before it is clear that its authors were always the same. */
const ENOUGH_STORED = 300

/**
 * Finds rows that an earlier import stored under another author, which is part of generated ids: without one, because the
 * column was not known, or under what is not a name any more (user ids, the family's name). They would otherwise be
 * stored a second time.
 */
export class FormerNames {
  /** By file, how many more have to be stored; a file in which one was found is looked up to its end. */
  readonly #left = new Map<number, number>()

  async find(
    rows: readonly ImportRow[],
    target: StoredDays,
    earlier: EarlierImports,
  ): Promise<ReadonlyMap<ImportRow, StoredDay>> {
    const sought = rows.flatMap((row) => {
      if (this.#leftOf(row) <= 0) return []
      const { source, external_id } = row.review
      const keys = formerIds(row).map((id) => ({ source, external_id: id }))
      const others = keys.filter((key) => !earlier.hasRow(key))
      if (others.length === 0) return []
      return [{ row, keys: [{ source, external_id }, ...others] }]
    })
    const found = new Map<ImportRow, StoredDay>()
    if (sought.length === 0) return found
    const stored = new Map(
      (await target.storedDays(sought.flatMap(({ keys }) => keys))).map((one) => [
        keyOf(one.source, one.external_id),
        one,
      ]),
    )
    const storedUnder = (key: ReviewKey | undefined) => key && stored.get(keyOf(key.source, key.external_id))
    for (const { row, keys } of sought) {
      const [own, ...others] = keys
      if (storedUnder(own)) this.#left.set(row.table, this.#leftOf(row) - 1)
      const there = storedUnder(own) ? undefined : others.map(storedUnder).find((one) => one)
      if (!there) continue
      found.set(row, there)
      this.#left.set(row.table, Number.POSITIVE_INFINITY)
    }
    return found
  }

  #leftOf({ table }: ImportRow): number {
    return this.#left.get(table) ?? ENOUGH_STORED
  }
}

/** The ids that a row would have under other authors. */
function formerIds({ review, formerNames = [] }: ImportRow): string[] {
  const { external_id: id, source, text, author_name, occurred_at: at } = review
  if (!isGeneratedId(id) || text.length < LEAST_LENGTH) return []
  const day = isStableId(id) ? utcDay(at) : undefined
  const names = author_name === ANONYMOUS ? formerNames : [ANONYMOUS, ...formerNames]
  return names.map((author) => stableId({ source, author, day, text }))
}
