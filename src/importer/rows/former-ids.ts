import { REVIEWS_PER_PUSH } from '../../contract/limits.ts'
import { ANONYMOUS } from '../fields/author.ts'
import { utcDay } from '../fields/date.ts'
import { isGeneratedId, isStableId, stableId } from '../fields/external-id.ts'
import { keyOf } from './coverage.ts'
import type { ReviewKey, StoredDay, StoredDays } from './exchanged-days.ts'
import { LEAST_LENGTH } from './recognizable.ts'
import type { ImportRow } from './row.ts'
import type { BatchedImport } from './summary.ts'

/** Rows of a file that are stored under their ids before it is clear that these were always the same. */
const ENOUGH_STORED = 300
/** So many longer texts with other ids, if they are most of those stored, say that the whole file was read otherwise. */
const LEAST_FOUND = 3

/** What is stored of the rows of one file. */
interface Seen {
  /** How many have the row's id. */
  same: number
  /** By row, those under an id that it had, with texts of which there is only one, and with short ones. */
  found: [row: string, stored: StoredDay][]
  short: [row: string, stored: StoredDay][]
}

/**
 * Finds rows without a vendor's id that an earlier import stored under another generated one: under another author, because the
 * column was not known or had what is not a name (user ids, the family's name), or without a day, because one was given. They
 * would otherwise be stored a second time.
 *
 * @param hasRow whether the import has a row with an id, which then is that row's
 * @returns the stored reviews by the rows' sources and ids
 */
export async function findFormerIds(
  source: BatchedImport,
  target: StoredDays,
  hasRow: (key: ReviewKey) => boolean,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, StoredDay>> {
  const seen = new Map<number, Seen>()
  const taken = new Set<string>()
  for await (const batch of source.batches(REVIEWS_PER_PUSH)) {
    signal?.throwIfAborted()
    const sought = batch.flatMap((row) => {
      const { same, found } = seenOf(seen, row)
      if (same >= ENOUGH_STORED && found.length === 0) return []
      const { source, external_id } = row.review
      const others = formerIds(row).flatMap((id) => (hasRow({ source, external_id: id }) ? [] : [id]))
      return others.length > 0 ? [{ row, ids: [external_id, ...others] }] : []
    })
    if (sought.length === 0) continue
    const keys = sought.flatMap(({ row, ids }) =>
      ids.map((external_id) => ({ source: row.review.source, external_id })),
    )
    const stored = new Map((await target.storedDays(keys)).map((one) => [keyOf(one.source, one.external_id), one]))
    for (const { row, ids } of sought) {
      const file = seenOf(seen, row)
      const { source, external_id, text } = row.review
      const [own, ...others] = ids.map((id) => stored.get(keyOf(source, id)))
      if (own) file.same++
      const there = own ? undefined : others.find((one) => one && !taken.has(one.id))
      if (!there) continue
      taken.add(there.id)
      const list = text.length < LEAST_LENGTH ? file.short : file.found
      list.push([keyOf(source, external_id), there])
    }
  }
  return new Map(
    [...seen.values()].flatMap(({ same, found, short }) =>
      // "Great!" may be by two people, one of whom is in another export.
      found.length >= LEAST_FOUND && found.length > same ? [...found, ...short] : found,
    ),
  )
}

function seenOf(seen: Map<number, Seen>, { table }: ImportRow): Seen {
  const file = seen.get(table) ?? { same: 0, found: [], short: [] }
  seen.set(table, file)
  return file
}

/** The ids that a row would have under other authors, and without its day. */
function formerIds({ review, madeOf, formerNames = [] }: ImportRow): string[] {
  const { external_id: id, source, author_name, occurred_at: at } = review
  if (!isGeneratedId(id)) return []
  const { author, text } = madeOf ?? { author: author_name, text: review.text }
  const idOf = (name: string, day: string | undefined) => stableId({ source, author: name, day, text })
  const names = author === ANONYMOUS ? formerNames : [ANONYMOUS, ...formerNames]
  const day = isStableId(id) ? utcDay(at) : undefined
  const undated = day === undefined ? [] : [author, ...names].map((name) => idOf(name, undefined))
  return [...names.map((name) => idOf(name, day)), ...undated]
}
