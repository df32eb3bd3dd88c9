import { INSIGHTS_HEADER } from '../../../src/contract/insights.ts'
import { BODY_BYTES, PLAN_LIMITS, type Plan } from '../../../src/contract/limits.ts'
import { parseQueryBody, parseQueryParameters } from '../../../src/contract/parse-query.ts'
import {
  filters,
  type QueryRequest,
  type QueryResponse,
  queryBody,
  queryParameters,
  queryResponse,
} from '../../../src/contract/query.ts'
import { ApiError } from '../../http/api-error.ts'
import { jsonBody } from '../../http/body-rule.ts'
import { matchesEtag } from '../../http/content-negotiation.ts'
import { preflightHeaders } from '../../http/cors.ts'
import { checkParameterNames, type QueryRule } from '../../http/query-rule.ts'
import { empty, json } from '../../http/response-rule.ts'
import { defineRoute, type Route, type RouteContext } from '../../http/route.ts'
import { meaningsOf } from '../../openapi/meanings.ts'
import type { Search, SearchAnswer } from '../../search/search.ts'
import { encodeQueryResponse } from './encode-query-response.ts'
import {
  exampleResponse,
  headers,
  metadataParameters,
  preflightDescription,
  requestHeaders,
} from './query-description.ts'

const BROWSER_MAY_KEEP = 'private, max-age=0, must-revalidate'

type Asked = Pick<RouteContext<'any key', '/v1/query', QueryRequest, unknown>, 'key' | 'request' | 'elapsedMs'>

/**
 * What a shared cache may keep if the operator allows it: the response to a page's own request, whose address contains the
 * key. A key in the `Authorization` header is not part of the address, so someone else's request would get the response; and
 * a query that bypasses the cache is not to be stored. `Vary` names the origin, which the response echoes.
 */
function cacheControl({ request, key }: Asked, { cache, seconds }: { cache: string; seconds: number }): string {
  const isPages = key.kind === 'publishable' && !request.headers.has('authorization')
  if (seconds < 1 || !isPages || cache === 'BYPASS') return BROWSER_MAY_KEEP
  return `public, max-age=0, s-maxage=${seconds}, must-revalidate`
}

const inAddress: QueryRule<QueryRequest> = {
  parameters: queryParameters.entries,
  meanings: { ...meaningsOf(queryBody), ...meaningsOf(filters) },
  more: [metadataParameters],
  parse: (query) => checkParameterNames(query, { known: () => true }, parseQueryParameters(query.parameters)),
}

/** `GET` and `POST /v1/query`: two forms of one request; and a browser's preflight. */
export function queryRoutes(deps: { search: Search; sharedCacheSeconds?: number | undefined }): Route[] {
  const shared = {
    path: '/v1/query',
    access: 'any key',
    // Charges and counts are single statements.
    transactions: false,
    errors: ['query_quota_exceeded', 'embedding_unavailable'],
    tag: 'Query',
  } as const
  const found = json(queryResponse, 'Results in rank order.', { headers, example: exampleResponse })
  const etag = { ETag: { schema: { type: 'string' }, description: 'Weak; of everything but `took_ms` and `cached`.' } }
  return [
    defineRoute({
      ...shared,
      method: 'GET',
      keyParameter: 'accepted',
      query: inAddress,
      headers: Object.values(requestHeaders),
      responses: {
        200: { ...found, headers: { ...headers, ...etag } },
        304: empty('The client already has these results.', { headers: { ...headers, ...etag } }),
      },
      operationId: 'queryReviewsByParameters',
      summary: 'Search reviews (the form for web pages)',
      description:
        "The same request as the POST form, as query parameters. With a publishable key it works from the project's allowed origins only.",
      async handle(context) {
        const { response, cache } = await search(deps.search, context, context.query)
        const encoded = encodeQueryResponse(response)
        const { headers: asked } = context.request
        const kept = cacheControl(context, { cache, seconds: deps.sharedCacheSeconds ?? 0 })
        const shared = { 'cache-control': kept, etag: encoded.etag, 'x-cache': cache }
        if (matchesEtag(asked.get('if-none-match'), encoded.etag)) {
          return { status: 304, headers: { ...shared, ...encoded.headers } }
        }
        const { body, headers } = await encoded.body(asked.get('accept-encoding'))
        return { status: 200, body, headers: { ...shared, ...headers } }
      },
    }),
    defineRoute({
      ...shared,
      method: 'POST',
      keyParameter: 'refused',
      body: jsonBody(queryBody, {
        maxBytes: BODY_BYTES.query,
        isRequired: false,
        example: { q: 'breakfast on the terrace', limit: 3, filters: { min_rating: 5, metadata: { page: 'terrace' } } },
        parse: parseQueryBody,
      }),
      headers: [requestHeaders.origin, requestHeaders.cacheControl, requestHeaders.insights],
      responses: { 200: found },
      operationId: 'queryReviews',
      summary: 'Search reviews',
      description:
        'An empty body means `{}`. At most 16 KiB. Results are verbatim slices of review texts. The list is never padded: if nothing is relevant, it is empty.',
      async handle(context) {
        const { response, cache } = await search(deps.search, context, context.body)
        const accepted = context.request.headers.get('accept-encoding')
        const { body, headers } = await encodeQueryResponse(response).body(accepted)
        return { status: 200, body, headers: { ...headers, 'x-cache': cache } }
      },
    }),
    defineRoute({
      method: 'OPTIONS',
      path: '/v1/query',
      access: 'open',
      query: 'ignored',
      body: 'ignored',
      responses: { 204: empty('What a page may send.', { headers: preflightDescription }) },
      errors: ['validation_failed'],
      operationId: 'queryPreflight',
      tag: 'Query',
      summary: 'Preflight of a browser',
      description: 'Browsers send it by themselves. It refuses nothing; the request itself does.',
      handle: async ({ request: { headers } }) => ({
        status: 204,
        headers: preflightHeaders(headers.get('origin') || null),
      }),
    }),
  ]
}

async function search(find: Search, { key, request, elapsedMs }: Asked, asked: QueryRequest) {
  const { project, env, revision } = key
  const bypassCache = asksForNoCache(request.headers.get('cache-control'))
  // Queries of the command line are not a visitor's.
  const skipInsights = request.headers.get(INSIGHTS_HEADER)?.trim().toLowerCase() === 'off'
  const found = await find({ project, env, revision }, asked, { bypassCache, skipInsights })
  if (!found.ok) {
    const { uncachedQueriesPerMonth } = PLAN_LIMITS[project.plan]
    const message = `The project's ${uncachedQueriesPerMonth} uncached queries of this month (UTC) are used. Cached answers are still served.`
    throw new ApiError(found.code, message, { retryAfterSeconds: found.retryAfterSeconds })
  }
  return { response: toQueryResponse(found, project.plan, elapsedMs()), cache: found.cache }
}

/** The results, with what is added for each request. */
export function toQueryResponse(
  { results, match, cache }: Extract<SearchAnswer, { ok: true }>,
  plan: Plan,
  elapsedMs: number,
): QueryResponse {
  return { results, match, took_ms: Math.round(elapsedMs), cached: cache === 'HIT', badge: PLAN_LIMITS[plan].badge }
}

function asksForNoCache(header: string | null): boolean {
  return header?.split(',').some((directive) => directive.trim().toLowerCase() === 'no-cache') ?? false
}
