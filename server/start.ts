import { randomBytes } from 'node:crypto'
import { HOME_WAIT_MS } from '../src/contract/server-file.ts'
import { createApp } from './app.ts'
import type { AppDeps } from './app-deps.ts'
import type { ServerConfig } from './config.ts'
import { consoleSettings } from './console/access.ts'
import type { EmbeddedOptions } from './db/embedded/open-embedded.ts'
import { freeSpaceOf, LEAST_FREE_BYTES } from './db/home/free-space.ts'
import { migrate } from './db/migrate.ts'
import { demoSettings } from './demo/access.ts'
import type { Log } from './deps.ts'
import { createDoctor } from './doctor.ts'
import { createEmbedder } from './embed/create.ts'
import type { Embedder } from './embed/embedder.ts'
import { cachedQueries } from './embed/query-cache.ts'
import { createAddressLimit } from './http/address-limit.ts'
import { trustedProxies } from './http/client-address.ts'
import { type Listening, listen } from './http/listen.ts'
import { createStartupHandler } from './http/startup-handler.ts'
import { backfillVerdicts } from './indexing/backfill-verdicts.ts'
import { startWorker, type Worker } from './indexing/worker.ts'
import { createLogger } from './logger.ts'
import { createMetrics } from './metrics.ts'
import { explainDatabaseError, openEmbeddedStorage, openPostgresStorage, type Storage } from './open-database.ts'
import { checkPort, explainListenError } from './port.ts'
import { createFindBestCosines } from './search/best-cosine.ts'
import { createResultCache } from './search/cache.ts'
import { createExplain } from './search/explain.ts'
import { createInsights, withInsights } from './search/insights.ts'
import { createSearchMemory } from './search/memory/search-memory.ts'
import { createSearch } from './search/search.ts'
import { createSentimentClassifier } from './sentiment/classifier.ts'
import { activateModel, cursorSecret, storedDimensions } from './sql/installation/installation.ts'

/** For tests and for commands that want to hear or replace parts. */
export interface StartHooks {
  log?: Log
  embedder?: Embedder
  /** Ends a start that waits for the database; once it runs, `close` ends it. */
  signal?: AbortSignal
}

/** The application in this process. The one who opened it closes it. */
export interface Service {
  fetch(request: Request): Promise<Response>
  operatorToken: string
  worker: Worker
  /** Resolves when nothing is due in the queue any more. */
  idle(): Promise<void>
  /** Finishes what is under way, within about ten seconds. */
  close(): Promise<void>
}

export interface RunningServer extends Service {
  /** `http://host:port`. */
  url: string
}

/** Leaves three seconds to close the database within the ten that `docker stop` waits. */
const DRAIN_MS = 7_000
/** About 1 KB each. */
const QUERY_VECTORS = 2_000

/**
 * Starts a server: database, migrations, model, worker, socket. On PostgreSQL it listens first, so that `/healthz`
 * answers while the database is awaited; the embedded database comes first, since its folder may be taken.
 *
 * @throws {HomeInUse | HomeUnusable | DatabaseUnreachable | DatabaseUnfit | ModelChanged} with a message for people
 */
export async function startServer(config: ServerConfig, hooks: StartHooks = {}): Promise<RunningServer> {
  const log = hooks.log ?? createLogger(config.logLevel)
  let docsUrl = docsUrlOf(config, `http://${config.host}:${config.port}`)
  let answer: (request: Request) => Response | Promise<Response> = createStartupHandler(log, () => docsUrl)
  const open = async () => {
    const listening = await listen((request) => answer(request), {
      host: config.host,
      port: config.port,
      log,
      docsUrl: () => docsUrl,
    }).catch((error: unknown) => {
      throw explainListenError(error, config)
    })
    docsUrl = docsUrlOf(config, listening.url)
    return listening
  }

  const closers: (() => Promise<void>)[] = []
  try {
    if (config.databaseUrl === undefined) await checkPort(config)
    const embedded =
      config.databaseUrl === undefined
        ? await openEmbeddedStorage(config.home, log, { waitMs: HOME_WAIT_MS, signal: hooks.signal })
        : undefined
    if (embedded) closers.push(() => embedded.close())
    const listening = await open()
    closers.push(() => listening.close(0))
    const storage = embedded ?? (await openStorage(config, log, { signal: hooks.signal }))
    if (!embedded) closers.unshift(() => storage.close())
    const service = await assemble(config, storage, log, docsUrl, hooks, config.searchMemory)
    answer = service.fetch
    await storage.lock?.publish({ url: listening.url, operatorToken: service.operatorToken })
    // Who started it says where, in words.
    log.debug({ url: listening.url }, 'serving')
    return running(service, listening, storage, log)
  } catch (error) {
    for (const close of closers.reverse()) await close().catch(() => {})
    throw explainDatabaseError(error, config)
  }
}

/** The same without a socket, for a command that opens the database itself. */
export async function openService(config: ServerConfig, hooks: StartHooks = {}): Promise<Service> {
  const log = hooks.log ?? createLogger(config.logLevel)
  const storage = await openStorage(config, log, { frugal: true, signal: hooks.signal })
  try {
    const docsUrl = docsUrlOf(config, `http://${config.host}:${config.port}`)
    // One search costs less by SQL than reading all vectors into memory for it.
    return await assemble(config, storage, log, docsUrl, hooks, 0)
  } catch (error) {
    await storage.close().catch(() => {})
    throw explainDatabaseError(error, config)
  }
}

/** Everything behind the socket. Its `close` closes the storage too. */
async function assemble(
  config: ServerConfig,
  storage: Storage,
  log: Log,
  docsUrl: string,
  hooks: StartHooks,
  searchMemory: number,
): Promise<Service> {
  const { sql, exclusive } = storage
  await migrate(sql, log)
  const embedder =
    hooks.embedder ??
    (await createEmbedder(config.embedder, { fetch, log, storedDimensions: (id) => storedDimensions(sql, id) }))
  const { modelId, reindexing } = await activateModel(sql, { name: embedder.id, dimensions: embedder.dimensions })
  if (reindexing > 0) {
    log.warn({ model: embedder.id, reviews: reindexing }, 'the embedding model changed: every review is indexed again')
  }
  // Of PostgreSQL the disk is elsewhere, and it refuses by itself what it has no room for.
  const freeSpace = exclusive ? freeSpaceOf(config.home) : undefined
  const classify = createSentimentClassifier()
  const judging = backfillVerdicts({ sql, log, classify })
  const worker = startWorker({
    sql,
    embedder,
    classify,
    log,
    modelId,
    dailyAllowance: config.allowance.dailyEmbeddings,
    exclusive,
    hasFreeSpace: freeSpace && (async () => ((await freeSpace()) ?? LEAST_FREE_BYTES) >= LEAST_FREE_BYTES),
  })
  const operatorToken = config.operatorToken ?? randomBytes(32).toString('base64url')
  const queries = cachedQueries(embedder, { entries: QUERY_VECTORS })
  const { dimensions } = embedder
  const memory = searchMemory > 0 ? createSearchMemory({ sql, log, budget: searchMemory, dimensions }) : undefined
  const search = createSearch({ sql, embedder: queries, modelId, memory, cache: createResultCache(config.cache), log })
  const insights = config.insightsDays > 0 ? createInsights({ sql, log, days: config.insightsDays }) : undefined
  const model = { name: embedder.id, id: modelId }
  const clock = () => new Date()
  const secret = await cursorSecret(sql)
  const { addressShare: share } = config
  const addressLimit =
    share > 0
      ? createAddressLimit({ sql, log, share, secret, proxies: trustedProxies(config.trustedProxies) })
      : undefined
  const demo = demoSettings(config)
  const consolePage = consoleSettings(config)
  const deps: AppDeps = {
    sql,
    memory,
    search: insights ? withInsights(search, insights) : search,
    insights: { nearest: createFindBestCosines({ sql, embedder: queries, modelId }), counting: insights !== undefined },
    explain: createExplain({ sql, embedder: queries, modelId }),
    worker,
    clock,
    log,
    docsUrl,
    operatorToken,
    cursorSecret: secret,
    addressLimit,
    sharedCacheSeconds: config.sharedCacheSeconds,
    allowance: config.allowance,
    ...(freeSpace ? { freeSpace } : {}),
    copyDatabase: storage.copy,
    projects: config.projects,
    model,
    doctor: createDoctor({ sql, memory, config, embedder, model, clock }),
    metrics: createMetrics({ sql, memory, worker }),
    ...(demo ? { demo } : {}),
    ...(consolePage ? { console: consolePage } : {}),
  }
  const app = createApp(deps)
  const close = onlyOnce(async () => {
    addressLimit?.stop()
    await worker.stop(DRAIN_MS / 1000)
    await judging.stop()
    await memory?.stop()
    await insights?.stop()
    await embedder.close?.()
    await storage.close()
  })
  return { fetch: async (request) => app.fetch(request), operatorToken, worker, idle: () => worker.idle(), close }
}

function running(service: Service, listening: Listening, storage: Storage, log: Log): RunningServer {
  const close = onlyOnce(async () => {
    log.info({}, 'stopping: requests and indexing in progress are finished')
    await Promise.all([listening.close(DRAIN_MS), service.worker.stop(DRAIN_MS / 1000)])
    await service.close()
    log.info({}, 'stopped')
  })
  if (storage.exclusive) {
    // Another process may open the folder now; two that write to it would destroy it.
    void storage.lock?.lost.then(() => {
      log.error({}, 'the data folder was lost to another process or deleted: stopping')
      process.exitCode = 1
      return close()
    })
  }
  return { ...service, url: listening.url, close }
}

async function openStorage(
  config: ServerConfig,
  log: Log,
  options: EmbeddedOptions & { signal?: AbortSignal | undefined },
): Promise<Storage> {
  const { databaseUrl, home } = config
  return databaseUrl === undefined
    ? openEmbeddedStorage(home, log, options)
    : openPostgresStorage({ databaseUrl, home }, log, options.signal)
}

function docsUrlOf(config: ServerConfig, address: string): string {
  return `${config.publicUrl ?? address}/docs`
}

function onlyOnce(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= work()
    return done
  }
}
