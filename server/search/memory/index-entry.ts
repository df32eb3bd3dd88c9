import type { Pool, Sql } from '../../deps.ts'
import {
  changesSince,
  eachSearchRow,
  environmentRevision,
  nextRowRange,
  type RowRange,
  searchRowsOf,
} from '../../sql/excerpts/search-rows.ts'
import type { Scope } from '../../sql/scope.ts'
import { uuidBytes } from '../../sql/uuid.ts'
import type { ExcerptTable } from './excerpt-table.ts'
import { ReadWriteLock } from './read-write-lock.ts'

/** Pages read concurrently: the database produces some while another is being stored. */
const MOST_PAGES = 4
/**
 * Of the pool's connections, to leave some for searches: 100,000 reviews load in 4.8 s with four pages, in 5.4 s with two.
 */
const SHARE_OF_POOL = 0.4
/** Reviews read by one statement when an index catches up. */
const PAGE_REVIEWS = 100
/** Reviews updated one by one; beyond this the index is reloaded. */
const MAX_TOUCHED = 2_000
const ANY_NUMBER = 1_000_000_000

/** The index of one environment and its state. */
export class IndexEntry {
  readonly key: string
  readonly scope: Scope
  readonly lock = new ReadWriteLock()
  /** When its environment was searched before the search that began the load. */
  readonly askedBefore: number
  /** When it was last searched. */
  usedAt = performance.now()
  state: 'loading' | 'ready' | 'refused' | 'gone' = 'loading'
  /** Its load, once it has begun. */
  loading: Promise<void> | undefined
  table: ExcerptTable
  /** As returned by `environmentRevision`. */
  revision = ''
  refusedAt = 0
  /** Reviews have been removed whose new rows are not read yet. */
  incomplete = false

  constructor(scope: Scope, table: ExcerptTable, askedBefore: number) {
    this.askedBefore = askedBefore
    this.key = keyOf(scope)
    this.scope = scope
    this.table = table
  }

  /**
   * Reads the environment page by page.
   * @param pageRows excerpts read by one statement; they are stored as they arrive
   * @param shouldContinue called after each page
   * @returns `gone` when the environment does not exist
   */
  async load(
    sql: Pool,
    pageRows: number,
    shouldContinue: () => Promise<boolean>,
  ): Promise<'loaded' | 'stopped' | 'gone'> {
    // Read before the first row, so that anything that changes during the load is read again.
    const revision = await environmentRevision(sql, this.scope)
    if (revision === undefined) return 'gone'
    const pages = new Pages(sql, this.scope, pageRows)
    let goesOn = true
    const readPages = async () => {
      try {
        for (let page = await pages.next(); page && goesOn; page = await pages.next()) {
          await eachSearchRow(sql, this.scope, page, (row) => this.table.append(row))
          if (!(await shouldContinue())) goesOn = false
        }
      } catch (error) {
        goesOn = false
        throw error
      }
    }
    // Waits for all of them before anyone else uses the table.
    const length = Math.max(1, Math.min(MOST_PAGES, Math.floor(sql.options.max * SHARE_OF_POOL)))
    const readers = await Promise.allSettled(Array.from({ length }, readPages))
    for (const reader of readers) if (reader.status === 'rejected') throw reader.reason
    if (!goesOn) return 'stopped'
    this.revision = revision
    // Indexing at full speed changes more in the meantime than a search would catch up with: without this, the index
    // would be reloaded again and again.
    await this.catchUp(sql, ANY_NUMBER)
    return 'loaded'
  }

  /** Reads what changed since its revision; nobody searches meanwhile. @returns false when the index must be reloaded */
  async catchUp(sql: Sql, most = MAX_TOUCHED): Promise<boolean> {
    const changes = await changesSince(sql, this.scope, this.revision, most)
    if (!changes) return false
    const { reviewIds } = changes
    this.incomplete = reviewIds.length > 0
    for (let at = 0; at < reviewIds.length; at += PAGE_REVIEWS) {
      const some = reviewIds.slice(at, at + PAGE_REVIEWS)
      this.table.remove(some.map(uuidBytes))
      for (const row of await searchRowsOf(sql, this.scope, some)) this.table.append(row)
    }
    this.incomplete = false
    this.revision = changes.revision
    return true
  }
}

/** The pages of an environment, each given to one reader. */
class Pages {
  readonly #sql: Pool
  readonly #scope: Scope
  readonly #rows: number
  #last: Promise<RowRange | undefined> | undefined

  constructor(sql: Pool, scope: Scope, rows: number) {
    this.#sql = sql
    this.#scope = scope
    this.#rows = rows
  }

  next(): Promise<RowRange | undefined> {
    const before = this.#last
    this.#last = this.#after(before)
    return this.#last
  }

  async #after(before: Promise<RowRange | undefined> | undefined): Promise<RowRange | undefined> {
    const range = before && (await before)
    if (before && !range) return undefined
    return nextRowRange(this.#sql, this.#scope, range ?? null, this.#rows)
  }
}

export function keyOf({ projectId, env, modelId }: Scope): string {
  return `${projectId}/${env}/${modelId}`
}
