import type { ServerRequest } from 'srvx'
import type * as v from 'valibot'
import type { ErrorCode } from '../../src/contract/errors.ts'
import type { ConsoleSession } from '../sql/access/console-sessions.ts'
import type { Authenticated } from '../sql/access/key-looks.ts'
import type { KeyParameter } from './auth.ts'
import type { BodyRule } from './body-rule.ts'
import type { QueryRule } from './query-rule.ts'
import type { QueryString } from './query-string.ts'
import type { ResponseRules, ResultOf, RouteResult } from './response-rule.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'OPTIONS'

/** Who may call a route, and what its handler then knows of them. */
export interface Callers {
  /** With an API key that may do everything in its project and environment. */
  'secret key': { key: Authenticated }
  /** With any API key; from a page, from an origin that its project lists. */
  'any key': { key: Authenticated }
  /** With the operator's token, which no API key replaces. */
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

/** What a handler gets of a request that has passed every check. */
export type RouteContext<TAccess extends Access, TPath extends string, TQuery, TBody> = BaseContext &
  Callers[TAccess] & { params: PathParameters<TPath>; query: TQuery; body: TBody }

interface RouteDefinition<TAccess extends Access, TPath extends string, TQuery, TBody, TResponses, TStatus> {
  method: Method
  /** h3 pattern, e.g. `/v1/reviews/:id`. */
  path: TPath
  access: TAccess
  /** Which API keys may stand in `?key=`; `unknown` unless set. */
  keyParameter?: KeyParameter
  /**
   * How long the work may take. `request` unless set; `bulk` for work that grows with the data; `own` for imports and
   * backups, which look at each of their steps instead.
   */
  time?: 'request' | 'bulk' | 'own'
  /**
   * Whether the route is there for this request, asked before it is validated.
   *
   * @throws {ApiError} what an outsider hears
   */
  guard?(request: { request: ServerRequest; query: QueryString }): void
  /** Error codes of its own, in addition to those of its access, path, body and query string. */
  errors?: readonly ErrorCode[]
  /** Its name in the API description; a route without one is not described. */
  operationId?: string
  /** `Operator` for what takes the operator's token, else `Service`, unless set. */
  tag?: string
  summary?: string
  description?: string
  pathParameters?: Record<string, PathParameter>
  headers?: readonly object[]
  /** Unless set, any parameter is an error; `ignored`: none is looked at. */
  query?: QueryRule<TQuery> | 'ignored'
  /** Unless set, a body is an error; `ignored`: none is looked at. */
  body?: BodyRule<TBody> | 'ignored'
  /** Answers by status, without the errors. May be left out for a route that is not described. */
  responses?: TResponses
  handle(
    context: RouteContext<TAccess, TPath, TQuery, TBody>,
  ): Promise<ResultOf<TResponses> & RouteResult & { status: TStatus }>
}

/** A route as the pipeline and the API description see it. */
export interface Route
  extends Omit<RouteDefinition<Access, string, unknown, unknown, ResponseRules | undefined, number>, 'handle'> {
  /** The context is what the route's own rules made of the request. */
  handle(context: BaseContext): Promise<RouteResult>
}

/**
 * A route, whose handler's types are those of its path, access and rules. h3's `defineValidatedHandler` has the types too,
 * but reads and checks the body when a handler asks for it, answers 400 with the first thing that is wrong, and describes
 * nothing.
 */
export function defineRoute<
  TAccess extends Access,
  const TPath extends string,
  TQuery = undefined,
  TBody = undefined,
  TResponses extends ResponseRules | undefined = undefined,
  // Keeps a status that a handler returns from becoming any number.
  TStatus extends number = number,
>(route: RouteDefinition<TAccess, TPath, TQuery, TBody, TResponses, TStatus>): Route {
  return route
}
