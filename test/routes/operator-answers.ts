/** What the operator routes answer, to the last field. */
import * as v from 'valibot'

export const project = v.strictObject({
  id: v.pipe(v.string(), v.uuid()),
  name: v.string(),
  plan: v.string(),
  origins: v.array(v.string()),
  similarity_floor: v.number(),
  min_rating: v.number(),
  excerpts: v.string(),
  reviews: v.strictObject({ live: v.number(), test: v.number() }),
  review_limit: v.number(),
  computed_queries: v.strictObject({ this_month: v.number(), last_month: v.number() }),
  created_at: v.pipe(v.string(), v.isoTimestamp()),
})
export const createdKey = v.looseObject({
  id: v.string(),
  key: v.string(),
  kind: v.string(),
  env: v.string(),
  project: v.string(),
})
export const keyList = v.object({
  keys: v.array(
    v.strictObject({
      id: v.string(),
      kind: v.string(),
      env: v.string(),
      project: v.string(),
      name: v.nullable(v.string()),
      hint: v.string(),
      created_at: v.string(),
      last_used_at: v.nullable(v.string()),
      expires_at: v.nullable(v.string()),
      revoked_at: v.nullable(v.string()),
    }),
  ),
})
