import { STATUS_CODES } from 'node:http'
import { FastResponse } from 'srvx'
import type { Log } from '../deps.ts'
import { describeError } from '../describe-error.ts'
import type { ApiError } from './api-error.ts'
import { errorResult } from './error-envelope.ts'
import type { RequestContext } from './request-context.ts'
import type { RouteResult } from './response-rule.ts'
import { isClientGone, toApiError } from './to-api-error.ts'

/** An answered request, for the metrics. */
export interface CompletedRequest {
  method: string
  /** The route's pattern, never the actual path; undefined without a route. */
  route: string | undefined
  status: number
  seconds: number
  /** For a query, the result cache's outcome. */
  cache: string | undefined
}

export interface RespondDeps {
  log: Log
  /** Address of the error reference without its `/errors`, e.g. `http://127.0.0.1:8787/docs`. */
  docsUrl: string
  /** Called after every response. */
  observe?: ((answered: CompletedRequest) => void) | undefined
  /** An HTML page in place of the envelope; undefined for requests of programs. */
  errorPage?: ((error: ApiError, context: RequestContext) => RouteResult | undefined) | undefined
}

/** Runs `work` and turns its result or error into the response; writes the request's only log line. */
export async function respond(
  context: RequestContext,
  deps: RespondDeps,
  work: () => Promise<RouteResult> | RouteResult,
): Promise<Response> {
  let result: RouteResult
  let failure: unknown
  try {
    result = await work()
  } catch (error) {
    if (isClientGone(error, context.request)) return clientGone(context, deps)
    const apiError = toApiError(error, context.requestId)
    if (apiError !== error) failure = error
    context.logFields.code = apiError.code
    result = errorResult(apiError, context.requestId, deps.docsUrl)
    const page = deps.errorPage?.(apiError, context)
    if (page) result = { ...page, headers: { ...result.headers, ...page.headers } }
  }
  const { status } = result
  const fields = recordRequest(context, deps, status, result.headers?.['x-cache'])
  if (failure === undefined) deps.log[isAnsweredProbe(context, status) ? 'debug' : 'info'](fields, 'request')
  else if (status === 500) deps.log.error({ ...fields, error: describeError(failure) }, 'request failed')
  else deps.log.warn({ ...fields, error: describeError(failure) }, 'request failed')
  return toResponse(context, result)
}

/** What a container's health check, an orchestrator and a monitor ask every few seconds. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics'])

function isAnsweredProbe({ logFields: { route } }: RequestContext, status: number): boolean {
  return status === 200 && PROBES.has(route ?? '')
}

/** Updates the metrics and returns the log fields of an answered request. */
function recordRequest(context: RequestContext, { observe }: RespondDeps, status: number, cache: string | undefined) {
  const { method } = context.request
  const ms = performance.now() - context.startedAt
  observe?.({ method, route: context.logFields.route, status, seconds: ms / 1000, cache })
  return { requestId: context.requestId, method, ...context.logFields, status, ms: Math.round(ms * 10) / 10 }
}

/** Nobody reads this response: the status is for the log and the metrics, by convention. */
const CLIENT_GONE = 499

function clientGone(context: RequestContext, deps: RespondDeps): Response {
  deps.log.info(recordRequest(context, deps, CLIENT_GONE, undefined), 'the client went away')
  return new FastResponse(null, { status: CLIENT_GONE, headers: context.headers })
}

function toResponse(context: RequestContext, result: RouteResult): Response {
  const { status, body } = result
  const statusText = STATUS_CODES[status] ?? ''
  if (body === undefined) {
    return new FastResponse(null, { status, statusText, headers: { ...context.headers, ...result.headers } })
  }
  const headers = { ...context.headers, 'content-type': 'application/json', ...result.headers }
  if (body instanceof ReadableStream || body instanceof Uint8Array) {
    return new FastResponse(body, { status, statusText, headers })
  }
  const text = headers['content-type'] === 'application/json' ? JSON.stringify(body) : String(body)
  return new FastResponse(text, { status, statusText, headers })
}
