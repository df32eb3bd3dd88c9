import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../../src/contract/code-of.ts'
import { projectsByServer } from '../db/cluster.ts'
import { isServerOfClusterLost } from '../db/unavailable.ts'
import type { Log, Sql } from '../deps.ts'
import { describeError } from '../describe-error.ts'
import { type DueProject, dueProjects } from '../sql/queue/due.ts'

/** A server that says neither yes nor no is not waited for any longer. */
const SILENT_MS = 2_000
const STATEMENT_TIMEOUT = '57014'

/**
 * Which projects have due jobs. Asked of all servers of a cluster at once, which fails as a whole when one of them is
 * lost; from then on each is asked by itself, until all answer again, so that the others' projects go on.
 */
export class DueLook {
  readonly #sql: Sql
  readonly #log: Log
  #apart = false
  /** Servers that were asked and have not answered yet. */
  readonly #silent = new Set<number>()

  constructor(sql: Sql, log: Log) {
    this.#sql = sql
    this.#log = log
  }

  /** A claim found a server gone: what the next look asks, it asks each by itself. */
  serverLost(): void {
    this.#apart = true
  }

  /** @throws what the database throws when none of its servers answers */
  async due(): Promise<DueProject[]> {
    if (this.#apart) return this.#askApart()
    try {
      return await dueProjects(this.#sql)
    } catch (error) {
      if (!isServerOfClusterLost(error) && codeOf(error) !== STATEMENT_TIMEOUT) throw error
      return this.#askApart(error)
    }
  }

  async #askApart(cause?: unknown): Promise<DueProject[]> {
    const servers = await projectsByServer(this.#sql)
    if (servers.size === 0 && cause !== undefined) throw cause
    const found: DueProject[] = []
    const lost: unknown[] = []
    await Promise.all(
      [...servers].map(async ([server, ids]) => {
        try {
          found.push(...(await this.#ask(server, ids)))
        } catch (error) {
          if (!isServerOfClusterLost(error)) throw error
          lost.push(error)
        }
      }),
    )
    if (lost.length > 0 && lost.length === servers.size) throw lost[0]
    if (lost.length > 0 && !this.#apart) {
      const fields = { servers: lost.length, error: describeError(lost[0]) }
      this.#log.warn(fields, 'a server of the cluster is lost: its reviews wait, those of the others are indexed')
    }
    if (lost.length === 0 && this.#apart) this.#log.info({}, 'every server of the cluster answers again')
    this.#apart = lost.length > 0
    return found
  }

  async #ask(server: number, ids: string[]): Promise<DueProject[]> {
    if (this.#silent.has(server)) throw new ServerSilent()
    this.#silent.add(server)
    const answer = dueProjects(this.#sql, ids).finally(() => this.#silent.delete(server))
    const silence = new AbortController()
    try {
      return await Promise.race([answer, sleep(SILENT_MS, undefined, { signal: silence.signal }).then(fail)])
    } finally {
      silence.abort()
    }
  }
}

function fail(): never {
  throw new ServerSilent()
}

/** As {@link isServerOfClusterLost} knows a server that is gone. */
class ServerSilent extends Error {
  readonly code = '08006'
  readonly severity = 'ERROR'

  constructor() {
    super('A server of the cluster does not answer')
  }
}
