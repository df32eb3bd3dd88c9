import type { Log, Sql } from '../../deps.ts'
import { describeError } from '../../describe-error.ts'
import { changesSince, environmentRevision, searchRows } from '../../store/search-rows.ts'
import type { Policy } from '../policy.ts'
import type { Scope } from '../scope.ts'
import { ExcerptTable, NotInt8 } from './excerpt-table.ts'
import { type NearExcerpt, nearestExcerpts } from './nearest-excerpts.ts'

/** Vectors in this process's memory, from which searches are answered while the database stays the only truth. */
export interface SearchMemory {
  /**
   * The nearest excerpts as the environment is at `revision` or later.
   *
   * @returns `undefined` when memory cannot tell: the index is not loaded yet (it is being loaded then), does not fit into
   * the budget, or the policy asks for metadata. The database answers.
   */
  nearest(
    scope: Scope,
    revision: string,
    query: { vector: Float32Array; policy: Policy; farthest: number; limit: number },
  ): Promise<NearExcerpt[] | undefined>
  state(): MemoryState
  stop(): void
}

export interface MemoryState {
  budget: number
  bytes: number
  /** Environments whose index answers, those being loaded, and those that do not fit. */
  loaded: number
  loading: number
  refused: number
  excerpts: number
}

export interface SearchMemoryDeps {
  sql: Sql
  log: Log
  /** Bytes for all indexes together. */
  budget: number
  /** Length of the vectors. */
  dimensions: number
}

/** Excerpts that are read at a time: a millisecond or so of parsing. */
const PAGE_ROWS = 200
/** Reviews that are brought forward one by one; more, and the index is loaded anew. */
const MOST_TOUCHED = 5_000
/** Loads that may wait for each other. More, and the database answers without one being begun. */
const MOST_WAITING = 8
/** How long nothing is tried again for an environment that does not fit. */
const REFUSED_MS = 300_000

interface Entry {
  key: string
  scope: Scope
  state: 'loading' | 'ready' | 'refused'
  table: ExcerptTable
  revision: bigint
  refusedAt: number
  /** Searches and changes of a table follow one another. */
  turn: Promise<unknown>
}

/** A memory that answers within a budget: the environment least recently searched makes room. */
export function createSearchMemory(deps: SearchMemoryDeps): SearchMemory {
  return new Indexes(deps)
}

class Indexes implements SearchMemory {
  readonly #deps: SearchMemoryDeps
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>()
  #loads: Promise<void> = Promise.resolve()
  #waiting = 0
  #stopped = false

  constructor(deps: SearchMemoryDeps) {
    this.#deps = deps
  }

  async nearest(
    scope: Scope,
    revision: string,
    query: { vector: Float32Array; policy: Policy; farthest: number; limit: number },
  ): Promise<NearExcerpt[] | undefined> {
    if (query.policy.metadata.length > 0) return undefined
    const entry = this.#entryOf(scope)
    if (entry?.state !== 'ready') return undefined
    return inTurn(entry, async () => {
      if (entry.revision < BigInt(revision) && !(await this.#bringForward(entry))) return undefined
      if (entry.state !== 'ready') return undefined
      return nearestExcerpts(entry.table, query.vector, query.policy, query.farthest, query.limit)
    })
  }

  state(): MemoryState {
    const entries = [...this.#entries.values()]
    const count = (state: Entry['state']) => entries.filter((entry) => entry.state === state).length
    return {
      budget: this.#deps.budget,
      bytes: this.#bytes(),
      loaded: count('ready'),
      loading: count('loading'),
      refused: count('refused'),
      excerpts: entries.reduce((sum, { table }) => sum + table.excerpts - table.gone, 0),
    }
  }

  stop(): void {
    this.#stopped = true
    this.#entries.clear()
  }

  /** The environment's entry, now the most recently used; when there is none its load is begun. */
  #entryOf(scope: Scope): Entry | undefined {
    const key = `${scope.projectId}/${scope.env}/${scope.modelId}`
    const known = this.#entries.get(key)
    if (known && !(known.state === 'refused' && performance.now() - known.refusedAt > REFUSED_MS)) {
      this.#entries.delete(key)
      this.#entries.set(key, known)
      return known
    }
    if (this.#stopped || this.#waiting >= MOST_WAITING) return undefined
    const table = new ExcerptTable(this.#deps.dimensions)
    const entry: Entry = { key, scope, state: 'loading', table, revision: 0n, refusedAt: 0, turn: Promise.resolve() }
    this.#entries.set(key, entry)
    this.#waiting++
    this.#loads = this.#loads.then(() => this.#load(entry)).finally(() => this.#waiting--)
    return entry
  }

  async #load(entry: Entry): Promise<void> {
    const { sql, log } = this.#deps
    const { scope } = entry
    const started = performance.now()
    try {
      // Before the first row: what changes while the rows are read is read again.
      const revision = await environmentRevision(sql, scope.projectId, scope.env)
      if (revision === undefined) return this.#drop(entry)
      let after: { reviewId: string; ordinal: number } | undefined
      for (;;) {
        if (this.#stopped) return
        const rows = await searchRows(sql, scope, after, PAGE_ROWS)
        for (const row of rows) entry.table.append(row)
        if (!this.#makeRoom(entry)) return this.#refuse(entry, 'it does not fit into PULLQUOTE_SEARCH_MEMORY')
        after = rows.at(-1)
        if (rows.length < PAGE_ROWS) break
      }
      entry.revision = BigInt(revision)
      entry.state = 'ready'
      const ms = Math.round(performance.now() - started)
      log.debug({ project: scope.projectId, excerpts: entry.table.excerpts, ms }, 'searches of a project from memory')
    } catch (error) {
      if (error instanceof NotInt8 || error instanceof RangeError) this.#refuse(entry, error.message)
      else {
        // The database is away: the next search tries again.
        this.#drop(entry)
        log.debug({ error: describeError(error) }, 'an index could not be loaded into memory')
      }
    }
  }

  /** @returns whether the index is as the environment is now; else it is loaded anew */
  async #bringForward(entry: Entry): Promise<boolean> {
    const changes = await changesSince(this.#deps.sql, entry.scope, String(entry.revision), MOST_TOUCHED)
    try {
      if (changes) {
        entry.table.remove(changes.reviewIds)
        for (const row of changes.rows) entry.table.append(row)
        entry.table = entry.table.swept()
        entry.revision = BigInt(changes.revision)
        if (this.#makeRoom(entry)) return true
        this.#refuse(entry, 'it does not fit into PULLQUOTE_SEARCH_MEMORY any more')
        return false
      }
    } catch (error) {
      if (!(error instanceof NotInt8 || error instanceof RangeError)) throw error
      this.#refuse(entry, error.message)
      return false
    }
    this.#drop(entry)
    this.#entryOf(entry.scope)
    return false
  }

  /** Lets go of what was least recently used until all fits. @returns false when the entry alone is too large */
  #makeRoom(entry: Entry): boolean {
    for (const other of this.#entries.values()) {
      if (this.#bytes() <= this.#deps.budget) return true
      if (other !== entry && other.state === 'ready') this.#drop(other)
    }
    return this.#bytes() <= this.#deps.budget
  }

  #drop(entry: Entry): void {
    entry.state = 'loading'
    if (this.#entries.get(entry.key) === entry) this.#entries.delete(entry.key)
  }

  #refuse(entry: Entry, why: string): void {
    entry.state = 'refused'
    entry.refusedAt = performance.now()
    entry.table = new ExcerptTable(this.#deps.dimensions)
    this.#deps.log.warn({ project: entry.scope.projectId, why }, 'searches of a project go to the database')
  }

  #bytes(): number {
    let bytes = 0
    for (const { state, table } of this.#entries.values()) if (state !== 'refused') bytes += table.bytes
    return bytes
  }
}

function inTurn<T>(entry: Entry, work: () => Promise<T>): Promise<T> {
  const done = entry.turn.then(work)
  entry.turn = done.catch(() => {})
  return done
}
