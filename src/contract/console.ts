import type { Finding } from './diagnosis.ts'

/** What the routes of the console answer to its page, which is of the same version: no interface for others. */

export interface ConsoleHealth {
  reviews: { live: number; test: number; limit: number }
  queue: { waiting: number; set_aside: number }
  /** Uncached queries of this month (UTC). */
  quota: { used: number; limit: number }
  /** For the operator only. */
  search_memory?: { bytes: number; budget: number; excerpts: number } | null
  findings?: Finding[]
}
