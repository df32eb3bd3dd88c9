import { readdir, readFile } from 'node:fs/promises'
import type { Log, Pool, Sql } from '../deps.ts'
import { warnAboutTextRules } from './collation.ts'
import { rebuildStaleLexemes } from './lexeme-rules.ts'
import { explainedTaken, isMigrated } from './own-schema.ts'
import {
  checkEncoding,
  checkServer,
  checkVector,
  createVector,
  DatabaseUnfit,
  explained,
  NO_SCHEMA,
} from './requirements.ts'
import { checkSettings } from './session-settings.ts'
import { liftTimeLimits } from './transaction.ts'
import { type LockWaits, SERVER_WAITS, untilLocked } from './until-locked.ts'

const folder = new URL('./migrations/', import.meta.url)
/** An arbitrary number that no other software on the database locks: "pullquote" on a telephone keypad. */
const LOCK = 785_578_683

/** The schema before it was migrated: none in a new database, or that of an earlier version. */
export type FoundSchema = 'none' | 'earlier' | 'current'

/**
 * Migrates the schema to this version: applies every file of `migrations/` that was not applied yet, in order of name. A new
 * database gets all of them in one transaction; one in use gets each in its own, retried while other programs hold its locks.
 * Several servers may start concurrently: one migrates, the others wait.
 * @returns what it found
 * @throws {DatabaseUnfit} PostgreSQL below 15, pgvector missing or below 0.5, unsuitable sessions or schema, or locks held
 * for too long
 */
export async function migrate(sql: Pool, log: Log, waits = SERVER_WAITS): Promise<FoundSchema> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  await checkServer(sql)
  await checkSettings(sql)
  const missing = await pending(sql, files)
  await checkEncoding(sql, missing.length === files.length, log)
  await warnAboutTextRules(sql, log)
  if (missing.length === 0) await checkVector(sql)
  for (const names of missing.length === files.length ? [files] : missing.map((name) => [name])) {
    const what = `The migration ${names[0]}`
    await untilLocked(sql, what, log, waits, () => apply(sql, files, names, log, waits))
  }
  await rebuildStaleLexemes(sql, log, waits.lockMs)
  if (missing.length === 0) return 'current'
  return missing.length < files.length ? 'earlier' : 'none'
}

/** Applies those of the files that nobody else applied meanwhile, atomically. */
async function apply(sql: Pool, files: string[], names: readonly string[], log: Log, waits: LockWaits): Promise<void> {
  await sql.begin(async (tx) => {
    await liftTimeLimits(tx, waits.queueMs)
    // Distributed tables that refer to each other are changed over a single connection to each server; no effect elsewhere.
    await tx`select set_config('citus.multi_shard_modify_mode', 'sequential', true)`
    // The embedded database has one process and needs no lock; on PostgreSQL this one ends with the transaction.
    await whileTelling(log, waits.lockMs, tx`select pg_advisory_xact_lock(${LOCK})`)
    await tx`select set_config('lock_timeout', ${String(waits.lockMs)}, true)`
    await createVector(tx)
    const hadTable = await isMigrated(tx)
    await createTable(tx)
    const missing = await pending(tx, files)
    const isNew = missing.length === files.length
    for (const name of names.filter((one) => missing.includes(one))) {
      const applied = tx.unsafe(await readFile(new URL(name, folder), 'utf8'))
      await (isNew ? applied.catch(await explainedTaken(tx, hadTable)) : applied)
      await tx`insert into schema_migrations (name) values (${name})`
      // The first thing that a newcomer reads in a container's log: not forty lines.
      if (!isNew) log.info({ migration: name }, 'migrated the database')
    }
    if (isNew) log.info({ migrations: files.length }, 'created the tables')
  })
}

/** A server that hangs while it migrates would keep all others waiting without a word. */
async function whileTelling(log: Log, ms: number, lock: Promise<unknown>): Promise<void> {
  const told = setTimeout(() => log.info({}, 'waiting for another server, which migrates this database'), ms)
  await lock.finally(() => clearTimeout(told))
}

/** Files not yet applied to the schema where tables are created: further ones on the path may belong to other programs. */
async function pending(sql: Sql, files: string[]): Promise<string[]> {
  if (!(await isMigrated(sql))) return files
  const applied = new Set((await sql<{ name: string }[]>`select name from schema_migrations`).map((row) => row.name))
  const unknown = [...applied].filter((name) => !files.includes(name))
  if (unknown.length > 0) {
    const message = `The database was migrated by a newer version of Pullquote (${unknown.join(', ')}). Start that version, or restore a backup.`
    throw new DatabaseUnfit('database_newer', message)
  }
  return files.filter((name) => !applied.has(name))
}

async function createTable(sql: Sql): Promise<void> {
  await sql`create table if not exists schema_migrations (
    name text primary key,
    applied_at timestamptz(3) not null default now()
  )`.catch(
    explained({
      '42501': [
        'schema_not_permitted',
        'This role may not create tables. Grant it: GRANT CREATE ON SCHEMA public TO the role, or make it the owner of the database. Or give it a schema of its own: CREATE SCHEMA reviews AUTHORIZATION the role, and ?search_path=reviews,public in DATABASE_URL.',
      ],
      '3F000': NO_SCHEMA,
    }),
  )
}
