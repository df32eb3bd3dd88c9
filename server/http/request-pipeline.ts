import type { ServerRequest } from 'srvx'
import type { ErrorDetail } from '../../src/contract/errors.ts'
import { withDeadline } from '../db/deadline.ts'
import type { Pool } from '../deps.ts'
import { type Authenticated, authenticate } from '../sql/access/authenticate.ts'
import type { ConsoleSession } from '../sql/access/console-sessions.ts'
import type { AddressLimit } from './address-limit.ts'
import { ApiError, validationFailed } from './api-error.ts'
import { type KeyParameter, presentedKey, requireOperatorToken, unknownKey } from './auth.ts'
import { announcedBody, type BodyRule, parseJson } from './body.ts'
import { type BodyBudgets, outOfBodyMemory, Reservation } from './byte-budget.ts'
import { allowOrigin, queryCorsHeaders } from './cors.ts'
import { MAX_PARAMETERS, parameterFindings, type QueryString } from './query-string.ts'
import { enforceRateLimit, rateLimitHeaders } from './rate-limit.ts'
import { withRequestTimeout } from './request-timeout.ts'
import type { RequestContext, RespondDeps, RouteResult } from './respond.ts'
import { databaseUnavailable } from './to-api-error.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** A request that has passed every check before validation. */
export interface Call {
  request: ServerRequest
  requestId: string
  query: QueryString
  /** Segments of the path that the route names, as they were sent. */
  params: Record<string, string>
  /** Body bytes; `undefined` for none. */
  body: Uint8Array | undefined
  /** Seconds and fractions since the request arrived, in milliseconds. */
  elapsedMs(): number
}

/** What a {@link Call} of `/v1` knows besides. */
export interface KeyCall extends Call {
  key: Authenticated
}

interface RouteShape {
  method: Method
  /** h3 pattern, e.g. `/v1/reviews/:id`. */
  path: string
  /** Absent: the route takes no body. */
  body?: BodyRule
  /**
   * How long the work may take. `request` unless told; `bulk` for work that grows with the data; `own` for imports and
   * backups, which look at each of their steps instead.
   */
  time?: 'request' | 'bulk' | 'own'
}

/** A route of `/v1`, reached with an API key. */
export interface ApiRoute extends RouteShape {
  access: 'secret key' | 'any key'
  /** `unknown` unless told. */
  keyParameter?: KeyParameter
  handle(call: KeyCall): Promise<RouteResult>
}

/** A route of the operator, reached with the operator's token and never with an API key. */
export interface OperatorRoute extends RouteShape {
  access: 'operator'
  handle(call: Call): Promise<RouteResult>
}

/** A route that anyone may read. */
export interface OpenRoute extends RouteShape {
  access: 'open'
  handle(call: Call): Promise<RouteResult>
}

/** What a {@link Call} of the console knows besides. */
export interface ConsoleCall extends Call {
  session: ConsoleSession
}

/** A route of the console, reached by somebody who is signed in there. */
export interface ConsoleRoute extends RouteShape {
  access: 'console'
  handle(call: ConsoleCall): Promise<RouteResult>
}

export type Route = ApiRoute | OperatorRoute | OpenRoute | ConsoleRoute

export interface PipelineDeps extends RespondDeps {
  sql: Pool
  operatorToken: string
  /** Says who is signed in to the console. */
  signIn?: { authenticate(request: ServerRequest): Promise<ConsoleSession> }
  /** What the bodies of all requests together may take. */
  bodies: BodyBudgets
  bodyTimeoutMs?: number
  databaseTimeoutMs?: number
  requestTimeoutMs?: number
  /** What one address may take of a publishable key's requests; absent: all. */
  addressLimit?: AddressLimit | undefined
}

/** A database that hangs, or whose network swallows packets, refuses nothing: the key's look-up stops waiting. */
const DATABASE_TIMEOUT_MS = 8_000

/**
 * Takes a request through the checks in the order of the contract's decisions: content type → size → key format → key
 * kind → key look-up → origin → rate limit → validation (the route's own) → work. That the route exists is known here.
 */
export function handleRequest(
  route: Route,
  context: RequestContext,
  params: Record<string, string>,
  deps: PipelineDeps,
): Promise<RouteResult> {
  const reservation = new Reservation(deps.bodies.unauthenticated)
  return handle(route, context, params, deps, reservation).finally(() => reservation.release())
}

/** Ends with the route's own promise and keeps nothing of the call, whose body may be a large file. */
async function handle(
  route: Route,
  context: RequestContext,
  params: Record<string, string>,
  deps: PipelineDeps,
  reservation: Reservation,
): Promise<RouteResult> {
  const { request, query } = context
  context.logFields.route = route.path
  const isQuery = route.access === 'any key'
  if (isQuery) Object.assign(context.headers, queryCorsHeaders)

  const { body, key, session } = await admit(route, context, deps, reservation)
  if (query.rest !== '') throw tooManyParameters()
  if (body === 'unexpected') throw unexpectedBody()
  const call: Call = {
    request,
    requestId: context.requestId,
    query: isQuery ? withoutKey(query) : query,
    params,
    body,
    elapsedMs: () => performance.now() - context.startedAt,
  }
  const work = () => {
    if (route.access === 'operator' || route.access === 'open') return route.handle(call)
    if (route.access === 'console') {
      if (session === undefined) throw new ApiError('unauthorized', 'You are not signed in.')
      return route.handle({ ...call, session })
    }
    if (key === undefined) throw unknownKey()
    return route.handle({ ...call, key })
  }
  return route.time === 'own' ? work() : withRequestTimeout(work, route, deps.requestTimeoutMs)
}

interface Authorized {
  key?: Authenticated | undefined
  session?: ConsoleSession | undefined
}

interface Admitted extends Authorized {
  body: Uint8Array | 'unexpected' | undefined
}

/**
 * Body and key of a request. On `/v1` the contract has a body measured, and therefore read, before the key is looked at;
 * such bodies share a small budget, and when that runs out, the key comes first. Elsewhere it always does.
 */
async function admit(
  route: Route,
  context: RequestContext,
  deps: PipelineDeps,
  reservation: Reservation,
): Promise<Admitted> {
  const announced = await announcedBody(context.request, route.body)
  if (announced === undefined || announced === 'unexpected') {
    return { body: announced, ...(await authorize(route, context, deps)) }
  }
  const read = () => announced.read((bytes) => reservation.add(bytes), deps.bodyTimeoutMs)
  const { unauthenticated, authenticated } = deps.bodies
  const measuredFirst = route.path.startsWith('/v1/')
  if (measuredFirst && !unauthenticated.isCrowded) {
    const body = await read()
    const authorized = await authorize(route, context, deps)
    reservation.moveTo(authenticated)
    return { body, ...authorized }
  }
  const authorized = await authorize(route, context, deps).catch((error: unknown) => {
    // Whether it would have been too large comes before whether its key is good, and is not known.
    throw measuredFirst && isRefusedKey(error) ? outOfBodyMemory() : error
  })
  reservation.moveTo(authenticated)
  return { body: await read(), ...authorized }
}

function isRefusedKey(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'unauthorized' || error.code === 'forbidden')
}

async function authorize(route: Route, context: RequestContext, deps: PipelineDeps): Promise<Authorized> {
  if (route.access === 'open') return {}
  const { request, query, headers } = context
  if (route.access === 'console') return { session: await deps.signIn?.authenticate(request) }
  const authorization = request.headers.get('authorization')
  if (route.access === 'operator') {
    requireOperatorToken(authorization, deps.operatorToken)
    return {}
  }
  const presented = presentedKey(authorization, query, route.keyParameter ?? 'unknown')
  if (route.access === 'secret key' && presented.kind !== 'secret') {
    throw new ApiError('forbidden', 'A publishable key may only query. This route needs a secret key.')
  }
  const ms = deps.databaseTimeoutMs ?? DATABASE_TIMEOUT_MS
  const { addressLimit } = deps
  const overShare =
    addressLimit && presented.kind === 'publishable'
      ? await withDeadline(() => addressLimit.count(request, presented), ms, databaseUnavailable)
      : undefined
  const lookUp = () => authenticate(deps.sql, presented.hash, { counted: !overShare })
  const key = await withDeadline(lookUp, ms, databaseUnavailable)
  if (key === undefined) throw unknownKey()
  context.logFields.project = key.project.id
  Object.assign(headers, rateLimitHeaders(key.project.plan, key.kind))
  if (route.access === 'any key') Object.assign(headers, allowOrigin(request.headers.get('origin') || null, key))
  if (overShare) throw overShare
  enforceRateLimit(key)
  return { key }
}

/** `key` was authentication: what is left is the request. */
function withoutKey(query: QueryString): QueryString {
  if (!query.parameters.has('key')) return query
  const parameters = new URLSearchParams(query.parameters)
  parameters.delete('key')
  const malformed = new Set(query.malformed)
  malformed.delete('key')
  return { ...query, parameters, malformed }
}

function tooManyParameters(): ApiError {
  return validationFailed([{ path: '(query string)', message: `has more than ${MAX_PARAMETERS} parameters` }])
}

function unexpectedBody(): ApiError {
  const details = [{ path: '(body)', message: 'must be absent: this route takes no body' }]
  return new ApiError('validation_failed', 'This route takes no body.', { details })
}

/** The JSON body, `undefined` for none. @throws {ApiError} `validation_failed` */
export function jsonBody(call: Call): unknown {
  return parseJson(call.body, call.request.headers.get('content-encoding'))
}

/** For a route without parameters: a check that finds every one that was sent. */
export function noParameters(call: Call): { ok: true; value: undefined } | { ok: false; details: ErrorDetail[] } {
  const details = parameterFindings(call.query)
  return details.length === 0 ? { ok: true, value: undefined } : { ok: false, details }
}
