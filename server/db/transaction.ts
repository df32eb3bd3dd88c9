import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import { codeOf } from '../../src/contract/code-of.ts'
import type { Pool, Sql } from '../deps.ts'
import { ServerSilent } from './bulkhead.ts'
import { onServerOf } from './cluster-watch.ts'
import { currentDeadline } from './deadline.ts'
import { CommitUnconfirmed, isConnectionLost } from './unavailable.ts'

const DEADLOCK = '40P01'
const SERIALIZATION_FAILURE = '40001'
const ATTEMPTS = 5
const SNAPSHOT = 'isolation level repeatable read read only'

/**
 * Runs `work` in a transaction, and again when it was the victim of a deadlock. `work` must therefore do nothing but use its
 * `sql`. A lost connection is handled by the pool (resilient-pool.ts).
 *
 * Locks are taken in the same order everywhere, which makes a deadlock rare: the project's lock
 * (sql/projects/project-lock.ts) and row, then reviews by id, then jobs and excerpts, then the environments' rows, live
 * first.
 * @param options.projectId the project whose rows are written: they do not move to another cluster server meanwhile
 * @param options.unlimited for work that grows with the data: statements may exceed the time limit of a request
 * @param options.lockMs how long such work waits for a lock; without a limit by default
 * @param options.snapshot read-only, and sees the database as of the first statement
 */
export async function transaction<T>(
  pool: Pool,
  work: (sql: postgres.TransactionSql) => Promise<T>,
  options: { projectId?: string; unlimited?: boolean; lockMs?: number; snapshot?: boolean } = {},
): Promise<T> {
  // Captured here: the pool's later callbacks run in the context of its connection.
  const deadline = currentDeadline()
  for (let attempt = 1; ; attempt++) {
    let committing = 0
    try {
      deadline?.check()
      const result = await pool.begin(options.snapshot ? SNAPSHOT : '', async (sql) => {
        deadline?.check()
        if (options.unlimited) await liftTimeLimits(sql, options.lockMs)
        if (!options.snapshot && (await isDistributed(pool, sql))) await beginDistributed(sql, options.projectId)
        const value = await work(sql)
        deadline?.check()
        if (!options.snapshot) committing = 1
        if (deadline) deadline.commits += committing
        return { value }
      })
      return result.value
    } catch (error) {
      if (committing > 0 && (error instanceof ServerSilent || isConnectionLost(error))) throw new CommitUnconfirmed()
      if (attempt === ATTEMPTS || !isConflict(error)) throw error
      await sleep(Math.random() * 20 * attempt)
    } finally {
      if (deadline) deadline.commits -= committing
    }
  }
}

/** For one transaction, lifts the limits of this server and of the role; `transaction_timeout` came with PostgreSQL 17. */
export async function liftTimeLimits(sql: postgres.TransactionSql, lockMs = 0): Promise<void> {
  await sql`
    select set_config(name, case name when 'lock_timeout' then ${String(lockMs)}::text else '0' end, true)
    from unnest(array['statement_timeout', 'transaction_timeout', 'lock_timeout']) as name
    where current_setting(name, true) is not null`
}

/** A transaction that writes rows of a project, which do not move to another cluster server meanwhile. */
export function projectTransaction<T>(
  pool: Pool,
  projectId: string,
  work: (sql: postgres.TransactionSql) => Promise<T>,
): Promise<T> {
  return onServerOf(pool, projectId, () => transaction(pool, work, { projectId }))
}

/** A transaction for work that grows with the data: its statements may exceed the time limit of a request. */
export function longTransaction<T>(
  pool: Pool,
  work: (sql: postgres.TransactionSql) => Promise<T>,
  { lockMs = 0 } = {},
): Promise<T> {
  return transaction(pool, work, { unlimited: true, lockMs })
}

/** Citus may be added to a database while servers are running. */
const ASK_AGAIN_MS = 60_000
/** Per pool, whether its database is distributed. Once it is, it stays so. */
const distributed = new WeakMap<Pool, { known: boolean; at: number }>()

async function isDistributed(pool: Pool, sql: Sql): Promise<boolean> {
  const last = distributed.get(pool)
  if (last && (last.known || performance.now() - last.at < ASK_AGAIN_MS)) return last.known
  const [found] = await sql`select from pg_extension where extname = 'citus'`
  distributed.set(pool, { known: found !== undefined, at: performance.now() })
  return found !== undefined
}

/**
 * Citus commits what only one server has written in one phase, and merely warns when that server is lost during it: the push
 * would be acknowledged but gone. A change on the coordinator, even of no row, makes it use two phases. It comes at the
 * beginning, because after a query of all shards it would be rejected.
 *
 * An `insert … select` that waits while its project's shard is split (`isolate_tenant_to_new_shard`) goes to the old shard
 * and is lost with it, without an error (Citus 14.0.1). A plain update waits and then finds the new one, or begins first and
 * is waited for; and so does everything that follows it in the transaction.
 */
async function beginDistributed(sql: Sql, projectId: string | undefined): Promise<void> {
  await Promise.all([
    sql`update console_links set used_at = used_at where false`,
    projectId && sql`update environments set revision = revision where project_id = ${projectId} and env = ''`,
  ])
}

function isConflict(error: unknown): boolean {
  return [DEADLOCK, SERIALIZATION_FAILURE].includes(codeOf(error) ?? '')
}
