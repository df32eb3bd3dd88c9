import { INSIGHTS_HEADER } from '../../../src/contract/insights.ts'
import { BODY_BYTES, PLAN_LIMITS } from '../../../src/contract/limits.ts'
import { parseQueryBody, parseQueryParameters } from '../../../src/contract/parse-query.ts'
import type { QueryRequest, QueryResponse } from '../../../src/contract/query.ts'
import { ApiError, assertValid } from '../../http/api-error.ts'
import { parameterFindings } from '../../http/query-string.ts'
import { type ApiRoute, jsonBody, type KeyCall, noParameters } from '../../http/request-pipeline.ts'
import type { RouteResult } from '../../http/respond.ts'
import type { Search } from '../../search/search.ts'
import { encodeQueryResponse } from './encode-query-response.ts'

const BROWSER_MAY_KEEP = 'private, max-age=0, must-revalidate'

/**
 * What a shared cache may keep, where the operator lets it: the answer to a page's own request, whose address holds the key.
 * A key in the `Authorization` header is no part of the address, so another's request would get the answer; what a
 * client wanted computed anew is told once. `Vary` names the origin, whose echo is in the answer.
 */
function cacheControl({ request, key }: KeyCall, { cache, seconds }: { cache: string; seconds: number }): string {
  const isPages = key.kind === 'publishable' && !request.headers.has('authorization')
  if (seconds < 1 || !isPages || cache === 'BYPASS') return BROWSER_MAY_KEEP
  return `public, max-age=0, s-maxage=${seconds}, must-revalidate`
}

/** `GET` and `POST /v1/query`: one request in two forms. */
export function queryRoutes(deps: { search: Search; sharedCacheSeconds?: number | undefined }): ApiRoute[] {
  return [
    {
      method: 'GET',
      path: '/v1/query',
      access: 'any key',
      keyParameter: 'accepted',
      async handle(call) {
        const { query } = call
        const malformed = parameterFindings(query, { known: () => true })
        const parsed = parseQueryParameters(query.parameters)
        const [, request] = assertValid(malformed.length > 0 ? { ok: false, details: malformed } : NOTHING, parsed)
        return answer(deps.search, call, request, (cache) => ({
          'cache-control': cacheControl(call, { cache, seconds: deps.sharedCacheSeconds ?? 0 }),
        }))
      },
    },
    {
      method: 'POST',
      path: '/v1/query',
      access: 'any key',
      keyParameter: 'refused',
      body: { maxBytes: BODY_BYTES.query },
      async handle(call) {
        const [, request] = assertValid(noParameters(call), parseQueryBody(jsonBody(call)))
        return answer(deps.search, call, request, () => ({}))
      },
    },
  ]
}

const NOTHING = { ok: true, value: undefined } as const

async function answer(
  search: Search,
  call: KeyCall,
  request: QueryRequest,
  headersFor: (cache: string) => Record<string, string>,
): Promise<RouteResult> {
  const { project, env, revision } = call.key
  const bypassCache = asksForNoCache(call.request.headers.get('cache-control'))
  // What the command line asks is no visitor's search.
  const skipInsights = call.request.headers.get(INSIGHTS_HEADER)?.trim().toLowerCase() === 'off'
  const found = await search({ project, env, revision }, request, { bypassCache, skipInsights })
  if (!found.ok) {
    const { uncachedQueriesPerMonth } = PLAN_LIMITS[project.plan]
    const message = `The project's ${uncachedQueriesPerMonth} uncached queries of this month (UTC) are used. Cached answers are still served.`
    throw new ApiError(found.code, message, { retryAfterSeconds: found.retryAfterSeconds })
  }
  const body: QueryResponse = {
    results: found.results,
    match: found.match,
    took_ms: Math.round(call.elapsedMs()),
    cached: found.cache === 'HIT',
    badge: PLAN_LIMITS[project.plan].badge,
  }
  const reply = await encodeQueryResponse(body, call.request, call.request.method === 'GET')
  return { ...reply, headers: { ...headersFor(found.cache), ...reply.headers, 'x-cache': found.cache } }
}

function asksForNoCache(header: string | null): boolean {
  return header?.split(',').some((directive) => directive.trim().toLowerCase() === 'no-cache') ?? false
}
