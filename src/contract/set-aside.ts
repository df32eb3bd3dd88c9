import * as v from 'valibot'
import { fields } from './fields.ts'
import { SET_ASIDE_LIMIT } from './limits.ts'
import { environment } from './review.ts'
import { count, instant, integerParameter } from './scalars.ts'

/** The query string of `GET /operator/set-aside`: this server's own route, outside `/v1`. */
export const setAsideParameters = v.object({
  project: v.optional(v.string()),
  limit: v.optional(integerParameter(SET_ASIDE_LIMIT), String(SET_ASIDE_LIMIT.default)),
})

/** A review whose own content made indexing fail twice, and which is not retried automatically. */
export const setAsideReview = v.object({
  project: v.string(),
  env: environment,
  id: v.string(),
  source: v.string(),
  external_id: v.string(),
  since: instant,
  reason: v.string(),
})

/** Response of `GET /operator/set-aside`. */
export const setAsideResponse = v.object({ total: count, reviews: v.array(setAsideReview) })
export type SetAsideResponse = v.InferOutput<typeof setAsideResponse>

/** Body and response of `POST /operator/set-aside/retry`. */
export const retrySetAsideBody = fields({ project: v.optional(v.string()) })
export const retrySetAsideResponse = v.object({ queued: count })
