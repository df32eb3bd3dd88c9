import { BODY_BYTES } from '../../../src/contract/limits.ts'
import { type ListResponse, listParameters, patchBody } from '../../../src/contract/review.ts'
import { type Validated, validate } from '../../../src/contract/validate.ts'
import type { Pool } from '../../deps.ts'
import { ApiError, assertValid, validationFailed } from '../../http/api-error.ts'
import { readCursor, writeCursor } from '../../http/cursor.ts'
import { parameterFindings, wellFormedParameters } from '../../http/query-string.ts'
import { type ApiRoute, jsonBody, noParameters } from '../../http/request-pipeline.ts'
import { deleteReview, getReview, listReviews, patchReview } from '../../sql/reviews/reviews.ts'

export interface ReviewRouteDeps {
  sql: Pool
  cursorSecret: Uint8Array
}

/** The routes that manage stored reviews. */
export function reviewRoutes(deps: ReviewRouteDeps): ApiRoute[] {
  return [listRoute(deps), getRoute(deps), patchRoute(deps), deleteRoute(deps)]
}

function listRoute({ sql, cursorSecret }: ReviewRouteDeps): ApiRoute {
  return {
    method: 'GET',
    path: '/v1/reviews',
    access: 'secret key',
    async handle({ key, query }) {
      const { project, env } = key
      const once = () => true
      const details = parameterFindings(query, { known: once, once })
      const repeated: Validated<undefined> =
        details.length > 0 ? { ok: false, details } : { ok: true, value: undefined }
      const [, request] = assertValid(repeated, validate(listParameters, wellFormedParameters(query)))
      const scope = { projectId: project.id, env, request }
      const after = request.cursor === undefined ? undefined : readCursor(request.cursor, scope, cursorSecret)
      if (request.cursor !== undefined && after === undefined) {
        const message = 'is no cursor of this list: take next_cursor of the page before, with the same filters'
        throw validationFailed([{ path: 'cursor', message }])
      }
      const { reviews, more } = await listReviews(sql, project.id, env, request, after)
      const last = reviews.at(-1)
      const body: ListResponse = { reviews, next_cursor: null }
      if (more && last !== undefined) {
        const occurredAt = last.occurred_at === null ? null : new Date(last.occurred_at)
        body.next_cursor = writeCursor({ occurredAt, id: last.id }, scope, cursorSecret)
      }
      return { status: 200, body }
    },
  }
}

function getRoute({ sql }: ReviewRouteDeps): ApiRoute {
  return {
    method: 'GET',
    path: '/v1/reviews/:id',
    access: 'secret key',
    async handle(call) {
      assertValid(noParameters(call))
      const review = await getReview(sql, call.key.project.id, call.key.env, call.params.id ?? '')
      if (review === undefined) throw noSuchReview()
      return { status: 200, body: review }
    },
  }
}

function patchRoute({ sql }: ReviewRouteDeps): ApiRoute {
  return {
    method: 'PATCH',
    path: '/v1/reviews/:id',
    access: 'secret key',
    body: { maxBytes: BODY_BYTES.patchReview },
    async handle(call) {
      const { project, env } = call.key
      const [, patch] = assertValid(noParameters(call), validate(patchBody, jsonBody(call)))
      const review = await patchReview(sql, project.id, env, call.params.id ?? '', patch)
      if (review === undefined) throw noSuchReview()
      return { status: 200, body: review }
    },
  }
}

function deleteRoute({ sql }: ReviewRouteDeps): ApiRoute {
  return {
    method: 'DELETE',
    path: '/v1/reviews/:id',
    access: 'secret key',
    async handle(call) {
      assertValid(noParameters(call))
      const existed = await deleteReview(sql, call.key.project.id, call.key.env, call.params.id ?? '')
      if (!existed) throw noSuchReview()
      return { status: 204 }
    },
  }
}

/** Another project's or environment's review looks the same as a missing one. */
function noSuchReview(): ApiError {
  return new ApiError('not_found', 'There is no review with this id.')
}
