import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import type { Source } from '../../contract/review.ts'
import { ANONYMOUS } from '../fields/author.ts'
import { utcDay } from '../fields/date.ts'
import { isStableId } from '../fields/external-id.ts'
import { isSimilarText } from '../fields/similar-text.ts'
import { Coverage, keyOf } from './coverage.ts'
import type { ImportRow } from './row.ts'
import type { BatchedImport } from './summary.ts'

/** A stored review, as far as it takes to tell whether a newer export still holds it. */
export interface EarlierReview {
  id: string
  source: Source
  external_id: string
  author_name: string | null
  occurred_at: Date
  rating: number | null
  /** The export that it came with; null for what was pushed. */
  origin: string | null
  /** Its metadata by the keys that were asked for. */
  names: (string | null)[]
  /** Shown, and nobody said so by hand. */
  isOpen: boolean
}

/** A review that is not in the files, and those of them that would hold it if its vendor still had it. */
type AbsentReview = EarlierReview & { files: number[] }

/** A stored review, as far as a person needs to recognise it. */
export interface EarlierText {
  id: string
  author_name: string | null
  occurred_at: Date
  text: string
}

/** Where the reviews of earlier imports are looked up. */
export interface EarlierReviews {
  /** The stored reviews of a time, the newest first, a page at a time. */
  storedBetween(from: Date, to: Date, names: readonly string[]): AsyncIterable<readonly EarlierReview[]>
  textsOf(ids: readonly string[]): Promise<EarlierText[]>
  /** How many stored reviews of these exports are later than a time. */
  countLater(than: Date, origins: readonly string[]): Promise<number>
}

/** The reviews of earlier imports of the same export that are not in this one any more. */
export interface MissingReviews {
  /** The newest first. */
  ids: string[]
  /** Stored reviews that they were looked for among. */
  among: number
  /** `part`: more than a third is missing, so that the files seem to hold a part only; `other`: more than half. */
  likeness: 'same' | 'part' | 'other'
}

const OWN_FORMAT = 'pullquote'
const ROWS_PER_LOOK = 500
/** Versions of one author that a row is compared with. */
const MOST_VERSIONS = 20

/**
 * What earlier imports of the same export brought, beside what the files hold now. Exports are the same when they share
 * reviews: names of files change from month to month, and two branches may have the same format. A new file takes the
 * origin of which it holds the most; one that holds less than half of what is stored of it in its own days is another.
 */
export class EarlierImports {
  readonly #files: Coverage
  /** By origin, how many of its reviews each file holds. */
  readonly #present = new Map<string, Map<number, number>>()
  /** The rows with made ids that are stored. */
  readonly #stored = new Set<string>()
  /** Stored reviews that came with some export and are not in the files, by their ids. */
  readonly #absent = new Map<string, AbsentReview>()
  /** Origins of which the files hold half or more of what they would hold, and with which export each file comes. */
  readonly #same = new Set<string>()
  readonly #origins = new Map<number, string>()
  /** Absent texts by their authors, and rows by the stored reviews that they replace. */
  readonly #versions = new Map<string, EarlierText[]>()
  readonly #replaced = new Map<string, string>()
  /** Reviews that earlier imports of the same export brought and that are later than all of the files'. */
  later: { count: number; than: Date } | undefined
  /** Our own exports hold reviews of any vendor. */
  readonly #isOwn: readonly boolean[]

  private constructor(files: Coverage, isOwn: readonly boolean[]) {
    this.#files = files
    this.#isOwn = isOwn
  }

  /** Looks through the rows of an import, and through what is stored of their days. */
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
    // From the beginning of the first day, of which an edited review may be.
    const from = new Date(`${utcDay(new Date(files.from))}T00:00:00Z`)
    for await (const page of target.storedBetween(from, new Date(files.to), [...files.names])) {
      signal?.throwIfAborted()
      for (const review of page) earlier.#take(review)
    }
    earlier.#recognise()
    await earlier.#readVersions(target)
    const than = new Date(files.to)
    const isWhole = earlier.#same.size > 0 && !files.hasSelection()
    const count = isWhole ? await target.countLater(than, [...earlier.#same]) : 0
    if (count > 0) earlier.later = { count, than }
    return earlier
  }

  /** Says of a row with which export it comes, and which stored review it is a later version of. */
  place(row: ImportRow): void {
    if (this.#isOwn[row.table] || row.isApproximate) return
    const origin = this.#origins.get(row.table) ?? randomUUID()
    this.#origins.set(row.table, origin)
    row.origin = origin
    row.replaces = this.#versionBefore(row)
  }

  /** That a stored review is in the files, though under another id. */
  found(id: string): void {
    this.#absent.delete(id)
  }

  /** Whether the files have days that are not known, or are of an earlier export and seem to hold a choice of its reviews. */
  isSelection(): boolean {
    return this.#files.hasVagueDays() || (this.#present.size > 0 && this.#files.hasSelection())
  }

  /** What is missing now of the exports that the files are newer versions of; undefined where they are of none. */
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

  #recognise(): void {
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

  /** Texts that authors of this import wrote before, which are not in it any more. */
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
    // The day of an edited review is that of the edit on some platforms.
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
