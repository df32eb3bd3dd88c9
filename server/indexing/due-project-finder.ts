import { codeOf } from '../../src/contract/code-of.ts'
import { isServerOfClusterLost } from '../db/unavailable.ts'
import type { Log } from '../deps.ts'
import { describeError } from '../describe-error.ts'
import type { DueProject } from '../sql/queue/due.ts'

const STATEMENT_TIMEOUT = '57014'

/** Where to ask for due jobs. */
export interface DueSource {
  /** All servers of a cluster at once. */
  all(): Promise<DueProject[]>
  /** Which projects each server holds; empty without a cluster. */
  servers(): Promise<Map<number, string[]>>
  /** One server, and the projects on it. */
  one(server: number, projectIds: string[]): Promise<DueProject[]>
}

/**
 * Finds the projects with due jobs. Asks all servers of a cluster at once, which fails as a whole when one is lost; from then
 * on asks each one separately until all answer again, so that the other servers' projects carry on.
 */
export class DueProjectFinder {
  readonly #source: DueSource
  readonly #log: Log
  #apart = false

  constructor(source: DueSource, log: Log) {
    this.#source = source
    this.#log = log
  }

  /** A claim found a server lost: from now on each is asked separately. */
  serverLost(): void {
    this.#apart = true
  }

  /** @throws the database error when none of its servers answers */
  async due(): Promise<DueProject[]> {
    if (this.#apart) return this.#askApart()
    try {
      return await this.#source.all()
    } catch (error) {
      if (!isLost(error)) throw error
      return this.#askApart(error)
    }
  }

  async #askApart(cause?: unknown): Promise<DueProject[]> {
    const servers = await this.#source.servers()
    if (servers.size === 0 && cause !== undefined) throw cause
    const found: DueProject[] = []
    const lost: unknown[] = []
    await Promise.all(
      [...servers].map(async ([server, ids]) => {
        try {
          found.push(...(await this.#source.one(server, ids)))
        } catch (error) {
          if (!isLost(error)) throw error
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
}

/** Lost, or silent until the statement timeout. */
function isLost(error: unknown): boolean {
  return isServerOfClusterLost(error) || codeOf(error) === STATEMENT_TIMEOUT
}
