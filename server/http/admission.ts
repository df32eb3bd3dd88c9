import type { ServerRequest } from 'srvx'
import type { Pool } from '../deps.ts'
import { authenticate } from '../sql/access/authenticate.ts'
import type { ConsoleSession } from '../sql/access/console-sessions.ts'
import type { Authenticated } from '../sql/access/key-lookups.ts'
import type { AddressLimit } from './address-limit.ts'
import { ApiError } from './api-error.ts'
import { presentedKey, requireOperatorToken, unknownKey } from './auth.ts'
import { announcedBody } from './body.ts'
import { type BodyBudgets, bodyMemoryExhausted, type Reservation } from './byte-budget.ts'
import { allowOrigin } from './cors.ts'
import { enforceRateLimit, rateLimitHeaders } from './rate-limit.ts'
import type { RequestContext } from './request-context.ts'
import type { Route } from './route.ts'
import { withDatabaseTimeout } from './time-limits.ts'

export interface AdmissionDeps {
  sql: Pool
  operatorToken: string
  /** Authenticates console sessions; without it there are none. */
  signIn?: { authenticate(request: ServerRequest): Promise<ConsoleSession> } | undefined
  /** Memory for the bodies of all requests. */
  bodies: BodyBudgets
  /** How long a body may take to arrive; default 30 s. */
  bodyTimeoutMs?: number
  /** How long a key lookup may take before the response is 503; default 8 s. */
  databaseTimeoutMs?: number
  /** Limits the share of a publishable key's requests that one address may use; default no limit. */
  addressLimit?: AddressLimit | undefined
}

export interface Caller {
  key?: Authenticated
  session?: ConsoleSession
}

export interface Admitted {
  body: Uint8Array | 'unexpected' | undefined
  caller: Caller
}

/**
 * Body and key of a request. On `/v1` the contract requires the size of a body to be checked, and therefore the body to be
 * read, before the key; such bodies share a small budget, and when that is used up, the key comes first. Elsewhere it always
 * does.
 */
export async function admit(
  route: Route,
  context: RequestContext,
  deps: AdmissionDeps,
  reservation: Reservation,
): Promise<Admitted> {
  const announced = route.body === 'ignored' ? undefined : await announcedBody(context.request, route.body)
  if (announced === undefined || announced === 'unexpected') {
    return { body: announced, caller: await authorize(route, context, deps) }
  }
  const read = () => announced.read((bytes) => reservation.add(bytes), deps.bodyTimeoutMs)
  const { unauthenticated, authenticated } = deps.bodies
  const measuredFirst = route.path.startsWith('/v1/')
  if (measuredFirst && !unauthenticated.isCrowded) {
    const body = await read()
    const caller = await authorize(route, context, deps)
    reservation.moveTo(authenticated)
    return { body, caller }
  }
  const caller = await authorize(route, context, deps).catch((error: unknown) => {
    // An oversized body would come before a bad key, but its size is unknown.
    throw measuredFirst && isRefusedKey(error) ? bodyMemoryExhausted() : error
  })
  reservation.moveTo(authenticated)
  return { body: await read(), caller }
}

function isRefusedKey(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'unauthorized' || error.code === 'forbidden')
}

/** Key format → key kind → key lookup → origin → rate limit; or the operator's token, or the console's session. */
async function authorize(route: Route, context: RequestContext, deps: AdmissionDeps): Promise<Caller> {
  if (route.access === 'open') return {}
  const { request, query, headers } = context
  if (route.access === 'console') {
    if (!deps.signIn) throw new ApiError('unauthorized', 'You are not signed in.')
    return { session: await deps.signIn.authenticate(request) }
  }
  const authorization = request.headers.get('authorization')
  if (route.access === 'operator') {
    requireOperatorToken(authorization, deps.operatorToken)
    return {}
  }
  const presented = presentedKey(authorization, query, route.keyParameter)
  if (route.access === 'secret key' && presented.kind !== 'secret') {
    throw new ApiError('forbidden', 'A publishable key may only query. This route needs a secret key.')
  }
  const { addressLimit, databaseTimeoutMs: ms } = deps
  const overShare =
    addressLimit && presented.kind === 'publishable'
      ? await withDatabaseTimeout(() => addressLimit.count(request, presented), ms)
      : undefined
  const key = await withDatabaseTimeout(() => authenticate(deps.sql, presented.hash, { counted: !overShare }), ms)
  if (key === undefined) throw unknownKey()
  context.logFields.project = key.project.id
  Object.assign(headers, rateLimitHeaders(key.project.plan, key.kind))
  if (route.access === 'any key') Object.assign(headers, allowOrigin(request.headers.get('origin') || null, key))
  if (overShare) throw overShare
  enforceRateLimit(key)
  return { key }
}
