import * as v from 'valibot'
import { reviewIdPrefix, reviewIdsResponse } from '../../../src/contract/review.ts'
import type { Pool } from '../../deps.ts'
import { validationFailed } from '../../http/api-error.ts'
import { json } from '../../http/response-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { reviewIdsFrom } from '../../sql/reviews/review-ids.ts'
import { environmentOf } from '../../sql/scope.ts'

/** Maximum number of ids returned for a common prefix. */
const MAX_IDS = 10

/** `GET /review-ids/<beginning>`, not part of the contract: the ids with this prefix, for people who type them. */
export function reviewIdsRoute({ sql }: { sql: Pool }): Route {
  return defineRoute({
    method: 'GET',
    path: '/review-ids/:beginning',
    access: 'secret key',
    pathParameters: { beginning: { description: '4 to 36 letters of an id.', schema: reviewIdPrefix } },
    responses: { 200: json(reviewIdsResponse, 'None, one or several ids.') },
    operationId: 'findReviewIds',
    summary: 'Ids of reviews that begin so, at most ten',
    description: 'For people who type them. None is an empty list, not an error.',
    async handle({ key, params: { beginning } }) {
      if (!v.is(reviewIdPrefix, beginning)) {
        throw validationFailed([{ path: 'beginning', message: 'must be 4 to 36 letters of an id' }])
      }
      return { status: 200, body: { ids: await reviewIdsFrom(sql, environmentOf(key), beginning, MAX_IDS) } }
    },
  })
}
