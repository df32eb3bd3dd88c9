import * as v from 'valibot'

const counts = { query: v.string(), searches: v.number(), empty: v.number(), fallbacks: v.number() }

/** What `GET /operator/insights` answers: this server's own route, outside `/v1`. */
export const insights = v.object({
  project: v.string(),
  env: v.picklist(['live', 'test']),
  days: v.number(),
  /** Whether searches are being counted. */
  counting: v.boolean(),
  floor: v.number(),
  totals: v.object({ searches: v.number(), empty: v.number(), fallbacks: v.number(), queries: v.number() }),
  top: v.array(v.object(counts)),
  /** Queries that found nothing, with the cosine of the excerpt that comes nearest now. */
  unanswered: v.array(v.object({ ...counts, nearest: v.nullable(v.number()), near_miss: v.boolean() })),
})
export type InsightsAnswer = v.InferOutput<typeof insights>

/** `off` in a query's request: it is no visitor's, and insights leave it out. Browsers may not send it from a page. */
export const INSIGHTS_HEADER = 'x-pullquote-insights'
