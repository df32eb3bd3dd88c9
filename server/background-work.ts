import type { ServerConfig } from './config.ts'
import { onAllServers } from './db/cluster-watch.ts'
import { type FreeSpace, LEAST_FREE_BYTES } from './db/home/free-space.ts'
import type { Log, Pool } from './deps.ts'
import type { Embedder } from './embed/embedder.ts'
import { everyMinute } from './every-minute.ts'
import { backfillVerdicts } from './indexing/backfill-verdicts.ts'
import { Worker } from './indexing/worker.ts'
import { createSentimentClassifier } from './sentiment/classifier.ts'
import { purgeDeletedProjects } from './sql/projects/delete-project.ts'
import { forgetImportReports } from './sql/reviews/import-reports.ts'
import { forgetInsights } from './sql/usage/query-insights.ts'

/** Leaves three of `docker stop`'s ten seconds for closing the database. */
export const DRAIN_MS = 7_000

interface BackgroundDeps {
  sql: Pool
  log: Log
  config: ServerConfig
  embedder: Embedder
  modelId: number
  /** No other process has the database. */
  exclusive: boolean
  /** On the database's disk; undefined when that is elsewhere. */
  freeSpace: FreeSpace | undefined
  /** For a command, whose settings may differ from the server's: old counts of searches stay. */
  keepsCounts: boolean
}

/** Starts what goes on without requests: indexing, and removing what is no longer wanted. */
export function startBackgroundWork(deps: BackgroundDeps): { worker: Worker; stop(): Promise<void> } {
  const { sql, log, config, embedder, modelId, exclusive, freeSpace, keepsCounts } = deps
  const classify = createSentimentClassifier()
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
  const verdicts = backfillVerdicts({ sql, log, classify })
  const removal = everyMinute(
    async (shouldContinue) => {
      const projects = await purgeDeletedProjects(sql, shouldContinue)
      if (projects > 0) log.info({ projects }, 'removed the remaining data of deleted projects')
      await onAllServers(sql, () => forgetImportReports(sql))
    },
    log,
    'could not remove the remaining data of deleted projects, or old reports of imports',
  )
  const forgetting = keepsCounts
    ? undefined
    : everyMinute(
        (shouldContinue) => forgetInsights(sql, config.insightsDays, shouldContinue),
        log,
        'could not delete old counts of searches',
      )
  return {
    worker,
    async stop() {
      await worker.stop(DRAIN_MS / 1000)
      await verdicts.stop()
      await removal.stop()
      await forgetting?.stop()
    },
  }
}
