import { type ConsoleSearch, explainReviewBody } from '../../../src/contract/console.ts'
import { BODY_BYTES } from '../../../src/contract/limits.ts'
import { parseQueryBody } from '../../../src/contract/parse-query.ts'
import { type QueryRequest, queryBody } from '../../../src/contract/query.ts'
import type { AppDeps } from '../../app-deps.ts'
import { type ConsoleScope, scopeOf } from '../../console/scope.ts'
import { ApiError, assertValid } from '../../http/api-error.ts'
import { jsonBody } from '../../http/body-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { environmentRevision } from '../../sql/excerpts/search-rows.ts'
import { getReview } from '../../sql/reviews/reviews.ts'
import { toQueryResponse } from '../v1/query.ts'

/** Excerpts this close below the floor are listed as near misses. */
const NEAR = 0.12
const MAX_NEAR = 8

/** Searches of the console: not a visitor's, so they are neither counted nor charged. */
export function consoleSearchRoutes(deps: AppDeps): Route[] {
  const { sql, explain } = deps
  return [
    defineRoute({
      method: 'POST',
      path: '/console/api/projects/:project/:env/search',
      access: 'console',
      body: jsonBody(queryBody, { maxBytes: BODY_BYTES.query, parse: parseQueryBody }),
      async handle(context) {
        const scope = await scopeOf(context, sql)
        return { status: 200, body: await searchAndExplain(deps, scope, context.body, context.elapsedMs) }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/console/api/projects/:project/:env/explain',
      access: 'console',
      body: jsonBody(explainReviewBody, { maxBytes: BODY_BYTES.query }),
      async handle(context) {
        const { body } = context
        const [request] = assertValid(parseQueryBody({ q: body.q, mode: 'reviews' }))
        const { project, env } = await scopeOf(context, sql)
        const review = await getReview(sql, { projectId: project.id, env }, body.review)
        if (review === undefined) throw new ApiError('not_found', 'This review no longer exists.')
        return { status: 200, body: await explain({ project, env }, { ...request, q: request.q ?? '' }, review) }
      },
    }),
  ]
}

async function searchAndExplain(
  { sql, search, explain }: AppDeps,
  { project, env }: ConsoleScope,
  request: QueryRequest,
  elapsedMs: () => number,
): Promise<ConsoleSearch> {
  const revision = (await environmentRevision(sql, { projectId: project.id, env })) ?? '0'
  const found = await search({ project, env, revision }, request, { bypassCache: false, ...NOT_A_VISITOR })
  if (!found.ok) throw new ApiError(found.code, 'The search quota is used up.')
  const { q } = request
  const response = toQueryResponse(found, project.plan, elapsedMs())
  if (q === undefined) return { response, explained: [], near: [], floor: project.similarityFloor, word_tier: 0 }
  const asked = { ...request, q }
  const { results: explained, floor, word_tier } = await explain({ project, env }, asked)
  const lenient = { ...project, similarityFloor: Math.max(0, floor - NEAR), minRating: 1, excerpts: 'all' as const }
  const wide = await explain({ project: lenient, env }, { ...asked, limit: request.limit + MAX_NEAR, mode: 'reviews' })
  const shown = new Set(found.results.map(({ review }) => review.id))
  const near = wide.results.filter(({ review_id }) => !shown.has(review_id)).slice(0, MAX_NEAR)
  return { response, explained, near, floor, word_tier }
}

export const NOT_A_VISITOR = { skipInsights: true, skipQuota: true }
