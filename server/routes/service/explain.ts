import type * as v from 'valibot'
import { explainBody, explainFields, explanation } from '../../../src/contract/explain.ts'
import { BODY_BYTES } from '../../../src/contract/limits.ts'
import { parseQueryBody } from '../../../src/contract/parse-query.ts'
import type { QueryRequest } from '../../../src/contract/query.ts'
import { type Validated, validate } from '../../../src/contract/validate.ts'
import type { AppDeps } from '../../app-deps.ts'
import { ApiError } from '../../http/api-error.ts'
import { jsonBody } from '../../http/body-rule.ts'
import { json } from '../../http/response-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { getReview } from '../../sql/reviews/reviews.ts'
import { environmentOf } from '../../sql/scope.ts'

/**
 * `POST /explain`, not part of the contract: the body of `POST /v1/query` with `q`, and optionally `review`, the id of a
 * review whose absence is to be explained, and `floor`, to try another relevance floor.
 */
export function explainRoute(deps: AppDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/explain',
    access: 'secret key',
    body: jsonBody(explainBody, {
      maxBytes: BODY_BYTES.query,
      example: { q: 'breakfast on the terrace', floor: 0.6 },
      parse: parseExplainBody,
    }),
    responses: { 200: json(explanation, 'What is returned and why, and what keeps the named review away.') },
    errors: ['not_found', 'embedding_unavailable'],
    operationId: 'explainQuery',
    tag: 'Explain',
    summary: 'Why a query returns what it returns',
    description:
      'The body of `POST /v1/query` with `q`; besides `review`, the id of a review that is missed, and `floor`, to see what another relevance floor would do. Counts against no quota. At most 16 KiB.',
    async handle({ key, body: { request, review: id, floor } }) {
      const { env } = key
      const project = { ...key.project, ...(floor === undefined ? {} : { similarityFloor: floor }) }
      const review = id === undefined ? undefined : await getReview(deps.sql, environmentOf(key), id)
      if (id !== undefined && review === undefined) {
        throw new ApiError('not_found', 'There is no review with this id in the project and environment of the key.')
      }
      return { status: 200, body: await deps.explain({ project, env }, request, review) }
    },
  })
}

interface ExplainRequest extends v.InferOutput<typeof explainFields> {
  request: QueryRequest & { q: string }
}

/** Parses this route's own fields first, then those of a query, whose parser reports unknown ones. */
function parseExplainBody(body: unknown): Validated<ExplainRequest> {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  const { review, floor, ...rest } = isObject ? (body as Record<string, unknown>) : {}
  const own = validate(explainFields, { review, floor })
  if (!own.ok) return own
  const query = parseQueryBody(isObject ? rest : body)
  if (!query.ok) return query
  const { q } = query.value
  if (q !== undefined) return { ok: true, value: { ...own.value, request: { ...query.value, q } } }
  return { ok: false, details: [{ path: 'q', message: 'is required: without it nothing is ranked' }] }
}
