import type { Pool, Sql } from '../../deps.ts'
import {
  changesSince,
  eachSearchRow,
  environmentRevision,
  type RowPosition,
  searchRowsOf,
} from '../../sql/excerpts/search-rows.ts'
import type { Scope } from '../../sql/scope.ts'
import { uuidBytes } from '../../sql/uuid.ts'
import type { ExcerptTable } from './excerpt-table.ts'
import { ReadWriteLock } from './read-write-lock.ts'

/** Excerpts that are read by one statement, twenty milliseconds' work of the database; they are taken in as they arrive. */
const PAGE_ROWS = 1_000
/** Reviews whose rows are read by one statement when an index follows. */
const PAGE_REVIEWS = 100
/** Reviews that are brought forward one by one; more, and the index is loaded again. */
const MAX_TOUCHED = 2_000

/** The index of one environment, and how far it is. */
export class IndexEntry {
  readonly key: string
  readonly scope: Scope
  readonly lock = new ReadWriteLock()
  state: 'loading' | 'ready' | 'refused' | 'gone' = 'loading'
  table: ExcerptTable
  /** As `environmentRevision` tells it. */
  revision = ''
  refusedAt = 0
  /** Reviews are taken out whose rows are not read yet. */
  incomplete = false

  constructor(scope: Scope, table: ExcerptTable) {
    this.key = keyOf(scope)
    this.scope = scope
    this.table = table
  }

  /**
   * Reads the environment page by page.
   *
   * @param shouldContinue is asked after each page
   * @returns `gone` when there is no such environment
   */
  async load(sql: Pool, shouldContinue: () => Promise<boolean>): Promise<'loaded' | 'stopped' | 'gone'> {
    // Before the first row: what changes while the rows are read is read again.
    const revision = await environmentRevision(sql, this.scope)
    if (revision === undefined) return 'gone'
    let after: RowPosition | undefined
    do {
      after = await eachSearchRow(sql, this.scope, after, PAGE_ROWS, (row) => this.table.append(row))
      if (!(await shouldContinue())) return 'stopped'
    } while (after)
    this.revision = revision
    return 'loaded'
  }

  /** Reads what was touched since; nobody searches meanwhile. @returns false when it must be loaded again */
  async catchUp(sql: Sql): Promise<boolean> {
    const changes = await changesSince(sql, this.scope, this.revision, MAX_TOUCHED)
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

export function keyOf({ projectId, env, modelId }: Scope): string {
  return `${projectId}/${env}/${modelId}`
}
