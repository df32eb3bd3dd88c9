import { randomBytes } from 'node:crypto'
import { defined } from '../src/contract/defined.ts'
import { untilAborted } from './abort.ts'
import { createApp } from './app.ts'
import type { AppDeps } from './app-deps.ts'
import { startBackgroundWork } from './background-work.ts'
import type { ServerConfig } from './config.ts'
import { consoleSettings } from './console/access.ts'
import { watchCluster } from './db/cluster-watch.ts'
import { freeSpaceOf } from './db/home/free-space.ts'
import { type FoundSchema, migrate } from './db/migrate.ts'
import { COMMAND_WAITS, SERVER_WAITS, untilLocked } from './db/until-locked.ts'
import { demoSettings } from './demo/access.ts'
import type { Log } from './deps.ts'
import { createDoctor } from './doctor.ts'
import { createEmbedder } from './embed/create.ts'
import type { Embedder } from './embed/embedder.ts'
import { cachedQueries } from './embed/query-cache.ts'
import { createAddressLimit, createNoteLimit } from './http/address-limit.ts'
import { trustedProxies } from './http/client-address.ts'
import type { Worker } from './indexing/worker.ts'
import { onlyOnce } from './only-once.ts'
import type { OpenDatabase } from './open-database.ts'
import { createFindBestCosines } from './search/best-cosine.ts'
import { createResultCache } from './search/cache.ts'
import { createExplain } from './search/explain.ts'
import { createInsights, withInsights } from './search/insights.ts'
import { preload } from './search/memory/preload.ts'
import { SearchMemory } from './search/memory/search-memory.ts'
import { createSearch } from './search/search.ts'
import { activateModel, activeModelName, cursorSecret, storedDimensions } from './sql/installation/installation.ts'

/** The application in this process, closed by whoever opened it. */
export interface Service {
  fetch(request: Request): Promise<Response>
  operatorToken: string
  /** Of the database before it was opened. */
  foundSchema: FoundSchema
  worker: Worker
  /** Loads what the first search would otherwise wait for. */
  warm(): Promise<void>
  /** Resolves when nothing in the queue is due. */
  idle(): Promise<void>
  /** Finishes the work in progress, within about ten seconds. */
  close(): Promise<void>
}

/** About 1 KB each. */
const QUERY_VECTORS = 2_000

interface AssembleOptions {
  /** Address of the documentation. */
  docsUrl: string
  /** Bytes; 0: the database does every search. */
  searchMemory: number
  embedder?: Embedder | undefined
  /**
   * For a command, whose settings may differ from the server's: it deletes no old counts, and leaves a database that servers
   * may share with the embedding model that it has.
   */
  shortLived?: boolean
  /** Ends the wait for what holds the tables. */
  signal?: AbortSignal | undefined
}

/**
 * Everything between socket and database: migrates, then creates the parts and wires them up. Its `close` also closes the
 * database.
 * @throws {DatabaseUnfit | ModelChanged}
 */
export async function assemble(
  config: ServerConfig,
  database: OpenDatabase,
  log: Log,
  options: AssembleOptions,
): Promise<Service> {
  const { sql, exclusive } = database
  const { docsUrl, searchMemory } = options
  const { foundSchema, watch, embedder, model } = await prepare(config, database, log, options)
  // PostgreSQL's disk is elsewhere, and it rejects by itself what does not fit.
  const freeSpace = exclusive ? freeSpaceOf(config.home) : undefined
  const { worker, stop: stopWork } = startBackgroundWork({
    sql,
    log,
    config,
    embedder,
    modelId: model.id,
    exclusive,
    freeSpace,
    keepsCounts: options.shortLived === true,
  })
  const operatorToken = config.operatorToken ?? randomBytes(32).toString('base64url')
  const queries = cachedQueries(embedder, { entries: QUERY_VECTORS, embedded: () => worker.providerAnswers() })
  const { dimensions, decisive } = embedder
  const memory =
    searchMemory > 0 ? new SearchMemory({ sql, log, budget: searchMemory, dimensions, decisive }) : undefined
  if (memory && exclusive) void preload(memory, { sql, log, modelId: model.id })
  const vectors = { sql, embedder: queries, modelId: model.id }
  const isModelActive = () => worker.state().waiting?.reason !== 'other_model'
  const cache = createResultCache(config.cache)
  const search = createSearch({ ...vectors, memory, cache, log, isModelActive })
  const insights = config.insightsDays > 0 ? createInsights({ sql, log }) : undefined
  const clock = () => new Date()
  const secret = await cursorSecret(sql)
  const { addressShare: share } = config
  const proxies = trustedProxies(config.trustedProxies)
  const addressLimit = share > 0 ? createAddressLimit({ sql, log, share, secret, proxies }) : undefined
  // Nobody scrapes a command, and their package takes 50 ms to load.
  const metrics = options.shortLived ? undefined : (await import('./metrics.ts')).createMetrics({ sql, memory, worker })
  const deps: AppDeps = {
    sql,
    memory,
    search: insights ? withInsights(search, insights) : search,
    insights: { nearest: createFindBestCosines({ ...vectors, memory }), counting: insights !== undefined },
    explain: createExplain({ ...vectors, memory }),
    worker,
    clock,
    log,
    docsUrl,
    operatorToken,
    cursorSecret: secret,
    addressLimit,
    noteLimit: createNoteLimit({ proxies, clock }),
    sharedCacheSeconds: config.sharedCacheSeconds,
    allowance: config.allowance,
    freeSpace,
    copyDatabase: database.copy,
    projects: config.projects,
    model,
    doctor: createDoctor({ sql, memory, config, embedder, model, clock }),
    ...defined({ metrics }),
    demo: demoSettings(config),
    console: consoleSettings(config),
  }
  const app = createApp(deps)
  // In order of dependency: nothing uses a part that was stopped, and the database comes last.
  const close = onlyOnce(async () => {
    addressLimit?.stop()
    await stopWork()
    await memory?.stop()
    await insights?.stop()
    await embedder.close?.()
    watch?.stop()
    await database.close()
  })
  return {
    fetch: async (request) => app.fetch(request),
    operatorToken,
    foundSchema,
    worker,
    warm: async () => embedder.warm?.(),
    idle: () => worker.idle(),
    close,
  }
}

/** Migrates the database and has it indexed with the embedding model of the settings. */
async function prepare(
  config: ServerConfig,
  { sql, exclusive }: OpenDatabase,
  log: Log,
  { embedder: given, shortLived = false, signal }: AssembleOptions,
) {
  const waits = shortLived ? COMMAND_WAITS : SERVER_WAITS
  const step = <T>(what: string, work: () => Promise<T>) =>
    exclusive ? work() : untilAborted(untilLocked(sql, what, log, waits, work), signal)
  const foundSchema = await step('Opening the database', () => migrate(sql, log, waits))
  const watch = exclusive ? undefined : await watchCluster(sql, log)
  const embedder =
    given ??
    (await createEmbedder(config.embedder, {
      fetch,
      log,
      activeName: await activeModelName(sql),
      storedDimensions: (id) => storedDimensions(sql, id),
    }))
  const { id: name, dimensions } = embedder
  const { modelId, reindexing } = await step('The change of the embedding model', () =>
    activateModel(sql, { name, dimensions }, { keep: !exclusive && shortLived, lockMs: waits.lockMs }),
  )
  if (reindexing > 0) {
    log.warn({ model: name, reviews: reindexing }, 'the embedding model changed: indexing every review again')
  }
  return { foundSchema, watch, embedder, model: { name, id: modelId } }
}
