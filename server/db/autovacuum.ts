import { setTimeout as sleep } from 'node:timers/promises'
import type { Log, Pool } from '../deps.ts'

/**
 * Plans are cached until statistics change, including those of foreign keys. A plan made while a table had a few rows scans
 * it for every row that an import adds: after twenty single pushes, indexing took 1, 2, 3 and 4 ms of processor time a review
 * for the first to the fourth thousand, and 1.1 ms again after an analyze.
 */
const EVERY_MS = 5_000
/**
 * Interval of the check for tables that have grown and were never analyzed. In the first five seconds of pushing into a new
 * embedded database two statements took 14 and 10 ms per hundred reviews, then 2 and 0.2.
 */
const NEW_EVERY_MS = 1_000

/** A table with more than a handful of rows. */
const MANY_BYTES = 100_000

/** Dead rows of a large table that are vacuumed soon. */
const MOST_DEAD = 5_000

const PARTS = ['index_cleanup off, truncate off, process_toast false', 'index_cleanup on, truncate off', 'truncate']
/** Lets the other statements of a waiting request run. */
const PAUSE_MS = 10

/**
 * Vacuums a table of the embedded database, whose only connection everyone shares, in several statements so that others can
 * run in between: first the pages, then the indexes, then truncation. With 45,000 dead excerpts they take 120, 250 and 30 ms;
 * a single vacuum takes 440.
 * @returns how long the longest took, in milliseconds
 */
export async function vacuumInParts(sql: Pool, table: string): Promise<number> {
  let longest = 0
  for (const part of PARTS) {
    const started = performance.now()
    await sql`vacuum (${sql.unsafe(part)}) ${sql(table)}`
    longest = Math.max(longest, performance.now() - started)
    await sleep(PAUSE_MS)
  }
  return longest
}

/**
 * Does autovacuum's job for the embedded database, which has no background processes: otherwise the planner never learns how
 * large a table is, and dead rows stay. Uses autovacuum's thresholds with a larger base.
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

/**
 * Keeps statistics on a PostgreSQL server up to date during an import, and creates missing ones at once; vacuuming is left to
 * autovacuum.
 */
export function startAutoanalyze(sql: Pool, log: Log, everyMs = EVERY_MS) {
  const analyzing = every(everyMs, () => analyzeWhatHasGrown(sql, log), log)
  analyzing.look()
  return analyzing
}

function every(everyMs: number, work: () => Promise<void>, log: Log) {
  let running: Promise<void> | undefined
  /** Checks once and does what is due. */
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
 * What autovacuum does too late on a PostgreSQL server: it checks once a minute, by which time an import into an empty
 * project is over, with every batch planned for an empty table (340–690 ms a batch at 90,000 reviews against 22 ms with
 * statistics). A table is analyzed when it has about doubled, so that the work is proportional to the import. So is one that
 * has rows but was never analyzed: pg_upgrade up to PostgreSQL 17 drops statistics, and autovacuum ignores such tables
 * because nothing has changed. Tables of another owner are left to autovacuum: PostgreSQL would write a warning into its log
 * each time.
 */
async function analyzeWhatHasGrown(sql: Pool, log: Log): Promise<void> {
  // An operator may have partitioned them (docs/scaling.md); then the rows are in the partitions.
  const tables = await sql<{ name: string }[]>`
    with growing as (select unnest(array[to_regclass('reviews'), to_regclass('index_jobs'), to_regclass('excerpts')])::oid as table_id)
    select pg_class.relname as name from pg_stat_user_tables join pg_class on oid = relid
    where relid in (
        select table_id from growing union all select inhrelid from pg_inherits join growing on inhparent = table_id)
      and pg_has_role(relowner, 'usage')
      and (n_mod_since_analyze > 1000 + greatest(0, n_live_tup - n_mod_since_analyze)
        or reltuples < 0 and pg_relation_size(oid) > ${MANY_BYTES}::int)`
  for (const { name } of tables) {
    await sql`analyze ${sql(name)}`
    log.debug({ table: name }, 'analysed')
  }
}
