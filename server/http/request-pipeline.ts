import { onServerOf } from '../db/cluster-watch.ts'
import { type AdmissionDeps, admit } from './admission.ts'
import { ApiError, assertValid, validationFailed } from './api-error.ts'
import { Reservation } from './byte-budget.ts'
import { queryCorsHeaders } from './cors.ts'
import { NO_PARAMETERS } from './query-rule.ts'
import { MAX_PARAMETERS, type QueryString } from './query-string.ts'
import type { RequestContext } from './request-context.ts'
import type { RespondDeps } from './respond.ts'
import type { RouteResult } from './response-rule.ts'
import type { Route } from './route.ts'
import { withRequestTimeout } from './time-limits.ts'

export interface PipelineDeps extends RespondDeps, AdmissionDeps {
  /** How long a request's work may take before the response is 503; default 20 s. */
  requestTimeoutMs?: number
}

/**
 * Runs the checks in the contract's order: content type → size → key format → key kind → key lookup → origin → rate limit →
 * validation → work. The route is known to exist.
 */
export function handleRequest(
  route: Route,
  context: RequestContext,
  params: Record<string, string>,
  deps: PipelineDeps,
): Promise<RouteResult> {
  const reservation = new Reservation(deps.bodies.unauthenticated)
  return inOrder(route, context, params, deps, reservation).finally(() => reservation.release())
}

/** Ends with the route's own promise and retains nothing of the input, whose body may be a large file. */
async function inOrder(
  route: Route,
  context: RequestContext,
  params: Record<string, string>,
  deps: PipelineDeps,
  reservation: Reservation,
): Promise<RouteResult> {
  context.logFields.route = route.path
  if (route.access === 'any key') Object.assign(context.headers, queryCorsHeaders)

  const { body, caller } = await admit(route, context, deps, reservation)
  if (route.body !== 'ignored') {
    if (context.query.rest !== '')
      throw validationFailed([{ path: '(query string)', message: `has more than ${MAX_PARAMETERS} parameters` }])
    if (body === 'unexpected') throw unexpectedBody()
  }
  route.guard?.(context)
  const input = validate(route, context, body === 'unexpected' ? undefined : body)
  const { request, requestId, startedAt } = context
  const elapsedMs = () => performance.now() - startedAt
  const handled = { ...input, ...caller, params, request, requestId, elapsedMs }
  const projectId = caller.key?.project.id ?? caller.session?.projectId
  const handle = () => route.handle(handled)
  const work = () => (projectId ? onServerOf(deps.sql, projectId, handle) : handle())
  return route.time === 'own' ? work() : withRequestTimeout(work, route, deps.requestTimeoutMs)
}

/** @throws {ApiError} with the findings about the query string and the body */
function validate(route: Route, { query, request }: RequestContext, body: Uint8Array | undefined) {
  const rule = route.query ?? NO_PARAMETERS
  const parameters = route.access === 'any key' ? withoutKey(query) : query
  const parsed = assertValid(
    rule === 'ignored' ? NOTHING : rule.parse(parameters),
    route.body === undefined || route.body === 'ignored' ? NOTHING : route.body.parse(body, request),
  )
  return { query: parsed[0], body: parsed[1] }
}

const NOTHING = { ok: true, value: undefined } as const

/** `key` was for authentication; the rest is the request. */
function withoutKey(query: QueryString): QueryString {
  if (!query.parameters.has('key')) return query
  const parameters = new URLSearchParams(query.parameters)
  parameters.delete('key')
  const malformed = new Set(query.malformed)
  malformed.delete('key')
  return { ...query, parameters, malformed }
}

function unexpectedBody(): ApiError {
  const details = [{ path: '(body)', message: 'must be absent: this route takes no body' }]
  return new ApiError('validation_failed', 'This route takes no body.', { details })
}
