import type { ServerRequest } from 'srvx'
import type * as v from 'valibot'
import type { ErrorCode } from '../../src/contract/errors.ts'
import type { ConsoleSession } from '../sql/access/console-sessions.ts'
import type { Authenticated } from '../sql/access/key-lookups.ts'
import type { KeyParameter } from './auth.ts'
import type { BodyRule } from './body-rule.ts'
import type { QueryRule } from './query-rule.ts'
import type { QueryString } from './query-string.ts'
import type { ResponseRules, ResultOf, RouteResult } from './response-rule.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'OPTIONS'

/** Who may call a route, and what its handler knows of the caller. */
export interface Callers {
  /** An API key that may do everything in its project and environment. */
  'secret key': { key: Authenticated }
  /** Any API key; from a page, only from an origin that its project lists. */
  'any key': { key: Authenticated }
  /** The operator's token, for which no API key is a substitute. */
  operator: unknown
  /** Signed in to the console. */
  console: { session: ConsoleSession }
  open: unknown
}
export type Access = keyof Callers

/** The `:names` in a path. */
type PathParameters<TPath extends string> = TPath extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & PathParameters<Rest>
  : TPath extends `${string}:${infer Name}`
    ? Record<Name, string>
    : unknown

interface PathParameter {
  description?: string
  schema: v.GenericSchema
  example?: string
}

interface BaseContext {
  request: ServerRequest
  requestId: string
  /** Milliseconds since the request arrived, with fractions. */
  elapsedMs(): number
}

/** What a handler gets from a request that passed every check. */
export type RouteContext<TAccess extends Access, TPath extends string, TQuery, TBody> = BaseContext &
  Callers[TAccess] & { params: PathParameters<TPath>; query: TQuery; body: TBody }

interface RouteDefinition<TAccess extends Access, TPath extends string, TQuery, TBody, TResponses, TStatus> {
  method: Method
  /** h3 pattern, e.g. `/v1/reviews/:id`. */
  path: TPath
  access: TAccess
  /** Default: `?key=` is an unknown parameter. */
  keyParameter?: KeyParameter
  /**
   * Time limit of the work. Default `request`; `bulk` for work that grows with the data; `own` for imports and backups, which
   * limit each of their steps instead.
   */
  time?: 'request' | 'bulk' | 'own'
  /** `false` for work that runs no transaction, which gets a plain time limit instead of a deadline (db/deadline.ts). */
  transactions?: false
  /** Whether the route exists for this request, checked before validation. @throws {ApiError} the response to an outsider */
  guard?(request: { request: ServerRequest; query: QueryString }): void
  /** Its own error codes, besides those of its access, path, body and query string. */
  errors?: readonly ErrorCode[]
  /** Its name in the API description; a route without one is not described. */
  operationId?: string
  /** Default: `Operator` for routes with the operator's token, otherwise `Service`. */
  tag?: string
  summary?: string
  description?: string
  pathParameters?: Record<string, PathParameter>
  headers?: readonly object[]
  /** Default: any parameter is an error; `ignored`: parameters are not checked. */
  query?: QueryRule<TQuery> | 'ignored'
  /** Default: a body is an error; `ignored`: the body is not read. */
  body?: BodyRule<TBody> | 'ignored'
  /** Responses by status, without the errors. Optional for a route that is not described. */
  responses?: TResponses
  handle(
    context: RouteContext<TAccess, TPath, TQuery, TBody>,
  ): Promise<ResultOf<TResponses> & RouteResult & { status: TStatus }>
}

/** A route as seen by the pipeline and the API description. */
export interface Route
  extends Omit<RouteDefinition<Access, string, unknown, unknown, ResponseRules | undefined, number>, 'handle'> {
  /** The context was made from the request by the route's own rules. */
  handle(context: BaseContext): Promise<RouteResult>
}

/**
 * A route whose handler is typed by its path, access and rules. h3's `defineValidatedHandler` has the types too, but
 * validates the body only when a handler asks for it, answers 400 with the first finding, and describes nothing.
 */
export function defineRoute<
  TAccess extends Access,
  const TPath extends string,
  TQuery = undefined,
  TBody = undefined,
  TResponses extends ResponseRules | undefined = undefined,
  // Keeps a handler's status a literal type.
  TStatus extends number = number,
>(route: RouteDefinition<TAccess, TPath, TQuery, TBody, TResponses, TStatus>): Route {
  return route
}
