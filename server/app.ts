import { H3, type H3Event } from 'h3'
import type { ServerRequest } from 'srvx'
import type { AppDeps } from './app-deps.ts'
import { createSignIn } from './console/sign-in.ts'
import { beforeBackground } from './db/turns.ts'
import { ApiError } from './http/api-error.ts'
import { bodyBudgets } from './http/byte-budget.ts'
import { queryCorsHeaders } from './http/cors.ts'
import { createRequestContext, type RequestContext } from './http/request-context.ts'
import { handleRequest } from './http/request-pipeline.ts'
import { isPlainPath, requestTarget } from './http/request-target.ts'
import { respond } from './http/respond.ts'
import type { RouteResult } from './http/response-rule.ts'
import type { Route } from './http/route.ts'
import { errorPage } from './pages/error-page.ts'
import { trailingSlashes } from './pages/trailing-slash.ts'
import { consoleRoutes } from './routes/console/routes.ts'
import { importRoutes } from './routes/imports/imports.ts'
import { UploadQueues } from './routes/imports/upload-queue.ts'
import { operatorRoutes } from './routes/operator/routes.ts'
import { pageRoutes } from './routes/pages/routes.ts'
import { openApiRoute } from './routes/service/openapi.ts'
import { serviceRoutes } from './routes/service/routes.ts'
import { pushReviews } from './routes/v1/push-reviews.ts'
import { queryRoutes } from './routes/v1/query.ts'
import { reviewRoutes } from './routes/v1/reviews.ts'

/**
 * The whole HTTP interface as one `fetch`: the socket server and the command line in-process both call it. A request passes
 *
 * 1. `http/respond.ts`, around all: its id, its line in the log, the error envelope of what is thrown;
 * 2. here: is there such a route, by path and method?
 * 3. `http/request-pipeline.ts`: content type → size → key format → key kind → key look-up → origin → rate limit → query
 *    string and body → the route's work, in time.
 */
export function createApp(deps: AppDeps): H3 {
  const signIn = deps.console && createSignIn({ sql: deps.sql, settings: deps.console, secret: deps.cursorSecret })
  const queues = new UploadQueues()
  const routes = [...routesOf(deps, queues), ...(signIn ? consoleRoutes(deps, signIn, queues) : [])]
  const pipeline = { ...deps, signIn, bodies: deps.bodies ?? bodyBudgets() }
  const respondDeps = { ...deps, observe: deps.metrics?.observe, errorPage }
  const respondTo = (event: H3Event, work: (context: RequestContext) => Promise<RouteResult> | RouteResult) => {
    const context = createRequestContext(event.req)
    return respond(context, respondDeps, () => work(context))
  }

  const app = new H3({
    // Paths with malformed escapes reach the 404 below instead of the framework's own 400.
    allowMalformedURL: true,
    silent: true,
    onError: (error, event) => respondTo(event, () => frameworkError(error)),
  })
  const withoutSlash = trailingSlashes(routes)
  // No route has an empty, escaped or dot segment, and the router would be more lenient.
  app.use((event, next) =>
    namesRoute(event.req) ? next() : respondTo(event, (context) => withoutSlash(context) ?? notFound(context)),
  )
  for (const route of routes) {
    const handler = (event: H3Event) =>
      respondTo(event, (context) => {
        const handle = () => handleRequest(route, context, decodedParams(event), pipeline)
        return reads(route) ? beforeBackground(deps.sql, handle) : handle()
      })
    app.on(route.method, route.path, handler)
    // Monitors probe with HEAD. On /v1 the contract does not have that method.
    if (route.access === 'open' && route.method === 'GET') app.head(route.path, handler)
  }
  app.all('/**', (event) => respondTo(event, notFound))
  return app
}

/** Whether a route stores nothing that a push or an import would wait behind: background work lets it go first. */
function reads({ method, path }: Route): boolean {
  return method === 'GET' || path === '/v1/query'
}

/** The routes for clients. `/openapi.json` is generated from them. */
export function routesOf(deps: AppDeps, queues = new UploadQueues()): Route[] {
  const routes = [
    ...queryRoutes(deps),
    pushReviews(deps),
    ...reviewRoutes(deps),
    ...importRoutes(deps, queues),
    ...operatorRoutes(deps),
    ...serviceRoutes(deps),
    ...pageRoutes(deps),
  ]
  return [...routes, openApiRoute(deps, routes)]
}

function notFound(context: RequestContext): never {
  if (context.path === '/v1/query') Object.assign(context.headers, queryCorsHeaders)
  const message = 'There is no such route. Paths are exact: no slash at the end, and the method counts.'
  throw new ApiError('not_found', message)
}

/** Errors of the framework itself, whose statuses are not the contract's. */
function frameworkError(error: { status?: number; cause?: unknown }): never {
  if (error.status !== undefined && error.status >= 400 && error.status < 500) {
    throw new ApiError('not_found', 'There is no such route.')
  }
  throw error
}

const NAMED_BY_PEOPLE = '/operator/projects/'

function namesRoute(request: ServerRequest): boolean {
  const { path } = requestTarget(request)
  if (path === '/' || isPlainPath(path)) return true
  return path.startsWith(NAMED_BY_PEOPLE) && isPlainPath(path.replace(/%[0-9a-fA-F]{2}/g, '_'))
}

function decodedParams(event: H3Event): Record<string, string> {
  const params = event.context.params ?? {}
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decoded(value)]))
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
