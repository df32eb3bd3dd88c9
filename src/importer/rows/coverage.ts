import { DAY_MS } from '../../contract/timestamp.ts'
import { isStableId } from '../fields/external-id.ts'
import type { EarlierReview } from './earlier-imports.ts'
import type { ImportRow } from './row.ts'

/** Metadata that names one of several businesses, whose exports may end on different days. */
const PLACE = /^(?:place|location|business|branch|store|shop|hotel|property)(?:_id|_name)?$/
/** Metadata that names the reviewed product. */
const PRODUCT = /^(?:product_\w+|sku|handle|page_id|post_id)$/

/** The beginning, ratings and order of the rows of one file for one source and place. */
interface Span {
  from: number
  leastRating: number
  mostRating: number
  hasUnrated: boolean
  /** How often a row's day is later than the previous row's, and earlier. */
  rises: number
  falls: number
  lastDay: number
}

const ROUND = 10
/** Edited reviews are listed by the time of the edit, so some disorder does not prove a selection. */
const DISORDER = 0.2

/** The reviews of a whole import by id, and the period that each of its files covers. */
export class Coverage {
  /** Metadata keys that split the import into parts with periods of their own. */
  readonly names = new Set<string>()
  readonly sources = new Set<string>()
  from = Number.POSITIVE_INFINITY
  to = Number.NEGATIVE_INFINITY
  readonly #tables = new Map<string, number>()
  /** By source and place, then by file. */
  readonly #spans = new Map<string, Map<number, Span>>()
  /** The latest time in each file: an export covers all places up to the same time. */
  readonly #ends = new Map<number, number>()
  /** The places and products of the rows. */
  readonly #named = new Set<string>()
  /** Authors of rows with generated ids. */
  readonly #authors = new Set<string>()
  readonly #rowsOf: readonly number[]

  /** Files with unknown days, so that what else they should contain is unknown too. */
  readonly #vague = new Set<number>()
  /** Files with the skipped rows of an earlier import. */
  readonly #parts = new Set<number>()

  /** @param rowsOf row count of each file, including skipped rows */
  constructor(rowsOf: readonly number[]) {
    this.#rowsOf = rowsOf
  }

  add({ review, table, isApproximate, isFromErrorsCsv }: ImportRow): void {
    const { source, external_id: id, author_name: author, rating = null, metadata = {} } = review
    const at = review.occurred_at.getTime()
    this.#tables.set(keyOf(source, id), table)
    if (isApproximate) {
      this.#vague.add(table)
      return
    }
    if (isFromErrorsCsv) this.#parts.add(table)
    this.sources.add(source)
    if (isStableId(id)) this.#authors.add(keyOf(source, author))
    this.from = Math.min(this.from, at)
    this.to = Math.max(this.to, at)
    this.#ends.set(table, Math.max(this.#ends.get(table) ?? at, at))
    const named = Object.entries(metadata).filter(([name]) => PLACE.test(name) || PRODUCT.test(name))
    for (const [name, value] of named) {
      this.names.add(name)
      this.#named.add(keyOf(name, value))
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

  /** The number of the file that contains a review. */
  tableOf({ source, external_id: id }: Pick<EarlierReview, 'source' | 'external_id'>): number | undefined {
    return this.#tables.get(keyOf(source, id))
  }

  /** Whether any row without a vendor's id has the author of a review. */
  hasAuthor({ source, author_name: author }: EarlierReview): boolean {
    return author !== null && this.#authors.has(keyOf(source, author))
  }

  /**
   * The files that would contain a review if its vendor still had it. The earliest time in a file (the first day, when
   * dates have no time) is excluded, because exports limited to the newest reviews may contain only some from then.
   */
  filesFor({ source, occurred_at: at, rating, names }: EarlierReview): number[] {
    const named = this.#namesOf(names)
    if (named.some(([name, value]) => !this.#named.has(keyOf(name, value)))) return []
    const found: number[] = []
    for (const [table, span] of this.#spans.get(spanKey(source, named)) ?? []) {
      if (this.#isSelection(table, span) || at.getTime() <= span.from || at.getTime() > (this.#ends.get(table) ?? 0))
        continue
      if (rating === null ? span.hasUnrated : rating >= span.leastRating && rating <= span.mostRating) found.push(table)
    }
    return found
  }

  /** Whether no row has a product that a review names. */
  isOfOtherProduct({ names }: EarlierReview): boolean {
    return this.#namesOf(names).some(([name, value]) => PRODUCT.test(name) && !this.#named.has(keyOf(name, value)))
  }

  #namesOf(values: EarlierReview['names']): [string, string][] {
    return [...this.names].flatMap((name, place): [string, string][] => {
      const value = values[place]
      return value ? [[name, value]] : []
    })
  }

  /** Whether the days of any file were counted back or given. */
  hasUnknownDays(): boolean {
    return this.#vague.size > 0
  }

  /** Whether any file seems to be a selection of reviews. */
  hasSelection(): boolean {
    return (
      this.hasUnknownDays() ||
      [...this.#spans.values()].some((spans) => [...spans].some((span) => this.#isSelection(...span)))
    )
  }

  /**
   * Whether a file is a selection such as the "most relevant" reviews, which changes with every export: a round number
   * of rows, not in order of time.
   */
  #isSelection(table: number, { rises, falls }: Span): boolean {
    if (this.#vague.has(table) || this.#parts.has(table)) return true
    return (this.#rowsOf[table] ?? 0) % ROUND === 0 && Math.min(rises, falls) > (rises + falls) * DISORDER
  }
}

function spanKey(source: string, named: readonly [string, string][]): string {
  const places = named.filter(([name]) => PLACE.test(name)).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([source, places])
}

/** Sources and metadata keys never contain a line break. */
export function keyOf(first: string, second: string): string {
  return `${first}\n${second}`
}
