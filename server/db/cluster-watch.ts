import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Log, Pool, Sql } from '../deps.ts'
import { type ClusterServer, clusterServers, isDistributed, serverOfProject } from './cluster.ts'
import { inLane, Lane } from './lane.ts'
import { poolControl } from './resilient-pool.ts'

/** Of the connections of a pool, those that may wait for one server, and for all: with the ten of a server, two are left for others. */
const SHARE_OF_SERVER = 0.6
const SHARE_OF_ALL = 0.2
/** What takes longer makes us ask whether its server answers. */
const SLOW_MS = 2_000
/** A connection to a server that is no more than busy takes less. */
const CONNECT_MS = 3_000
const ASK_AGAIN_MS = 1_000
/** A project may be moved, and a database be distributed, under servers that run. */
const PLACE_MS = 30_000
const PROJECTS = 10_000

/** For tests, which do not wait so long. */
export interface WatchTimes {
  slowMs?: number
  connectMs?: number
}

/**
 * Keeps a server of a cluster that refuses nothing and answers nothing (its network swallows packets, or it hangs) from taking
 * everything along. The coordinator waits for it, after a statement's time is over also to cancel it, and each connection to
 * the coordinator on which that happens is lost until the server is back. So its share of the connections is bounded, and
 * once it is known not to answer, what asks it fails at once and the pool is another.
 */
class ClusterWatch {
  readonly #pool: Pool
  readonly #log: Log
  readonly #times: Required<WatchTimes>
  readonly #most: number
  readonly #lanes = new Map<number, Lane>()
  readonly #all: Lane
  readonly #places = new LRUCache<string, { server: number | undefined }>({ max: PROJECTS, ttl: PLACE_MS })
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
    this.#all = new Lane({ most, slowMs: this.#times.slowMs, onSlow: () => void this.#suspectAll() })
    this.#looking = setInterval(() => void this.#look(), PLACE_MS).unref()
  }

  get distributed(): boolean {
    return this.#distributed
  }

  async laneOf(projectId: string): Promise<Lane | undefined> {
    if (!this.#distributed) return undefined
    let place = this.#places.get(projectId)
    if (place === undefined) {
      place = { server: await serverOfProject(this.#pool, projectId) }
      this.#places.set(projectId, place)
    }
    return place.server === undefined ? undefined : this.#lane(place.server)
  }

  laneOfAll(): Lane | undefined {
    return this.#distributed ? this.#all : undefined
  }

  laneOfServer(server: number): Lane | undefined {
    return this.#distributed ? this.#lane(server) : undefined
  }

  stop(): void {
    this.#stopped = true
    clearInterval(this.#looking)
  }

  async #look(): Promise<void> {
    if (this.#distributed) return
    this.#distributed = await isDistributed(this.#pool).catch(() => false)
  }

  #lane(server: number): Lane {
    let lane = this.#lanes.get(server)
    if (!lane) {
      const most = Math.max(1, Math.floor(this.#most * SHARE_OF_SERVER))
      lane = new Lane({ most, slowMs: this.#times.slowMs, onSlow: () => void this.#suspect(server) })
      this.#lanes.set(server, lane)
    }
    return lane
  }

  async #suspectAll(): Promise<void> {
    for (const { server } of await this.#servers()) void this.#suspect(server)
  }

  async #suspect(server: number): Promise<void> {
    if (this.#suspected.has(server)) return
    this.#suspected.add(server)
    const lane = this.#lane(server)
    try {
      if ((await this.#answers(server)) !== false || this.#stopped) return
      lane.close()
      this.#all.close()
      poolControl(this.#pool)?.renew()
      this.#log.warn({ server }, 'a server of the cluster is silent: its projects are answered 503, the others go on')
      do await sleep(ASK_AGAIN_MS, undefined, { ref: false })
      while (!this.#stopped && (await this.#answers(server)) !== true)
      lane.open()
      if ([...this.#lanes.values()].every(({ closed }) => !closed)) this.#all.open()
      this.#log.info({ server }, 'the silent server of the cluster answers again')
    } finally {
      this.#suspected.delete(server)
    }
  }

  /** Asked by a connection of its own, which nobody misses when it hangs. */
  async #servers(): Promise<ClusterServer[]> {
    return (await this.#asked((sql) => clusterServers(sql))) ?? []
  }

  /** @returns undefined when the coordinator does not tell */
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

/** Begins to watch the servers of a pool's database; of one that is not distributed nothing but whether it becomes so. */
export async function watchCluster(pool: Pool, log: Log, times: WatchTimes = {}): Promise<{ stop(): void }> {
  const watch = new ClusterWatch(pool, log, await isDistributed(pool), times)
  watches.set(pool, watch)
  return watch
}

/**
 * Work on rows of the installation and of projects: in one piece where all of them lie on one server, and on a cluster in
 * parts, so that a server that is lost keeps only its own projects waiting.
 */
export function wholeOrInParts<T>(pool: Sql, work: { whole(): Promise<T>; inParts(): Promise<T> }): Promise<T> {
  return watches.get(pool)?.distributed ? work.inParts() : work.whole()
}

/**
 * Work on rows of a project: its statements fail at once while the project's server is silent.
 *
 * @param pool whose statements and transactions these are
 */
export async function onServerOf<T>(pool: Sql, projectId: string, work: () => Promise<T>): Promise<T> {
  const lane = await watches.get(pool)?.laneOf(projectId)
  return lane ? inLane(lane, work) : work()
}

/** Work on rows of projects that all lie on one server, by the number that `projectsByServer` gave. */
export function onServer<T>(pool: Sql, server: number, work: () => Promise<T>): Promise<T> {
  const lane = watches.get(pool)?.laneOfServer(server)
  return lane ? inLane(lane, work) : work()
}

/** Work that asks every server: its statements fail at once while one of them is silent. */
export function onAllServers<T>(pool: Sql, work: () => Promise<T>): Promise<T> {
  const lane = watches.get(pool)?.laneOfAll()
  return lane ? inLane(lane, work) : work()
}
