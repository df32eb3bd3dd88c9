import type * as v from 'valibot'
import { explainFields } from '../../../src/contract/explain.ts'
import { BODY_BYTES } from '../../../src/contract/limits.ts'
import { parseQueryBody } from '../../../src/contract/parse-query.ts'
import { validate } from '../../../src/contract/validate.ts'
import type { Pool } from '../../deps.ts'
import { ApiError, assertValid, validationFailed } from '../../http/api-error.ts'
import { type ApiRoute, jsonBody, noParameters } from '../../http/request-pipeline.ts'
import type { Explain } from '../../search/explain.ts'
import { getReview } from '../../sql/reviews/reviews.ts'

/**
 * `POST /explain`, this server's own: the body of `POST /v1/query` with `q`, and optionally `review`, the id of a review
 * whose absence is to be explained, and `floor`, to see what another relevance floor would do.
 */
export function explainRoute(deps: { sql: Pool; explain: Explain }): ApiRoute {
  return {
    method: 'POST',
    path: '/explain',
    access: 'secret key',
    body: { maxBytes: BODY_BYTES.query },
    async handle(call) {
      const { review: id, floor, body } = splitBody(jsonBody(call))
      const [, request] = assertValid(noParameters(call), parseQueryBody(body))
      const { q } = request
      if (q === undefined) throw validationFailed([{ path: 'q', message: 'is required: without it nothing is ranked' }])
      const { env } = call.key
      const project = { ...call.key.project, ...(floor === undefined ? {} : { similarityFloor: floor }) }
      const review = id === undefined ? undefined : await getReview(deps.sql, project.id, env, id)
      if (id !== undefined && review === undefined) {
        throw new ApiError('not_found', 'There is no review with this id in the project and environment of the key.')
      }
      return { status: 200, body: await deps.explain({ project, env }, { ...request, q }, review) }
    },
  }
}

/** The fields of this route, and the body of a query that is left without them. */
function splitBody(body: unknown): v.InferOutput<typeof explainFields> & { body: unknown } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { body }
  const { review, floor, ...rest } = body as Record<string, unknown>
  const [fields] = assertValid(validate(explainFields, { review, floor }))
  return { ...fields, body: rest }
}
