import * as v from 'valibot'
import { reviewIdPrefix } from '../../../src/contract/review.ts'
import type { Pool } from '../../deps.ts'
import { assertValid, validationFailed } from '../../http/api-error.ts'
import { type ApiRoute, noParameters } from '../../http/request-pipeline.ts'
import { reviewIdsFrom } from '../../sql/reviews/review-ids.ts'

/** So many are told where several reviews begin alike. */
const MOST = 10

/** `GET /review-ids/<beginning>`, this server's own: the ids that begin so, for people who type them. */
export function reviewIdsRoute({ sql }: { sql: Pool }): ApiRoute {
  return {
    method: 'GET',
    path: '/review-ids/:beginning',
    access: 'secret key',
    async handle(call) {
      assertValid(noParameters(call))
      const { beginning = '' } = call.params
      if (!v.is(reviewIdPrefix, beginning)) {
        throw validationFailed([{ path: 'beginning', message: 'must be 4 to 36 letters of an id' }])
      }
      const { project, env } = call.key
      return { status: 200, body: { ids: await reviewIdsFrom(sql, project.id, env, beginning, MOST) } }
    },
  }
}
