import { H3, type H3Event } from 'h3'
import type { ServerRequest } from 'srvx'
import type { Plan } from '../src/contract/limits.ts'
import type { ConsoleSettings } from './console/access.ts'
import { readConsolePage } from './console/page.ts'
import { createSignIn, type SignIn } from './console/sign-in.ts'
import type { FreeSpace } from './db/home/free-space.ts'
import type { Clock, Log, Pool } from './deps.ts'
import type { Doctor } from './doctor.ts'
import type { AddressLimit } from './http/address-limit.ts'
import { ApiError } from './http/api-error.ts'
import { type BodyBudgets, bodyBudgets } from './http/byte-budget.ts'
import { preflightHeaders, queryCorsHeaders } from './http/cors.ts'
import { handleRequest, type Route } from './http/request-pipeline.ts'
import { isPlainPath, requestTarget } from './http/request-target.ts'
import { createRequestContext, type RequestContext, type RouteResult, respond } from './http/respond.ts'
import type { Worker } from './indexing/worker.ts'
import type { AcceptOptions } from './ingest/accept.ts'
import type { Metrics } from './metrics.ts'
import { consoleAskedRoute } from './routes/console/asked.ts'
import { consoleHealthRoute } from './routes/console/health.ts'
import { consoleImportRoutes } from './routes/console/imports.ts'
import { consolePageRoutes } from './routes/console/page.ts'
import { consoleReviewRoutes } from './routes/console/reviews.ts'
import { consoleSearchRoutes } from './routes/console/search.ts'
import { consoleSessionRoutes } from './routes/console/session.ts'
import { consoleSettingsRoutes } from './routes/console/settings.ts'
import { consoleTagRoutes } from './routes/console/tag.ts'
import { importRoutes } from './routes/imports/imports.ts'
import { UploadQueues } from './routes/imports/upload-queue.ts'
import { operatorBackupRoute } from './routes/operator/backup.ts'
import { operatorConsoleRoutes } from './routes/operator/console-links.ts'
import { operatorDoctorRoute } from './routes/operator/doctor.ts'
import { operatorInsightsRoute } from './routes/operator/insights.ts'
import { operatorKeyRoutes } from './routes/operator/keys.ts'
import { operatorProjectRoutes } from './routes/operator/projects.ts'
import { operatorSetAsideRoutes } from './routes/operator/set-aside.ts'
import { type DemoSettings, demoRoutes } from './routes/pages/demo.ts'
import { documentationRoutes } from './routes/pages/documentation.ts'
import { errorReference } from './routes/pages/error-reference.ts'
import { homePage } from './routes/pages/home.ts'
import { explainRoute } from './routes/service/explain.ts'
import { healthz, readyz } from './routes/service/health.ts'
import { metricsRoute } from './routes/service/metrics.ts'
import { openApiRoute } from './routes/service/openapi.ts'
import { reviewIdsRoute } from './routes/service/review-ids.ts'
import { snippetRoutes } from './routes/service/snippet.ts'
import { snippetNoteRoute } from './routes/service/snippet-note.ts'
import { whoami } from './routes/service/whoami.ts'
import { pushReviews } from './routes/v1/push-reviews.ts'
import { queryRoutes } from './routes/v1/query.ts'
import { reviewRoutes } from './routes/v1/reviews.ts'
import type { FindBestCosines } from './search/best-cosine.ts'
import type { Explain } from './search/explain.ts'
import type { SearchMemory } from './search/memory/search-memory.ts'
import type { Search } from './search/search.ts'
import { type Bundles, readBundles } from './snippet/bundles.ts'

export interface AppDeps {
  sql: Pool
  search: Search
  /** Says why results appear; the route is there when this is. */
  explain?: Explain
  worker: Pick<Worker, 'nudge' | 'state'>
  /** Vectors in memory; absent: searches are the database's. */
  memory?: Pick<SearchMemory, 'state' | 'forget'> | undefined
  clock: Clock
  log: Log
  /** Address of the documentation, e.g. `http://127.0.0.1:8787/docs`; `doc_url` is made of it. */
  docsUrl: string
  /** Bearer token of the operator's routes. */
  operatorToken: string
  /** Signs list cursors; the same on every server of the installation. */
  cursorSecret: Uint8Array
  /** The operator's limits on indexing, past which pushes are `deferred`. */
  allowance: AcceptOptions['allowance']
  /** Of the embedded database's disk. */
  freeSpace?: FreeSpace
  /** What a new project gets, and how many there may be. */
  projects?: { defaultPlan?: Plan; max?: number }
  /** The vector space that this process embeds in. */
  model: { name: string; id: number }
  /** What the bodies of all requests together may take; 32 MiB before their keys are known and 128 MiB after unless told. */
  bodies?: BodyBudgets
  /** How long a body may take to arrive; 30 s unless told. */
  bodyTimeoutMs?: number
  /** How long the look-up of a key may take before it is 503; 8 s unless told. */
  databaseTimeoutMs?: number
  /** How long a request's work may take before it is 503; 20 s unless told. */
  requestTimeoutMs?: number
  /** What one address may take of a publishable key's requests; absent: all. */
  addressLimit?: AddressLimit | undefined
  /** How long a shared cache may keep the answer of a page's query; absent: not at all, as the contract has it. */
  sharedCacheSeconds?: number | undefined
  /** What visitors searched; absent: no route tells. */
  insights?: { nearest: FindBestCosines; counting: boolean }
  /** Looks the server over for its operator. */
  doctor?: Doctor
  /** Told of every answer; `/metrics` is there when this is. */
  metrics?: Metrics
  /** The built snippet; read from disk unless given. */
  snippet?: Bundles
  /** Who may see the demo's pages, and of which project; absent: nobody. */
  demo?: DemoSettings
  /** Who may see the console; absent: nobody. */
  console?: ConsoleSettings
}

/** The whole HTTP interface as one `fetch`: the socket server and the command line in-process both call it. */
export function createApp(deps: AppDeps): H3 {
  const bodies = deps.bodies ?? bodyBudgets()
  const queues = new UploadQueues()
  const signIn = deps.console && createSignIn({ sql: deps.sql, settings: deps.console, secret: deps.cursorSecret })
  const app = new H3({
    // Paths with malformed escapes go on to the 404 below instead of the framework's own 400.
    allowMalformedURL: true,
    silent: true,
    onError: (error, event) => answer(event, deps, () => refuse(error)),
  })

  // No route of ours has an empty, escaped or dot segment, and the router would be more forgiving.
  app.use((event, next) => (namesRoute(event.req) ? next() : answer(event, deps, notFound)))

  for (const route of [...routesOf(deps, queues), ...(signIn ? consoleRoutesOf(deps, signIn, queues) : [])]) {
    const handler = (event: H3Event) =>
      answer(event, deps, (context) =>
        handleRequest(route, context, decodedParams(event), { ...deps, bodies, ...(signIn ? { signIn } : {}) }),
      )
    app.on(route.method, route.path, handler)
    // Monitors probe with HEAD. On /v1 it is a method that the contract does not have.
    if (route.access === 'open') app.head(route.path, handler)
  }
  app.options('/v1/query', (event) => answer(event, deps, preflight))
  app.all('/**', (event) => answer(event, deps, notFound))
  return app
}

/** The console's page and what its scripts ask for: no interface for others, so that `openapi/` leaves it out. */
function consoleRoutesOf(deps: AppDeps, signIn: SignIn, queues: UploadQueues): Route[] {
  return [
    ...consolePageRoutes(signIn),
    ...consoleSessionRoutes({ ...deps, signIn }),
    consoleHealthRoute(deps),
    ...(deps.explain ? consoleSearchRoutes({ ...deps, explain: deps.explain }) : []),
    ...(deps.insights ? [consoleAskedRoute({ sql: deps.sql, ...deps.insights })] : []),
    ...consoleSettingsRoutes(deps),
    ...consoleReviewRoutes(deps),
    ...consoleImportRoutes(deps, queues),
    ...consoleTagRoutes(deps),
  ]
}

/** The routes for others but the preflight of `/v1/query`. `openapi/` describes them, and a test holds that it leaves none out. */
export function routesOf(deps: AppDeps, queues = new UploadQueues()): Route[] {
  return [
    pushReviews(deps),
    ...reviewRoutes(deps),
    ...queryRoutes(deps),
    ...(deps.explain ? [explainRoute({ sql: deps.sql, explain: deps.explain })] : []),
    ...importRoutes(deps, queues),
    whoami,
    reviewIdsRoute(deps),
    ...operatorProjectRoutes(deps),
    ...operatorKeyRoutes(deps),
    ...operatorSetAsideRoutes(deps),
    operatorBackupRoute(deps),
    ...operatorConsoleRoutes(deps),
    ...(deps.insights ? [operatorInsightsRoute({ sql: deps.sql, ...deps.insights })] : []),
    ...(deps.doctor ? [operatorDoctorRoute(deps.doctor)] : []),
    ...(deps.metrics ? [metricsRoute(deps.metrics)] : []),
    healthz,
    readyz(deps),
    homePage({ demo: deps.demo?.access, console: readConsolePage() && deps.console?.access }),
    errorReference,
    ...documentationRoutes(),
    openApiRoute(deps),
    ...snippetRoutes(deps.snippet ?? readBundles()),
    snippetNoteRoute(deps),
    ...(deps.demo ? demoRoutes({ sql: deps.sql, clock: deps.clock, ...deps.demo }) : []),
  ]
}

function answer(
  event: H3Event,
  deps: AppDeps,
  work: (context: RequestContext) => Promise<RouteResult> | RouteResult,
): Promise<Response> {
  const context = createRequestContext(event.req)
  const observe = deps.metrics?.observe
  return respond(context, { ...deps, observe }, () => work(context))
}

function preflight(context: RequestContext): RouteResult {
  context.logFields.route = '/v1/query'
  return { status: 204, headers: preflightHeaders(context.request.headers.get('origin') || null) }
}

function notFound(context: RequestContext): never {
  if (context.path === '/v1/query') Object.assign(context.headers, queryCorsHeaders)
  throw new ApiError(
    'not_found',
    'There is no such route. Paths are exact: no slash at the end, and the method counts.',
  )
}

/** What the framework refuses by itself. Its own statuses are not the contract's. */
function refuse(error: { status?: number; cause?: unknown }): never {
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
