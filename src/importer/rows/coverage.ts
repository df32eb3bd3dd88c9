import { isStableId } from '../fields/external-id.ts'
import type { EarlierReview } from './earlier-imports.ts'
import type { ImportRow } from './row.ts'

/** Metadata that names one of several businesses: exports may end at another day for each of them. */
const PLACE = /^(?:place|location|business|branch|store|shop|hotel|property)(?:_id|_name)?$/
/** Metadata that names what is reviewed. */
const PRODUCT = /^(?:product_\w+|sku|handle|page_id|post_id)$/

/** From when on, and with which stars, the rows of one file are of one source and place. */
interface Span {
  from: number
  leastRating: number
  mostRating: number
  hasUnrated: boolean
  /** How often a row is of a later day than the one before it, and of an earlier one. */
  rises: number
  falls: number
  lastDay: number
}

const DAY_MS = 86_400_000
const ROUND = 10
/** Edited reviews stand where they were edited, so that some disorder is no choice. */
const DISORDER = 0.2

/** What a whole import holds: its reviews by their ids, and the days that each of its files tells about. */
export class Coverage {
  /** Keys of metadata by which a review is in a part of the import that ends at days of its own. */
  readonly names = new Set<string>()
  readonly sources = new Set<string>()
  from = Number.POSITIVE_INFINITY
  to = Number.NEGATIVE_INFINITY
  readonly #tables = new Map<string, number>()
  /** By source and place, then by file. */
  readonly #spans = new Map<string, Map<number, Span>>()
  /** The last time in each file: what an export holds it holds of all places up to the same day. */
  readonly #ends = new Map<number, number>()
  readonly #products = new Set<string>()
  /** Of rows whose ids are made. */
  readonly #authors = new Set<string>()
  readonly #rowsOf: readonly number[]

  /** Files with days that are not known: what else they should hold is not known either. */
  readonly #vague = new Set<number>()
  /** Files of skipped rows. */
  readonly #parts = new Set<number>()

  /** @param rowsOf how many rows each file has, those that are skipped among them */
  constructor(rowsOf: readonly number[]) {
    this.#rowsOf = rowsOf
  }

  add({ review, table, isApproximate, isOfPart }: ImportRow): void {
    const { source, external_id: id, author_name: author, rating = null, metadata = {} } = review
    const at = review.occurred_at.getTime()
    this.#tables.set(keyOf(source, id), table)
    if (isApproximate) {
      this.#vague.add(table)
      return
    }
    if (isOfPart) this.#parts.add(table)
    this.sources.add(source)
    if (isStableId(id)) this.#authors.add(keyOf(source, author))
    this.from = Math.min(this.from, at)
    this.to = Math.max(this.to, at)
    this.#ends.set(table, Math.max(this.#ends.get(table) ?? at, at))
    const named = Object.entries(metadata).filter(([name]) => PLACE.test(name) || PRODUCT.test(name))
    for (const [name, value] of named) {
      this.names.add(name)
      if (PRODUCT.test(name)) this.#products.add(keyOf(name, value))
    }
    const key = spanKey(source, named)
    const spans = this.#spans.get(key) ?? new Map<number, Span>()
    const span = spans.get(table)
    const day = Math.floor(at / DAY_MS)
    const rated = rating === null ? { least: 5, most: 1 } : { least: rating, most: rating }
    this.#spans.set(key, spans)
    spans.set(table, {
      from: Math.min(span?.from ?? at, at),
      leastRating: Math.min(span?.leastRating ?? 5, rated.least),
      mostRating: Math.max(span?.mostRating ?? 1, rated.most),
      hasUnrated: rating === null || (span?.hasUnrated ?? false),
      rises: (span?.rises ?? 0) + Number(span !== undefined && day > span.lastDay),
      falls: (span?.falls ?? 0) + Number(span !== undefined && day < span.lastDay),
      lastDay: day,
    })
  }

  /** The file that holds a review, by its number. */
  tableOf({ source, external_id: id }: Pick<EarlierReview, 'source' | 'external_id'>): number | undefined {
    return this.#tables.get(keyOf(source, id))
  }

  /** Whether there are rows without a vendor's id by the author of a review. */
  hasAuthor({ source, author_name: author }: EarlierReview): boolean {
    return author !== null && this.#authors.has(keyOf(source, author))
  }

  /**
   * The files that would hold a review, if its vendor still had it. Of the first day that a file tells about it may hold only
   * some, since exports are limited to the newest so many.
   */
  filesFor({ source, occurred_at: at, rating, names }: EarlierReview): number[] {
    const named = [...this.names].flatMap((name, place): [string, string][] => {
      const value = names[place]
      return value ? [[name, value]] : []
    })
    if (named.some(([name, value]) => PRODUCT.test(name) && !this.#products.has(keyOf(name, value)))) return []
    const found: number[] = []
    for (const [table, span] of this.#spans.get(spanKey(source, named)) ?? []) {
      if (this.#isSelection(table, span) || at.getTime() <= span.from || at.getTime() > (this.#ends.get(table) ?? 0))
        continue
      if (rating === null ? span.hasUnrated : rating >= span.leastRating && rating <= span.mostRating) found.push(table)
    }
    return found
  }

  /** Whether days of any of the files were counted back or given. */
  hasVagueDays(): boolean {
    return this.#vague.size > 0
  }

  /** Whether any of the files seems to hold a choice of its reviews. */
  hasSelection(): boolean {
    return (
      this.hasVagueDays() ||
      [...this.#spans.values()].some((spans) => [...spans].some((span) => this.#isSelection(...span)))
    )
  }

  /** The so many "most relevant" reviews, of which others are chosen next time: a round number, in no order of time. */
  #isSelection(table: number, { rises, falls }: Span): boolean {
    if (this.#vague.has(table) || this.#parts.has(table)) return true
    return (this.#rowsOf[table] ?? 0) % ROUND === 0 && Math.min(rises, falls) > (rises + falls) * DISORDER
  }
}

function spanKey(source: string, named: readonly [string, string][]): string {
  const places = named.filter(([name]) => PLACE.test(name)).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([source, places])
}

/** Neither sources nor keys of metadata hold a line break. */
export function keyOf(first: string, second: string): string {
  return `${first}\n${second}`
}
