import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Policy } from '../policy.ts'
import { BLOCK, type ExcerptTable, FLAG, readUuid } from './excerpt-table.ts'

/** An excerpt that a search found near, as the words' statement wants it. */
export interface NearExcerpt {
  id: string
  reviewId: string
  ordinal: number
  /** The cosine distance, bit for bit what pgvector answers. */
  distance: number
}

/** Without a pause of this long nobody who waits is kept from an answer. */
const TURN_MS = 2

/**
 * The nearest publishable excerpts, nearest first, at most `limit` and none farther than `farthest`. The event loop gets its
 * turn after each {@link BLOCK} rows or so.
 *
 * Distances are those of pgvector to the bit: the sums are whole numbers below 2^24, which it has exactly too, and the rest
 * is the same arithmetic on doubles.
 */
export async function nearestExcerpts(
  table: ExcerptTable,
  query: Float32Array,
  policy: Policy,
  farthest: number,
  limit: number,
): Promise<NearExcerpt[]> {
  const values = Int16Array.from(query)
  const square = values.reduce((sum, x) => sum + x * x, 0)
  const { owner, norm, vectors } = table
  const may = publishable(table, policy)
  let slots: number[] = []
  let distances: number[] = []
  let bar = farthest
  let excerpt = -1
  let best = Number.POSITIVE_INFINITY

  const order = (a: number, b: number) => {
    const [x, y] = [distances[a] ?? 0, distances[b] ?? 0]
    if (x !== y) return x - y
    return compareKeys(table, slots[a] ?? 0, slots[b] ?? 0)
  }
  const keepNearest = () => {
    const places = slots
      .map((_, i) => i)
      .sort(order)
      .slice(0, limit)
    slots = places.map((i) => slots[i] ?? 0)
    distances = places.map((i) => distances[i] ?? 0)
  }
  const finish = () => {
    if (excerpt < 0 || !(best <= bar) || !may(excerpt)) return
    slots.push(excerpt)
    distances.push(best)
    if (slots.length < limit * 4) return
    keepNearest()
    bar = Math.min(bar, distances.at(-1) ?? bar)
  }

  let since = performance.now()
  for (let first = 0; first < vectors; first += BLOCK) {
    const count = Math.min(BLOCK, vectors - first)
    const sums = table.products(values, first, count)
    for (let i = 0; i < count; i++) {
      const of = owner[first + i] ?? -1
      if (of !== excerpt) {
        finish()
        excerpt = of
        best = Number.POSITIVE_INFINITY
      }
      const similarity = (sums[i] ?? 0) / Math.sqrt((norm[first + i] ?? 0) * square)
      // NaN of a zero vector is passed over, as by `least`.
      const distance = 1 - Math.max(-1, Math.min(1, similarity))
      if (distance < best) best = distance
    }
    if (performance.now() - since > TURN_MS) {
      await nextTurn()
      since = performance.now()
    }
  }
  finish()
  keepNearest()
  return slots.map((slot, i) => ({
    id: readUuid(table.ids, slot),
    reviewId: readUuid(table.reviewIds, slot),
    ordinal: table.ordinals[slot] ?? 0,
    distance: distances[i] ?? 0,
  }))
}

/** The same condition as `publishable` in sql/statement.ts, without metadata, which only the database knows. */
function publishable(table: ExcerptTable, policy: Policy): (excerpt: number) => boolean {
  const { ordinals, ratings, flags, sourceOf, occurredAt } = table
  const sources = policy.sources && new Set(policy.sources.map((name) => table.sources.indexOf(name)))
  const since = policy.since?.getTime()
  const unwanted = FLAG.hidden | (policy.withoutComplaints ? FLAG.complaint : 0)
  return (at) => {
    if ((ordinals[at] ?? -1) < 0) return false
    const flag = flags[at] ?? 0
    if (flag & unwanted) return false
    const rating = ratings[at] ?? 0
    if (rating === 0 ? !(flag & FLAG.positiveOrNeutral) : rating < policy.minRating) return false
    if (sources && !sources.has(sourceOf[at] ?? -1)) return false
    return since === undefined || (occurredAt[at] ?? Number.NaN) >= since
  }
}

function compareKeys(table: ExcerptTable, a: number, b: number): number {
  const { reviewIds, ordinals } = table
  for (let i = 0; i < 16; i++) {
    const difference = (reviewIds[a * 16 + i] ?? 0) - (reviewIds[b * 16 + i] ?? 0)
    if (difference !== 0) return difference
  }
  return (ordinals[a] ?? 0) - (ordinals[b] ?? 0)
}
