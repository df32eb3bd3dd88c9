import type { ServerConfig } from './config.ts'
import { checkBackup } from './db/backup/read.ts'
import { type OnRows, type Restored, restoreBackup } from './db/backup/restore.ts'
import { type Distribution, distribute, NotDistributable, planDistribution } from './db/distribute.ts'
import { migrate } from './db/migrate.ts'
import { COMMAND_WAITS } from './db/until-locked.ts'
import type { Log, Pool } from './deps.ts'
import { createLogger } from './logger.ts'
import { explainDatabaseError, openDatabase } from './open-database.ts'
import { activeModelName } from './sql/installation/installation.ts'
import { purgeDeletedProjects } from './sql/projects/delete-project.ts'

/** @param reindexing whether the settings' embedding model is another one than the backup's: all reviews will be indexed again */
export type RestoredHere = Restored & { reindexing: boolean }

/**
 * Restores a backup into the configured database, which must not have any project. Locks the embedded database meanwhile, so
 * that no server can open it.
 * @throws {HomeInUse | HomeUnusable | DatabaseUnreachable | DatabaseUnfit | BadBackup | NotEmpty}
 */
export async function restoreHere(
  config: ServerConfig,
  path: string,
  { onChecked, onRows }: { onChecked?: () => void; onRows?: OnRows } = {},
): Promise<RestoredHere> {
  // Before opening the database, which would be created in vain.
  const checked = await checkBackup(path)
  onChecked?.()
  return withDatabase(config, async (sql, log) => {
    await migrate(sql, log, COMMAND_WAITS)
    await purgeDeletedProjects(sql)
    const restored = await restoreBackup(sql, path, checked, onRows)
    const reindexing = await hasOtherModel(sql, config.embedder)
    return { ...restored, reindexing, indexing: reindexing ? (restored.rows.reviews ?? 0) : restored.indexing }
  })
}

/** Of another provider only that it is the same is known: it is not asked, since a restore does not need it. */
async function hasOtherModel(sql: Pool, { provider }: ServerConfig['embedder']): Promise<boolean> {
  const name = await activeModelName(sql)
  if (provider !== 'builtin') return !name?.startsWith(`${provider}/`)
  const { createBuiltinEmbedder } = await import('./embed/builtin/embedder.ts')
  return name !== (await createBuiltinEmbedder()).id
}

/**
 * Distributes the tables of the configured database over its Citus cluster.
 * @param options.dryRun change nothing, not even by migrations
 * @returns where the tables were before
 * @throws {DatabaseUnreachable | DatabaseUnfit | NotDistributable}
 */
export async function distributeHere(config: ServerConfig, { dryRun }: { dryRun: boolean }): Promise<Distribution> {
  if (config.databaseUrl === undefined) {
    throw new NotDistributable(
      'no_database_url',
      'There is no DATABASE_URL: the embedded database is one process and cannot be distributed.',
    )
  }
  return withDatabase(config, async (sql, log) => {
    if (dryRun) return planDistribution(sql)
    await migrate(sql, log, COMMAND_WAITS)
    return distribute(sql, log)
  })
}

async function withDatabase<T>(config: ServerConfig, work: (sql: Pool, log: Log) => Promise<T>): Promise<T> {
  const log = createLogger(config.logLevel)
  const database = await openDatabase(config, log)
  try {
    return await work(database.sql, log)
  } catch (error) {
    throw explainDatabaseError(error, config)
  } finally {
    await database.close()
  }
}
