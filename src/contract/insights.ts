import * as v from 'valibot'
import { INSIGHTS_DAYS, INSIGHTS_LIMIT } from './limits.ts'
import { environment } from './review.ts'
import { count, integerParameter } from './scalars.ts'

/** The query string of `GET /operator/insights`: this server's own route, outside `/v1`. */
export const insightsParameters = v.object({
  project: v.string(),
  env: v.optional(environment, 'live'),
  days: v.optional(integerParameter(INSIGHTS_DAYS), String(INSIGHTS_DAYS.default)),
  limit: v.optional(integerParameter(INSIGHTS_LIMIT), String(INSIGHTS_LIMIT.default)),
})

const counts = { query: v.string(), searches: count, empty: count, fallbacks: count }

/** Response of `GET /operator/insights`. */
export const insightsResponse = v.object({
  project: v.string(),
  env: environment,
  days: count,
  counting: v.boolean(),
  floor: v.number(),
  totals: v.object({ searches: count, empty: count, fallbacks: count, queries: count }),
  top: v.array(v.object(counts)),
  /** Queries without results, with the cosine of the currently nearest excerpt. */
  unanswered: v.array(v.object({ ...counts, nearest: v.nullable(v.number()), near_miss: v.boolean() })),
})
export type InsightsResponse = v.InferOutput<typeof insightsResponse>

/** `off` in a query's request: not from a visitor, so insights leave it out. Browsers may not send it from a page. */
export const INSIGHTS_HEADER = 'x-pullquote-insights'
