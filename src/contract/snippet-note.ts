import * as v from 'valibot'
import { LANGUAGE_LENGTH, RATING } from './limits.ts'
import { integerParameter } from './scalars.ts'

/** The query string of `GET /snippet/note`: this server's own route, outside `/v1`. */
export const noteParameters = v.object({
  key: v.optional(v.string()),
  lang: v.optional(
    v.pipe(v.string(), v.maxLength(LANGUAGE_LENGTH.max, `must have at most ${LANGUAGE_LENGTH.max} characters`)),
  ),
  min_rating: v.optional(integerParameter(RATING)),
})

/** Response: the sentence that says which reviews are shown, and the minimum rating. */
export const noteResponse = v.object({
  min_rating: v.pipe(v.number(), v.integer()),
  note: v.string(),
  lang: v.string(),
})

/** Response of `GET /snippet/labels`, also this server's own. */
export const labelsResponse = v.object({ labels: v.string() })
