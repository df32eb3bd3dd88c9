import type { ServerConfig } from './config.ts'
import { checkBackup } from './db/backup/read.ts'
import { type Restored, restoreBackup } from './db/backup/restore.ts'
import { type Distribution, distribute, planDistribution } from './db/distribute.ts'
import { migrate } from './db/migrate.ts'
import { createLogger } from './logger.ts'
import { openDatabase } from './open-database.ts'

/**
 * Restores a backup into the configured database, which must hold no project. The embedded database is taken for this
 * process meanwhile, so that no server can open it.
 *
 * @throws {HomeInUse | HomeUnusable | DatabaseUnreachable | DatabaseUnfit | BadBackup | NotEmpty}
 */
export async function restoreHere(config: ServerConfig, path: string): Promise<Restored> {
  const log = createLogger(config.logLevel)
  // Before the database, which would be made for nothing.
  const checked = await checkBackup(path)
  const database = await openDatabase(config, log)
  try {
    await migrate(database.sql, log)
    return await restoreBackup(database.sql, path, checked)
  } finally {
    await database.close()
  }
}

/**
 * Distributes the tables of the configured database over the servers of its Citus cluster.
 *
 * @param options.dryRun change nothing, not even by migrations
 * @returns where the tables were before
 * @throws {DatabaseUnreachable | DatabaseUnfit | NotDistributable}
 */
export async function distributeHere(config: ServerConfig, { dryRun }: { dryRun: boolean }): Promise<Distribution> {
  const log = createLogger(config.logLevel)
  const database = await openDatabase(config, log)
  try {
    if (dryRun) return await planDistribution(database.sql)
    await migrate(database.sql, log)
    return await distribute(database.sql, log)
  } finally {
    await database.close()
  }
}
