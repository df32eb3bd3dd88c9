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

/** A review that failed to be indexed twice by its own fault, and is not tried again automatically. */
export const setAsideReview = v.object({
  project: v.string(),
  env: environment,
  id: v.string(),
  source: v.string(),
  external_id: v.string(),
  since: instant,
  reason: v.string(),
})

/** What it answers. */
export const setAsideResponse = v.object({ total: count, reviews: v.array(setAsideReview) })
export type SetAsideResponse = v.InferOutput<typeof setAsideResponse>

/** The body of `POST /operator/set-aside/retry`, and what that answers. */
export const retrySetAsideBody = fields({ project: v.optional(v.string()) })
export const retrySetAsideResponse = v.object({ queued: count })
