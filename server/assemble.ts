import { randomBytes } from 'node:crypto'
import { untilAborted } from './abort.ts'
import { createApp } from './app.ts'
import type { AppDeps } from './app-deps.ts'
import type { ServerConfig } from './config.ts'
import { consoleSettings } from './console/access.ts'
import { watchCluster } from './db/cluster-watch.ts'
import { freeSpaceOf, LEAST_FREE_BYTES } from './db/home/free-space.ts'
import { migrate } from './db/migrate.ts'
import { COMMAND_WAITS, SERVER_WAITS, untilLocked } from './db/until-locked.ts'
import { demoSettings } from './demo/access.ts'
import type { Log } from './deps.ts'
import { createDoctor } from './doctor.ts'
import { createEmbedder } from './embed/create.ts'
import type { Embedder } from './embed/embedder.ts'
import { cachedQueries } from './embed/query-cache.ts'
import { everyMinute } from './every-minute.ts'
import { createAddressLimit, createNoteLimit } from './http/address-limit.ts'
import { trustedProxies } from './http/client-address.ts'
import { backfillVerdicts } from './indexing/backfill-verdicts.ts'
import { Worker } from './indexing/worker.ts'
import { createMetrics } from './metrics.ts'
import type { OpenDatabase } from './open-database.ts'
import { createFindBestCosines } from './search/best-cosine.ts'
import { createResultCache } from './search/cache.ts'
import { createExplain } from './search/explain.ts'
import { createInsights, withInsights } from './search/insights.ts'
import { SearchMemory } from './search/memory/search-memory.ts'
import { createSearch } from './search/search.ts'
import { createSentimentClassifier } from './sentiment/classifier.ts'
import { activateModel, activeModelName, cursorSecret, storedDimensions } from './sql/installation/installation.ts'
import { purgeDeletedProjects } from './sql/projects/delete-project.ts'
import { forgetInsights } from './sql/usage/query-insights.ts'

/** The application in this process, closed by whoever opened it. */
export interface Service {
  fetch(request: Request): Promise<Response>
  operatorToken: string
  /** A database that servers may share was of an earlier version until now. */
  updated: boolean
  worker: Worker
  /** Loads what the first search would otherwise wait for. */
  warm(): Promise<void>
  /** Resolves when nothing in the queue is due. */
  idle(): Promise<void>
  /** Finishes the work in progress, within about ten seconds. */
  close(): Promise<void>
}

/** Leaves three of `docker stop`'s ten seconds for closing the database. */
export const DRAIN_MS = 7_000
/** About 1 KB each. */
const QUERY_VECTORS = 2_000

/**
 * Everything between socket and database: migrates, then creates the parts and wires them up. Its `close` also closes the
 * database.
 * @param options.docsUrl address of the documentation
 * @param options.signal ends the wait for what holds the tables
 * @param options.searchMemory bytes; 0: the database does every search
 * @param options.shortLived for a command, whose settings may differ from the server's: it deletes no old counts, and leaves a
 * database that servers may share with the embedding model that it has
 * @throws {DatabaseUnfit | ModelChanged}
 */
export async function assemble(
  config: ServerConfig,
  database: OpenDatabase,
  log: Log,
  options: {
    docsUrl: string
    searchMemory: number
    embedder?: Embedder | undefined
    shortLived?: boolean
    signal?: AbortSignal | undefined
  },
): Promise<Service> {
  const { sql, exclusive } = database
  const { docsUrl, searchMemory, signal } = options
  const waits = options.shortLived ? COMMAND_WAITS : SERVER_WAITS
  const step = <T>(what: string, work: () => Promise<T>) =>
    exclusive ? work() : untilAborted(untilLocked(sql, what, log, waits, work), signal)
  const { updated } = await step('Opening the database', () => migrate(sql, log, waits))
  const watch = exclusive ? undefined : await watchCluster(sql, log)
  const embedder =
    options.embedder ??
    (await createEmbedder(config.embedder, {
      fetch,
      log,
      activeName: await activeModelName(sql),
      storedDimensions: (id) => storedDimensions(sql, id),
    }))
  const { id: name, dimensions } = embedder
  const { modelId, reindexing } = await step('The change of the embedding model', () =>
    activateModel(sql, { name, dimensions }, { keep: !exclusive && options.shortLived === true, lockMs: waits.lockMs }),
  )
  if (reindexing > 0) {
    log.warn({ model: name, reviews: reindexing }, 'the embedding model changed: indexing every review again')
  }
  // PostgreSQL's disk is elsewhere, and it rejects by itself what does not fit.
  const freeSpace = exclusive ? freeSpaceOf(config.home) : undefined
  const classify = createSentimentClassifier()
  const verdictBackfill = backfillVerdicts({ sql, log, classify })
  const removal = everyMinute(
    async (shouldContinue) => {
      const projects = await purgeDeletedProjects(sql, shouldContinue)
      if (projects > 0) log.info({ projects }, 'removed the remaining data of deleted projects')
    },
    log,
    'could not remove the remaining data of deleted projects',
  )
  const forgetting = options.shortLived
    ? undefined
    : everyMinute(
        (shouldContinue) => forgetInsights(sql, config.insightsDays, shouldContinue),
        log,
        'could not delete old counts of searches',
      )
  const worker = new Worker({
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
  const { decisive } = embedder
  const memory =
    searchMemory > 0 ? new SearchMemory({ sql, log, budget: searchMemory, dimensions, decisive }) : undefined
  const isModelActive = () => worker.state().waiting?.reason !== 'other_model'
  const cache = createResultCache(config.cache)
  const search = createSearch({ sql, embedder: queries, modelId, memory, cache, log, isModelActive })
  const insights = config.insightsDays > 0 ? createInsights({ sql, log }) : undefined
  const model = { name, id: modelId }
  const clock = () => new Date()
  const secret = await cursorSecret(sql)
  const { addressShare: share } = config
  const proxies = trustedProxies(config.trustedProxies)
  const addressLimit = share > 0 ? createAddressLimit({ sql, log, share, secret, proxies }) : undefined
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
    noteLimit: createNoteLimit({ proxies, clock }),
    sharedCacheSeconds: config.sharedCacheSeconds,
    allowance: config.allowance,
    freeSpace,
    copyDatabase: database.copy,
    projects: config.projects,
    model,
    doctor: createDoctor({ sql, memory, config, embedder, model, clock }),
    metrics: createMetrics({ sql, memory, worker }),
    demo: demoSettings(config),
    console: consoleSettings(config),
  }
  const app = createApp(deps)
  // In order of dependency: nothing uses a part that was stopped, and the database comes last.
  const close = onlyOnce(async () => {
    addressLimit?.stop()
    await worker.stop(DRAIN_MS / 1000)
    await verdictBackfill.stop()
    await removal.stop()
    await forgetting?.stop()
    await memory?.stop()
    await insights?.stop()
    await embedder.close?.()
    watch?.stop()
    await database.close()
  })
  return {
    fetch: async (request) => app.fetch(request),
    operatorToken,
    updated: updated && !exclusive,
    worker,
    warm: async () => embedder.warm?.(),
    idle: () => worker.idle(),
    close,
  }
}

/** Does the work on the first call; all calls wait for it. */
export function onlyOnce(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= work()
    return done
  }
}
