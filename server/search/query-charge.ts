import type { LRUCache } from 'lru-cache'
import { PLAN_LIMITS } from '../../src/contract/limits.ts'
import type { Log, Sql } from '../deps.ts'
import { recentlyUsed } from '../recently-used.ts'
import type { Project } from '../sql/projects/projects.ts'
import { type QueryCharge as Charged, chargeQuery, refundQuery } from '../sql/usage/query-usage.ts'
import type { WordForms } from './words.ts'

/** Ids of projects whose quota was just found to be used up: their next query is charged before anything else is done. */
export type ExhaustedQuotas = LRUCache<string, true>

const MOST_KNOWN = 10_000
const KNOWN_MS = 60_000

export const createExhaustedQuotas = (): ExhaustedQuotas => recentlyUsed(MOST_KNOWN, { ttl: KNOWN_MS })

/** The month's quota is used up, so the query is refused. */
export class QuotaExceeded extends Error {
  readonly code = 'query_quota_exceeded'
  readonly retryAfterSeconds: number
  constructor(retryAfterSeconds: number) {
    super("The month's quota is used up")
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The charge of one uncached query, made once however often `pay` is called. */
export class QueryCharge {
  readonly #deps: { sql: Sql; log: Log }
  readonly #project: Pick<Project, 'id' | 'plan'>
  readonly #exhausted: ExhaustedQuotas
  #paid: Promise<Charged<WordForms[]>> | undefined

  constructor(deps: { sql: Sql; log: Log }, project: Pick<Project, 'id' | 'plan'>, exhausted: ExhaustedQuotas) {
    this.#deps = deps
    this.#project = project
    this.#exhausted = exhausted
  }

  /** Whether the charge will probably be refused. */
  get isHopeless(): boolean {
    return this.#exhausted.has(this.#project.id)
  }

  /** @param beside another column of the same statement, on the first call @throws {QuotaExceeded} */
  async pay(beside?: Parameters<typeof chargeQuery<WordForms[]>>[3]): Promise<WordForms[]> {
    const { id, plan } = this.#project
    this.#paid ??= chargeQuery(this.#deps.sql, id, PLAN_LIMITS[plan].uncachedQueriesPerMonth, beside)
    const paid = await this.#paid
    if (paid.ok) return paid.beside ?? []
    this.#exhausted.set(id, true)
    throw new QuotaExceeded(paid.retryAfterSeconds)
  }

  /** Starts the charge, so that {@link pay} waits only for the rest of it. */
  begin(): void {
    // Reported to whoever awaits `pay`.
    this.pay().catch(() => {})
  }

  /** Refunds the charge, if it was made, of a query that failed. */
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
