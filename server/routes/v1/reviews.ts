import { BODY_BYTES } from '../../../src/contract/limits.ts'
import {
  type Environment,
  type ListRequest,
  listParameters,
  listResponse,
  patchBody,
  storedReview,
} from '../../../src/contract/review.ts'
import { uuid } from '../../../src/contract/scalars.ts'
import type { Pool } from '../../deps.ts'
import { ApiError, invalidCursor } from '../../http/api-error.ts'
import { jsonBody } from '../../http/body-rule.ts'
import { type CursorScope, readCursor, writeCursor } from '../../http/cursor.ts'
import { queryOf } from '../../http/query-rule.ts'
import { empty, json } from '../../http/response-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { deleteReview, getReview, listReviews, patchReview } from '../../sql/reviews/reviews.ts'
import { environmentOf } from '../../sql/scope.ts'
import { hiddenExample, listExample, storedExample } from './review-examples.ts'

/** The routes that manage stored reviews. */
export function reviewRoutes({ sql, cursorSecret }: { sql: Pool; cursorSecret: Uint8Array }): Route[] {
  const one = {
    path: '/v1/reviews/:id',
    access: 'secret key',
    tag: 'Reviews',
    pathParameters: { id: { description: 'The id that a push or the list returned.', schema: uuid } },
  } as const
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/reviews',
      access: 'secret key',
      query: queryOf(listParameters, {
        cursor: '`next_cursor` of the previous page, with the same filters.',
        limit: 'Page size.',
        source: 'Only this source.',
        min_rating: 'Only reviews with at least this many stars; reviews without stars are left out.',
        hidden: '`true`: only hidden reviews; `false`: only visible ones.',
        since: 'Only reviews from this moment on; a date means midnight UTC.',
        indexed: '`true`: only reviews that can already be found; `false`: only those that still wait for indexing.',
      }),
      responses: { 200: json(listResponse, 'One page.', { example: listExample }) },
      operationId: 'listReviews',
      tag: 'Reviews',
      summary: 'List stored reviews, newest first',
      description:
        'Pages neither repeat nor skip reviews when others are stored or removed meanwhile. Reviews without a date come last.',
      async handle({ key, query: request }) {
        const environment = environmentOf(key)
        const scope = scopeOf(key.project.id, key.env, request)
        const after = request.cursor === undefined ? undefined : readCursor(request.cursor, scope, cursorSecret)
        if (request.cursor !== undefined && after === undefined) throw invalidCursor()
        const { reviews, more } = await listReviews(sql, environment, request, after)
        const last = more ? reviews.at(-1) : undefined
        if (last === undefined) return { status: 200, body: { reviews, next_cursor: null } }
        const at = last.occurred_at === null ? null : new Date(last.occurred_at)
        const next_cursor = writeCursor({ at, id: last.id }, scope, cursorSecret)
        return { status: 200, body: { reviews, next_cursor } }
      },
    }),
    defineRoute({
      ...one,
      method: 'GET',
      responses: { 200: json(storedReview, 'The review.', { example: storedExample }) },
      operationId: 'getReview',
      summary: 'Read a stored review',
      description: 'Hidden ones too. A review of another project or environment is 404, like one that does not exist.',
      async handle({ key, params }) {
        const review = await getReview(sql, environmentOf(key), params.id)
        if (review === undefined) throw noSuchReview()
        return { status: 200, body: review }
      },
    }),
    defineRoute({
      ...one,
      method: 'PATCH',
      body: jsonBody(patchBody, { maxBytes: BODY_BYTES.patchReview, example: { hidden: true } }),
      responses: { 200: json(storedReview, 'The review after the change.', { example: hiddenExample }) },
      operationId: 'updateReview',
      summary: 'Hide or show a review, or replace its metadata',
      description:
        'Hidden reviews never appear in query results. `metadata` replaces the whole map. A request that changes nothing leaves `updated_at` as it is. At most 64 KiB.',
      async handle({ key, params, body }) {
        const review = await patchReview(sql, environmentOf(key), params.id, body)
        if (review === undefined) throw noSuchReview()
        return { status: 200, body: review }
      },
    }),
    defineRoute({
      ...one,
      method: 'DELETE',
      responses: { 204: empty('Removed.') },
      operationId: 'deleteReview',
      summary: 'Remove a review and its excerpts',
      description: 'It disappears from all query results at once. A second call is 404.',
      async handle({ key, params }) {
        if (await deleteReview(sql, environmentOf(key), params.id)) return { status: 204 }
        throw noSuchReview()
      },
    }),
  ]
}

/** The page size is not a filter: it may change from page to page. */
function scopeOf(projectId: string, env: Environment, request: ListRequest): CursorScope {
  const { source, min_rating, hidden, since, indexed } = request
  return [projectId, env, source ?? null, min_rating ?? null, hidden, since?.toISOString() ?? null, indexed ?? null]
}

/** Indistinguishable from another project's or environment's review. */
function noSuchReview(): ApiError {
  return new ApiError('not_found', 'There is no review with this id.')
}
