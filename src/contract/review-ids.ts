import * as v from 'valibot'

/** The beginning of a review's id. */
export const REVIEW_ID_PREFIX = v.pipe(v.string(), v.regex(/^[0-9a-fA-F][0-9a-fA-F-]{3,35}$/))

/** What `GET /review-ids/<beginning>` answers. */
export const reviewIds = v.looseObject({ ids: v.array(v.string()) })
