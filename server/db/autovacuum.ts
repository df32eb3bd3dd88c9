import { setTimeout as sleep } from 'node:timers/promises'
import type { Log, Pool } from '../deps.ts'

/**
 * Plans are kept until statistics change, also those of foreign keys. One made while a table held a few rows reads it
 * from end to end for every row that an import adds: measured after twenty single pushes, indexing took 1, 2, 3 and
 * 4 ms of processor time a review for the first to the fourth thousand, and 1.1 ms again after an analyze.
 */
const EVERY_MS = 5_000
/**
 * How often tables are looked for that have grown and were never analyzed. In the first five seconds of a push into a new embedded
 * database two statements took 14 and 10 ms a hundred reviews, then 2 and 0.2.
 */
const NEW_EVERY_MS = 1_000

/** More than this is no handful of rows. */
const MANY_BYTES = 100_000

/** Dead rows of a large table for which nobody shall wait long. */
const MOST_DEAD = 5_000

const PARTS = ['index_cleanup off, truncate off, process_toast false', 'index_cleanup on, truncate off', 'truncate']
/** For the other statements of a request that waited for one. */
const PAUSE_MS = 10

/**
 * Vacuums a table of the embedded database, on whose one connection everybody waits, in statements between which others come
 * in: the pages, the indexes, and what is given back. Of 45,000 dead excerpts they take 120, 250 and 30 ms, as one 440.
 */
export async function vacuumInParts(sql: Pool, table: string): Promise<void> {
  for (const part of PARTS) {
    await sql`vacuum (${sql.unsafe(part)}) ${sql(table)}`
    await sleep(PAUSE_MS)
  }
}

/**
 * What autovacuum does on a PostgreSQL server, for the embedded one, which has no background processes: without it the
 * planner never learns how large a table is, and dead rows stay. The thresholds are autovacuum's, with a larger base.
 */
export function startAutovacuum(sql: Pool, log: Log, everyMs = EVERY_MS, newEveryMs = NEW_EVERY_MS) {
  const vacuuming = every(everyMs, () => vacuumWhatIsDue(sql, log), log)
  const analyzing = every(newEveryMs, () => analyzeWhatIsNew(sql, log), log)
  return {
    run: vacuuming.run,
    stop() {
      vacuuming.stop()
      analyzing.stop()
    },
  }
}

/** Statistics for a PostgreSQL server in time for an import, and at once where there are none; vacuuming stays autovacuum's business. */
export function startAutoanalyze(sql: Pool, log: Log, everyMs = EVERY_MS) {
  const analyzing = every(everyMs, () => analyzeWhatHasGrown(sql, log), log)
  analyzing.look()
  return analyzing
}

function every(everyMs: number, work: () => Promise<void>, log: Log) {
  let running: Promise<void> | undefined
  /** Looks once and does what is due. */
  const run = () => {
    running ??= work().finally(() => {
      running = undefined
    })
    return running
  }
  const look = () => {
    run().catch((error) => log.debug({ error: String(error) }, 'vacuuming or analyzing the database failed'))
  }
  const timer = setInterval(look, everyMs).unref()
  return { run, look, stop: () => clearInterval(timer) }
}

async function vacuumWhatIsDue(sql: Pool, log: Log): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select pg_class.relname as name from pg_stat_user_tables join pg_class on oid = relid
    where n_dead_tup > 500 + least(0.2 * n_live_tup, ${MOST_DEAD}::int) or n_mod_since_analyze > 500 + 0.1 * n_live_tup
      or reltuples < 0 and pg_relation_size(oid) > ${MANY_BYTES}::int`
  for (const { name } of tables) {
    await vacuumInParts(sql, name)
    await sql`analyze ${sql(name)}`
    log.debug({ table: name }, 'vacuumed')
  }
}

async function analyzeWhatIsNew(sql: Pool, log: Log): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relkind = 'r' and reltuples < 0 and relnamespace = current_schema()::regnamespace
      and pg_relation_size(oid) > ${MANY_BYTES}::int`
  for (const { name } of tables) {
    await sql`analyze ${sql(name)}`
    log.debug({ table: name }, 'analyzed for the first time')
  }
}

/**
 * What autovacuum does too late on a PostgreSQL server: it looks once a minute, and an import into an empty project has
 * ended by then, every batch planned for an empty table (340–690 ms a batch at 90,000 reviews against 22 ms with
 * statistics). A table is analysed when it has about doubled, so that the work stays in proportion to the import. One that
 * has rows and was never analysed is too: pg_upgrade up to PostgreSQL 17 leaves all of them so, and autovacuum does not
 * mind, since nothing has changed.
 */
async function analyzeWhatHasGrown(sql: Pool, log: Log): Promise<void> {
  // An operator may have partitioned them (docs/scaling.md); then the partitions have the rows.
  const tables = await sql<{ name: string }[]>`
    with growing as (select unnest(array[to_regclass('reviews'), to_regclass('index_jobs'), to_regclass('excerpts')])::oid as table_id)
    select pg_class.relname as name from pg_stat_user_tables join pg_class on oid = relid
    where relid in (
        select table_id from growing union all select inhrelid from pg_inherits join growing on inhparent = table_id)
      and (n_mod_since_analyze > 1000 + greatest(0, n_live_tup - n_mod_since_analyze)
        or reltuples < 0 and pg_relation_size(oid) > ${MANY_BYTES}::int)`
  for (const { name } of tables) {
    await sql`analyze ${sql(name)}`
    log.debug({ table: name }, 'analysed')
  }
}
