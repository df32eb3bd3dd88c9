import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import type { Source } from '../../contract/review.ts'
import { ANONYMOUS } from '../fields/author.ts'
import { utcDay } from '../fields/date.ts'
import { isStableId } from '../fields/external-id.ts'
import { isSimilarText } from '../fields/similar-text.ts'
import { Coverage, keyOf } from './coverage.ts'
import type { MissingReviews } from './missing-reviews.ts'
import type { ImportRow } from './row.ts'
import type { BatchedImport } from './summary.ts'

/** The fields of a stored review that tell whether a newer export still contains it. */
export interface EarlierReview {
  id: string
  source: Source
  external_id: string
  author_name: string | null
  occurred_at: Date
  rating: number | null
  /** The export that it came from; null when it was pushed. */
  origin: string | null
  /** Its values for the requested metadata keys. */
  names: (string | null)[]
  /** Shown, but not because somebody decided so by hand. */
  isOpen: boolean
}

/** A review that is not in the files, and the files that would contain it if its vendor still had it. */
type AbsentReview = EarlierReview & { files: number[] }

/** The fields of a stored review by which a person recognizes it. */
export interface EarlierText {
  id: string
  author_name: string | null
  occurred_at: Date
  text: string
}

/** Access to the reviews of earlier imports. */
export interface EarlierReviews {
  /** The stored reviews of a period in pages, newest first. */
  storedBetween(from: Date, to: Date, names: readonly string[]): AsyncIterable<readonly EarlierReview[]>
  textsOf(ids: readonly string[]): Promise<EarlierText[]>
  /** The number of stored reviews of these exports after a time. */
  countLater(than: Date, origins: readonly string[]): Promise<number>
}

const OWN_FORMAT = 'pullquote'
const ROWS_PER_LOOK = 500
/** Maximum number of an author's earlier texts to compare with a row. */
const MOST_VERSIONS = 20

/**
 * Compares an import with earlier imports of the same export. Exports are the same when they share reviews, because
 * file names change from month to month and two branches may use the same format. A file gets the origin of which it
 * contains the most reviews, unless it contains less than half of those stored for its period.
 */
export class EarlierImports {
  readonly #files: Coverage
  /** By origin, the number of its reviews in each file. */
  readonly #present = new Map<string, Map<number, number>>()
  /** Rows with generated ids that are already stored. */
  readonly #stored = new Set<string>()
  /** Stored reviews from some export that are not in the files, by id. */
  readonly #absent = new Map<string, AbsentReview>()
  /** Origins of which the files contain at least half of what they should, and the origin of each file. */
  readonly #same = new Set<string>()
  readonly #origins = new Map<number, string>()
  /** Absent texts by author, and the stored review that each row replaces. */
  readonly #versions = new Map<string, EarlierText[]>()
  readonly #replaced = new Map<string, string>()
  /** Reviews from earlier imports of the same export that are later than all of the files'. */
  later: { count: number; than: Date } | undefined
  /** Files that are our own exports, which contain reviews of any vendor. */
  readonly #isOwn: readonly boolean[]

  private constructor(files: Coverage, isOwn: readonly boolean[]) {
    this.#files = files
    this.#isOwn = isOwn
  }

  /** Reads the rows of an import and the stored reviews of its period. */
  static async of(source: BatchedImport, target: EarlierReviews, signal?: AbortSignal): Promise<EarlierImports> {
    const files = new Coverage(source.files.map(({ rows }) => rows))
    const isOwn = source.files.map(({ profile }) => profile === OWN_FORMAT)
    for await (const batch of source.batches(ROWS_PER_LOOK)) {
      signal?.throwIfAborted()
      for (const row of batch) if (!isOwn[row.table]) files.add(row)
      await turn()
    }
    const earlier = new EarlierImports(files, isOwn)
    if (files.from > files.to) return earlier
    // From the start of the first day, because an earlier version of an edited review may be from that day.
    const from = new Date(`${utcDay(new Date(files.from))}T00:00:00Z`)
    for await (const page of target.storedBetween(from, new Date(files.to), [...files.names])) {
      signal?.throwIfAborted()
      for (const review of page) earlier.#take(review)
    }
    earlier.#matchOrigins()
    await earlier.#readVersions(target)
    const than = new Date(files.to)
    const isWhole = earlier.#same.size > 0 && !files.hasSelection()
    const count = isWhole ? await target.countLater(than, [...earlier.#same]) : 0
    if (count > 0) earlier.later = { count, than }
    return earlier
  }

  /** Sets a row's origin, and the stored review of which it is a later version. */
  assignOrigin(row: ImportRow): void {
    if (this.#isOwn[row.table] || row.isApproximate) return
    const origin = this.#origins.get(row.table) ?? randomUUID()
    this.#origins.set(row.table, origin)
    row.origin = origin
    row.replaces = this.#versionBefore(row)
  }

  /** Whether a row has this id. */
  hasRow(key: Pick<EarlierReview, 'source' | 'external_id'>): boolean {
    return this.#files.tableOf(key) !== undefined
  }

  /** Records that a stored review is in the files under another id. */
  markPresent(id: string): void {
    this.#absent.delete(id)
  }

  /** By export, the days of its reviews that are not in the files. */
  absentDays(): Iterable<string[]> {
    const days = new Map<string, string[]>()
    for (const { origin, occurred_at: at } of this.#absent.values()) {
      if (origin === null) continue
      const found = days.get(origin) ?? []
      days.set(origin, found)
      found.push(utcDay(at))
    }
    return days.values()
  }

  /** Whether the files have unknown days, or belong to an earlier export and seem to be a selection of its reviews. */
  isSelection(): boolean {
    return this.#files.hasUnknownDays() || (this.#present.size > 0 && this.#files.hasSelection())
  }

  /** The reviews missing from the exports of which the files are newer versions; undefined when there are none such. */
  missing(): MissingReviews | undefined {
    const parts = [...this.#present.keys()].map((origin) => this.#missingOf(origin))
    const same = parts.filter(({ likeness }) => likeness !== 'other')
    const [first, ...others] = same.length > 0 ? same : parts
    return (
      first &&
      others.reduce((all, { ids, among, likeness }) => {
        return {
          ids: [...all.ids, ...ids],
          among: all.among + among,
          likeness: all.likeness === 'same' ? likeness : all.likeness,
        }
      }, first)
    )
  }

  /** The number of reviews from those exports that are not looked for, since the files do not have their products. */
  ofOtherProducts(): number {
    if (this.#files.hasSelection()) return 0
    return [...this.#absent.values()].filter(
      (review) => review.isOpen && this.#same.has(review.origin ?? '') && this.#files.isOfOtherProduct(review),
    ).length
  }

  #missingOf(origin: string): MissingReviews {
    const tables = this.#present.get(origin) ?? new Map<number, number>()
    const ids: string[] = []
    for (const review of this.#absent.values())
      if (review.origin === origin && review.isOpen && review.files.some((file) => tables.has(file)))
        ids.push(review.id)
    let among = ids.length
    for (const count of tables.values()) among += count
    return { ids, among, likeness: ids.length * 2 > among ? 'other' : ids.length * 3 > among ? 'part' : 'same' }
  }

  #take(review: EarlierReview): void {
    const { id, source, external_id, origin } = review
    const table = this.#files.tableOf(review)
    if (table !== undefined && isStableId(external_id)) this.#stored.add(keyOf(source, external_id))
    if (origin === null) return
    if (table === undefined) {
      if (this.#files.sources.has(source)) this.#absent.set(id, { ...review, files: this.#files.filesFor(review) })
      return
    }
    const tables = this.#present.get(origin) ?? new Map<number, number>()
    this.#present.set(origin, tables.set(table, (tables.get(table) ?? 0) + 1))
  }

  #matchOrigins(): void {
    const most = new Map<number, number>()
    for (const [origin, tables] of this.#present) {
      if (this.#missingOf(origin).likeness === 'other') continue
      this.#same.add(origin)
      for (const [table, count] of tables) {
        if (count <= (most.get(table) ?? 0)) continue
        most.set(table, count)
        this.#origins.set(table, origin)
      }
    }
  }

  /** Loads earlier texts by authors of this import that it no longer contains. */
  async #readVersions(target: EarlierReviews): Promise<void> {
    const sought = [...this.#absent.values()].filter(
      (review) =>
        isStableId(review.external_id) && this.#files.hasAuthor(review) && this.#same.has(review.origin ?? ''),
    )
    for (let start = 0; start < sought.length; start += ROWS_PER_LOOK) {
      const page = sought.slice(start, start + ROWS_PER_LOOK)
      const texts = new Map((await target.textsOf(page.map(({ id }) => id))).map((text) => [text.id, text]))
      for (const review of page) {
        const text = texts.get(review.id)
        const key = keyOf(review.source, review.author_name ?? '')
        const versions = this.#versions.get(key) ?? []
        this.#versions.set(key, versions)
        if (text && versions.length < MOST_VERSIONS) versions.push(text)
      }
    }
  }

  #versionBefore({ review, table }: ImportRow): string | undefined {
    const { source, external_id, author_name, occurred_at: at, text } = review
    const key = keyOf(source, external_id)
    if (!isStableId(external_id) || author_name === ANONYMOUS || this.#stored.has(key)) return undefined
    const day = utcDay(at)
    // Some platforms date an edited review by the edit.
    const before =
      this.#replaced.get(key) ??
      this.#versions.get(keyOf(source, author_name))?.find(({ id, occurred_at: earlier, text: before }) => {
        const files = this.#absent.get(id)?.files
        if (!files || (utcDay(earlier) !== day && !(earlier < at && files.includes(table)))) return false
        return isSimilarText(before, text)
      })?.id
    if (before === undefined) return undefined
    this.#absent.delete(before)
    this.#replaced.set(key, before)
    return before
  }
}
