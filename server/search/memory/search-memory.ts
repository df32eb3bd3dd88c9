import type { SearchMemoryState } from '../../../src/contract/health.ts'
import { inBackground, whileBackground } from '../../db/turns.ts'
import { isConnectionLost } from '../../db/unavailable.ts'
import type { Log, Pool } from '../../deps.ts'
import { describeError } from '../../describe-error.ts'
import type { Embedder } from '../../embed/embedder.ts'
import { existingProjects } from '../../sql/excerpts/search-rows.ts'
import type { Scope } from '../../sql/scope.ts'
import type { CandidateQuery, Candidates } from '../candidates.ts'
import { ExcerptTable } from './excerpt-table.ts'
import { IndexEntry, keyOf } from './index-entry.ts'
import { Indexes } from './indexes.ts'
import { scanRequest } from './scan-request.ts'
import { ScanRunner } from './scan-runner.ts'
import { NotInt8 } from './stored-vectors.ts'

export interface SearchMemoryDeps {
  sql: Pool
  log: Log
  /** Bytes for all indexes together. */
  budget: number
  /** Length of the vectors. */
  dimensions: number
  /** How many of the last components are read first; default all. */
  decisive?: Embedder['decisive']
  /** Default: one per processor. */
  threads?: number
  /** Bytes of vectors above which a search runs on another thread; default about a millisecond's worth. */
  inlineBytes?: number
  /** Excerpts that one statement of a load reads; default 2,000, of the embedded database 500. */
  pageRows?: number
  /** How often to look for projects that another server deleted; default half a minute. */
  deletedCheckMs?: number
}

/** Loads that may queue. Beyond this the database answers and no load is begun. */
const MOST_WAITING = 8
/** How long an environment that does not fit is not retried. */
const REFUSED_MS = 300_000
const DELETED_CHECK_MS = 30_000
/** Thirty milliseconds of database time. For 4,000 PostgreSQL chose a plan with two processes, which took a fifth longer. */
const PAGE_ROWS = 2_000
/** The embedded database has one connection, for which searches wait meanwhile: a page of 2,000 held it for 60 to 90 ms. */
const EMBEDDED_PAGE_ROWS = 500

/**
 * In-memory indexes that answer searches, while the database remains the source of truth. Within a memory budget, the
 * least recently searched environment makes room for one that was searched twice since.
 */
export class SearchMemory {
  readonly #deps: SearchMemoryDeps
  readonly #indexes: Indexes
  readonly #look: NodeJS.Timeout
  readonly #isEmbedded: boolean
  #runner: ScanRunner | undefined
  #loads: Promise<void> = Promise.resolve()
  #waiting = 0
  #stopped = false

  constructor(deps: SearchMemoryDeps) {
    this.#deps = deps
    this.#isEmbedded = deps.sql.options.max === 1
    this.#indexes = new Indexes(deps.budget)
    this.#look = setInterval(() => void this.#forgetDeleted(), deps.deletedCheckMs ?? DELETED_CHECK_MS).unref()
  }

  /**
   * What `findCandidates` in sql/find-candidates.ts returns for the environment at `revision` or later.
   * @returns undefined when the database must answer: the index is still loading, does not fit into the budget, or its thread
   * ended
   */
  async find(scope: Scope, revision: string, query: CandidateQuery): Promise<Candidates | undefined> {
    const entry = this.#entryOf(scope)
    // The database would read as much in one statement, for which everyone else waits: 5 to 8 s for 100,000 reviews.
    if (entry?.state === 'loading' && this.#isEmbedded && entry.loading)
      await whileBackground(this.#deps.sql, entry.loading)
    if (entry?.state !== 'ready') return undefined
    if (entry.revision !== revision && !(await this.#catchUp(entry, revision))) return undefined
    return entry.lock.read(async () => {
      if (entry.state !== 'ready') return undefined
      return this.#startedRunner().find(scanRequest(entry.table, query))
    })
  }

  /**
   * The text-search configurations of an environment's excerpts at a revision or later; undefined when it is not in memory.
   * An index that is behind catches up first, so a query after a write waits for nothing that it would not wait for anyway.
   */
  async configs(scope: Scope, revision: string): Promise<readonly string[] | undefined> {
    const entry = this.#indexes.get(keyOf(scope))
    if (entry?.state !== 'ready') return undefined
    if (entry.revision !== revision && !(await this.#catchUp(entry, revision))) return undefined
    // Another request may be halfway through catching up.
    return entry.state === 'ready' && !entry.incomplete ? entry.table.usedConfigs : undefined
  }

  /** Begins to load an environment before anyone searches it. */
  load(scope: Scope): void {
    this.#entryOf(scope)
  }

  /** Drops a deleted project at once. */
  forget(projectId: string): void {
    for (const entry of this.#indexes.all()) if (entry.scope.projectId === projectId) void this.#indexes.evict(entry)
  }

  state(): SearchMemoryState {
    const entries = this.#indexes.all()
    const count = (state: IndexEntry['state']) => entries.filter((entry) => entry.state === state).length
    const threads = this.#runner?.threads
    return {
      budget: this.#deps.budget,
      bytes: this.#indexes.bytes,
      loaded: count('ready'),
      loading: count('loading'),
      refused: count('refused') + this.#indexes.withoutRoom,
      excerpts: entries.reduce((sum, { table }) => sum + table.size, 0),
      threads: threads?.running ?? 0,
      threads_lost: threads?.lost ?? 0,
      inline: this.#runner?.inline ?? 0,
      threaded: threads?.scans ?? 0,
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#look)
    this.#indexes.clear()
    await this.#runner?.threads.stop()
  }

  /** The environment's entry, made the most recently used. If there is none, starts a load when it is worth the room. */
  #entryOf(scope: Scope): IndexEntry | undefined {
    const key = keyOf(scope)
    const asked = this.#indexes.use(key)
    const known = this.#indexes.get(key)
    const isTriedAgain = known?.state === 'refused' && performance.now() - known.refusedAt > REFUSED_MS
    if (known && !isTriedAgain) return known
    if (this.#stopped || this.#waiting >= MOST_WAITING || !this.#indexes.isWorthItsRoom(key, asked)) return undefined
    let entry: IndexEntry
    try {
      entry = new IndexEntry(scope, this.#newTable(), asked.before)
    } catch (error) {
      const message = 'there is no memory for an index; searches go to the database'
      this.#deps.log.warn({ error: describeError(error) }, message)
      this.#stopped = true
      return undefined
    }
    this.#indexes.add(entry)
    const load = () => (entry.loading = this.#load(entry))
    this.#loads = (this.#waiting === 0 ? load() : this.#loads.then(load)).finally(() => this.#waiting--)
    this.#waiting++
    return entry
  }

  async #load(entry: IndexEntry): Promise<void> {
    const { sql, log } = this.#deps
    const pageRows = this.#deps.pageRows ?? (this.#isEmbedded ? EMBEDDED_PAGE_ROWS : PAGE_ROWS)
    const started = performance.now()
    let fits = true
    const shouldContinue = async () => {
      if (this.#stopped || entry.state !== 'loading') return false
      if (!(await this.#indexes.evictUntilFits(entry, entry.askedBefore))) fits = false
      return fits
    }
    try {
      const done = await entry.load(inBackground(sql), pageRows, shouldContinue)
      if (entry.state !== 'loading') await this.#indexes.evict(entry)
      else if (entry.table.bytes > this.#deps.budget)
        this.#refuse(entry, 'it does not fit into PULLQUOTE_SEARCH_MEMORY')
      else if (done !== 'loaded') {
        if (!fits) this.#indexes.takes(entry, false)
        await this.#indexes.evict(entry)
      } else {
        entry.state = 'ready'
        this.#indexes.takes(entry, true)
        const ms = Math.round(performance.now() - started)
        const fields = { project: entry.scope.projectId, excerpts: entry.table.size, ms }
        log.debug(fields, 'searches of a project from memory')
      }
    } catch (error) {
      if (error instanceof NotInt8 || error instanceof RangeError) this.#refuse(entry, error.message)
      else {
        // The next search retries. If the database is down, its own requests report that.
        await this.#indexes.evict(entry)
        const level = isConnectionLost(error) ? 'debug' : 'warn'
        const fields = { project: entry.scope.projectId, error: describeError(error) }
        log[level](fields, 'an index could not be loaded into memory; the database searches')
      }
    }
  }

  /** @returns whether the index is up to date; otherwise it is reloaded */
  async #catchUp(entry: IndexEntry, revision: string): Promise<boolean> {
    const followed = await entry.lock.write(async () => {
      if (entry.state !== 'ready') return 'not ready'
      // Another request was faster.
      if (entry.revision === revision) return 'done'
      try {
        return (await entry.catchUp(this.#deps.sql)) ? 'followed' : 'behind'
      } catch (error) {
        if (error instanceof NotInt8 || error instanceof RangeError) {
          this.#refuse(entry, error.message)
          return 'not ready'
        }
        if (entry.incomplete) void this.#indexes.evict(entry)
        throw error
      }
    })
    if (followed === 'done') return true
    if (followed === 'followed') {
      if (await this.#indexes.evictUntilFits(entry)) return true
      this.#refuse(entry, 'it does not fit into PULLQUOTE_SEARCH_MEMORY any more')
      return false
    }
    if (followed === 'behind') {
      void this.#indexes.evict(entry)
      this.#entryOf(entry.scope)
    }
    return false
  }

  #refuse(entry: IndexEntry, why: string): void {
    if (entry.state === 'gone') return
    entry.state = 'refused'
    entry.refusedAt = performance.now()
    const { table } = entry
    void entry.lock.write(() => table.free())
    entry.table = this.#newTable()
    this.#deps.log.warn({ project: entry.scope.projectId, why }, 'searches of a project go to the database')
  }

  async #forgetDeleted(): Promise<void> {
    const ids = new Set(this.#indexes.all().map(({ scope }) => scope.projectId))
    if (ids.size === 0) return
    // If the database is unavailable, the next round tries again.
    const there = await existingProjects(this.#deps.sql, [...ids]).catch(() => ids)
    for (const id of ids) if (!there.has(id)) this.forget(id)
  }

  /** @throws {RangeError} */
  #newTable(): ExcerptTable {
    const { dimensions, decisive } = this.#deps
    return new ExcerptTable(this.#startedRunner().allocator, dimensions, decisive)
  }

  /** Created by the first search. @throws {RangeError} */
  #startedRunner(): ScanRunner {
    this.#runner ??= new ScanRunner(this.#deps)
    return this.#runner
  }
}
