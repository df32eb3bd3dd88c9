import { setTimeout as sleep } from 'node:timers/promises'
import type { Log, Pool, Sql } from '../deps.ts'
import { recentlyUsed } from '../recently-used.ts'
import { Bulkhead, inBulkhead } from './bulkhead.ts'
import { type ClusterServer, clusterServers, isDistributed, serverOfProject } from './cluster.ts'
import { poolControl } from './pool-control.ts'

/**
 * Shares of a pool's connections that may wait for one server, and for all servers: of ten connections, two are left for
 * others.
 */
const SHARE_OF_SERVER = 0.6
const SHARE_OF_ALL = 0.2
/** A statement this slow triggers a check of its server. */
const SLOW_MS = 2_000
/** A connection to a merely busy server takes less. */
const CONNECT_MS = 3_000
const ASK_AGAIN_MS = 1_000
/** A project may be moved, and a database distributed, while servers are running. */
const PLACE_MS = 30_000
const PROJECTS = 10_000

/** For tests, which do not wait as long. */
export interface WatchTimes {
  slowMs?: number
  connectMs?: number
}

/**
 * Keeps a cluster server that neither refuses nor answers (a network that drops packets, or a hang) from stalling everything.
 * The coordinator waits for it, even to cancel a statement that timed out, and each connection to the coordinator on which
 * that happens is lost until the server is back. So its share of the connections is limited, and once it is known not to
 * answer, requests to it fail at once and the pool is replaced.
 */
class ClusterWatch {
  readonly #pool: Pool
  readonly #log: Log
  readonly #times: Required<WatchTimes>
  readonly #most: number
  readonly #bulkheads = new Map<number, Bulkhead>()
  readonly #all: Bulkhead
  readonly #places = recentlyUsed<{ server: number | undefined }>(PROJECTS, { ttl: PLACE_MS })
  readonly #suspected = new Set<number>()
  #distributed: boolean
  readonly #looking: NodeJS.Timeout
  #stopped = false

  constructor(pool: Pool, log: Log, distributed: boolean, times: WatchTimes) {
    this.#pool = pool
    this.#log = log
    this.#distributed = distributed
    this.#times = { slowMs: SLOW_MS, connectMs: CONNECT_MS, ...times }
    this.#most = poolControl(pool)?.connections ?? 1
    const most = Math.max(1, Math.floor(this.#most * SHARE_OF_ALL))
    this.#all = new Bulkhead({ most, slowMs: this.#times.slowMs, onSlow: () => void this.#suspectAll() })
    this.#looking = setInterval(() => void this.#look(), PLACE_MS).unref()
  }

  get distributed(): boolean {
    return this.#distributed
  }

  async bulkheadOf(projectId: string): Promise<Bulkhead | undefined> {
    if (!this.#distributed) return undefined
    let place = this.#places.get(projectId)
    if (place === undefined) {
      place = { server: await serverOfProject(this.#pool, projectId) }
      this.#places.set(projectId, place)
    }
    return place.server === undefined ? undefined : this.#bulkhead(place.server)
  }

  bulkheadOfAll(): Bulkhead | undefined {
    return this.#distributed ? this.#all : undefined
  }

  bulkheadOfServer(server: number): Bulkhead | undefined {
    return this.#distributed ? this.#bulkhead(server) : undefined
  }

  stop(): void {
    this.#stopped = true
    clearInterval(this.#looking)
  }

  async #look(): Promise<void> {
    if (this.#distributed) return
    this.#distributed = await isDistributed(this.#pool).catch(() => false)
  }

  #bulkhead(server: number): Bulkhead {
    let bulkhead = this.#bulkheads.get(server)
    if (!bulkhead) {
      const most = Math.max(1, Math.floor(this.#most * SHARE_OF_SERVER))
      bulkhead = new Bulkhead({ most, slowMs: this.#times.slowMs, onSlow: () => void this.#suspect(server) })
      this.#bulkheads.set(server, bulkhead)
    }
    return bulkhead
  }

  async #suspectAll(): Promise<void> {
    for (const { server } of await this.#servers()) void this.#suspect(server)
  }

  async #suspect(server: number): Promise<void> {
    if (this.#suspected.has(server)) return
    this.#suspected.add(server)
    const bulkhead = this.#bulkhead(server)
    try {
      if ((await this.#answers(server)) !== false || this.#stopped) return
      bulkhead.close()
      this.#all.close()
      poolControl(this.#pool)?.renew()
      this.#log.warn({ server }, 'a server of the cluster is silent: its projects are answered 503, the others go on')
      do await sleep(ASK_AGAIN_MS, undefined, { ref: false })
      while (!this.#stopped && (await this.#answers(server)) !== true)
      bulkhead.open()
      if ([...this.#bulkheads.values()].every(({ closed }) => !closed)) this.#all.open()
      this.#log.info({ server }, 'the silent server of the cluster answers again')
    } finally {
      this.#suspected.delete(server)
    }
  }

  /** Uses a connection of its own, which may hang without harm. */
  async #servers(): Promise<ClusterServer[]> {
    return (await this.#asked((sql) => clusterServers(sql))) ?? []
  }

  /** @returns undefined when the coordinator does not answer */
  async #answers(server: number): Promise<boolean | undefined> {
    const { connectMs } = this.#times
    return this.#asked(async (sql) => {
      const found = (await clusterServers(sql)).find((one) => one.server === server)
      if (!found) return true
      return sql.begin(async (tx) => {
        await tx`select set_config('citus.node_connection_timeout', ${String(connectMs)}, true)`
        const [row] = await tx<
          { ok: boolean }[]
        >`select citus_check_connection_to_node(${found.host}, ${found.port}) as ok`
        return row?.ok
      })
    })
  }

  async #asked<T>(ask: (sql: Pool) => Promise<T>): Promise<T | undefined> {
    const sql = poolControl(this.#pool)?.another()
    if (!sql) return undefined
    const limit = sleep(2 * this.#times.connectMs, undefined, { ref: false })
    try {
      const answer = ask(sql).catch(() => undefined)
      return await Promise.race([answer, limit])
    } finally {
      void sql.end({ timeout: 0 })
    }
  }
}

const watches = new WeakMap<Sql, ClusterWatch>()

/** Starts to watch the servers of a pool's database; if it is not distributed, only whether it becomes so. */
export async function watchCluster(pool: Pool, log: Log, times: WatchTimes = {}): Promise<{ stop(): void }> {
  const watch = new ClusterWatch(pool, log, await isDistributed(pool), times)
  watches.set(pool, watch)
  return watch
}

/**
 * Runs work on rows of the installation and of projects: as a whole when all are on one server, and on a cluster in parts, so
 * that a lost server only holds up its own projects.
 */
export function wholeOrInParts<T>(pool: Sql, work: { whole(): Promise<T>; inParts(): Promise<T> }): Promise<T> {
  return watches.get(pool)?.distributed ? work.inParts() : work.whole()
}

/**
 * Runs work on rows of a project, whose statements fail at once while the project's server does not respond.
 * @param pool the pool of these statements and transactions
 */
export async function onServerOf<T>(pool: Sql, projectId: string, work: () => Promise<T>): Promise<T> {
  const bulkhead = await watches.get(pool)?.bulkheadOf(projectId)
  return bulkhead ? inBulkhead(bulkhead, work) : work()
}

/** Runs work on rows of projects that are all on one server, by its number from `projectsByServer`. */
export function onServer<T>(pool: Sql, server: number, work: () => Promise<T>): Promise<T> {
  const bulkhead = watches.get(pool)?.bulkheadOfServer(server)
  return bulkhead ? inBulkhead(bulkhead, work) : work()
}

/** Runs work that asks every server, whose statements fail at once while one of them does not respond. */
export function onAllServers<T>(pool: Sql, work: () => Promise<T>): Promise<T> {
  const bulkhead = watches.get(pool)?.bulkheadOfAll()
  return bulkhead ? inBulkhead(bulkhead, work) : work()
}
