import * as v from 'valibot'

/** A review that failed to be indexed twice by its own fault, and is not tried again by itself. */
export const setAsideReview = v.object({
  project: v.string(),
  env: v.picklist(['live', 'test']),
  id: v.string(),
  source: v.string(),
  external_id: v.string(),
  since: v.pipe(v.string(), v.isoTimestamp()),
  reason: v.string(),
})

/** What `GET /operator/set-aside` answers: this server's own route, outside `/v1`. */
export const setAsideList = v.object({
  total: v.pipe(v.number(), v.integer(), v.minValue(0)),
  reviews: v.array(setAsideReview),
})
export type SetAsideList = v.InferOutput<typeof setAsideList>

/** What `POST /operator/set-aside/retry` answers. */
export const setAsideRetried = v.object({ queued: v.pipe(v.number(), v.integer(), v.minValue(0)) })
