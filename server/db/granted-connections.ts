import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../deps.ts'
import { poolControl } from './pool-control.ts'
import { isWritable } from './session-settings.ts'

/** A session that was refused or has ended counts against the limit until its process is gone. */
const AGAIN_MS = 50
const REFUSALS_IN_A_ROW = 4

/**
 * How many of the pool's connections it would get, tested in addition to the one it has. A role or a server refuses those
 * beyond its limit, and the library then retries with the next statement instead of queueing it for an existing connection:
 * with five of ten, 98 of 100 requests failed. A pooler in session mode accepts any number, and lets those beyond its own
 * wait for minutes.
 *
 * PostgreSQL counts concurrent attempts before it refuses any: of nine for two places none may get one. So refused ones are
 * retried one by one.
 *
 * `readOnly` of the granted ones read from a database that takes no writes: all at a replica, some behind a pooler that sends
 * reads to replicas (Pgpool-II chooses one for each connection).
 */
export async function grantedConnections(
  sql: Pool,
  limitMs = 5_000,
): Promise<{ granted: number; wanted: number; readOnly: number }> {
  let readOnly = (await isWritable(sql)) ? 0 : 1
  const control = poolControl(sql)
  if (!control) return { granted: 1, wanted: 1, readOnly }
  const { connections: wanted } = control
  const limit = new AbortController()
  const late = sleep(limitMs, undefined, { signal: limit.signal }).catch(() => {})
  const pools: Pool[] = []
  let granted = 1
  let refused = 0
  const ask = (beside: Pool) =>
    isWritable(beside).then(
      (writable) => {
        granted++
        if (!writable) readOnly++
      },
      () => void refused++,
    )
  const another = () => {
    const pool = control.another()
    pools.push(pool)
    return pool
  }
  const askAll = async () => {
    const beside = another()
    await Promise.all(Array.from({ length: wanted - 1 }, () => ask(beside)))
    if (refused === 0) return
    for (refused = 0; refused < REFUSALS_IN_A_ROW && granted < wanted; ) {
      await sleep(AGAIN_MS)
      if (limit.signal.aborted) return
      const before = granted
      await ask(another())
      if (granted > before) refused = 0
    }
  }
  await Promise.race([askAll(), late])
  limit.abort()
  // Before closing the granted ones, which makes room for others.
  const result = { granted, wanted, readOnly }
  await Promise.all(pools.map((pool) => pool.end({ timeout: 0 })))
  return result
}

/**
 * Opens all connections of a pool sized to the granted number, or as many as it gets within the limit. The sessions that the
 * test closed still count until their processes are gone: on a loaded machine the first statements of the smaller pool were
 * refused.
 */
export async function openAllConnections(sql: Pool, connections: number, limitMs = 5_000): Promise<void> {
  const end = performance.now() + limitMs
  for (;;) {
    const answers = await Promise.allSettled(Array.from({ length: connections }, () => sql`select 1`))
    const isRefused = answers.some((answer) => answer.status === 'rejected')
    if (!isRefused || performance.now() > end) return
    await sleep(AGAIN_MS)
  }
}
