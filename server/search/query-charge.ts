import { LRUCache } from 'lru-cache'
import { PLAN_LIMITS } from '../../src/contract/limits.ts'
import type { Log, Sql } from '../deps.ts'
import type { Project } from '../sql/projects/projects.ts'
import { type QueryCharge as Charged, chargeQuery, refundQuery } from '../sql/usage/query-usage.ts'
import type { WordForms } from './words.ts'

/** Projects whose quota was used up a moment ago, by their ids: their next query is charged before anything else is done. */
export type UsedUp = LRUCache<string, true>

const MOST_KNOWN = 10_000
const KNOWN_MS = 60_000

export const createUsedUp = (): UsedUp => new LRUCache({ max: MOST_KNOWN, ttl: KNOWN_MS })

/** The month's quota is spent: the query has no answer. */
export class QuotaUsedUp extends Error {
  readonly code = 'query_quota_exceeded'
  readonly retryAfterSeconds: number
  constructor(retryAfterSeconds: number) {
    super("The month's quota is used up")
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The charge of one uncached query, which is made once however often it is paid. */
export class QueryCharge {
  readonly #deps: { sql: Sql; log: Log }
  readonly #project: Pick<Project, 'id' | 'plan'>
  readonly #usedUp: UsedUp
  #paid: Promise<Charged<WordForms[]>> | undefined

  constructor(deps: { sql: Sql; log: Log }, project: Pick<Project, 'id' | 'plan'>, usedUp: UsedUp) {
    this.#deps = deps
    this.#project = project
    this.#usedUp = usedUp
  }

  /** Whether it will hardly be granted. */
  get isHopeless(): boolean {
    return this.#usedUp.has(this.#project.id)
  }

  /** @param beside is asked in the same statement, the first time @throws {QuotaUsedUp} */
  async pay(beside?: Parameters<typeof chargeQuery<WordForms[]>>[3]): Promise<WordForms[]> {
    const { id, plan } = this.#project
    this.#paid ??= chargeQuery(this.#deps.sql, id, PLAN_LIMITS[plan].uncachedQueriesPerMonth, beside)
    const paid = await this.#paid
    if (paid.ok) return paid.beside ?? []
    this.#usedUp.set(id, true)
    throw new QuotaUsedUp(paid.retryAfterSeconds)
  }

  /** Begins to pay: {@link pay} then waits for no more than what is left of it. */
  begin(): void {
    // Whoever pays hears of it.
    this.pay().catch(() => {})
  }

  /** Takes it back, if it was made: the query gave no answer. */
  async refund(): Promise<void> {
    const { sql, log } = this.#deps
    const { id } = this.#project
    const paid = await this.#paid?.catch(() => undefined)
    if (!paid?.ok) return
    await refundQuery(sql, id, paid.month).catch(() => {
      log.warn({ project: id }, 'a failed query could not be taken off the quota')
    })
  }
}
