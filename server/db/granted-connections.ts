import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../deps.ts'
import { poolControl } from './resilient-pool.ts'

/**
 * How many of the connections that a pool may have it would get, tried beside the one that it has. A role or a server refuses
 * those beyond its limit, and the library then tries again with the next statement rather than let it wait for one that is
 * there: with five of ten, 98 of 100 requests failed. A pooler in session mode takes any number, and lets those beyond its
 * own wait for minutes.
 */
export async function grantedConnections(sql: Pool, limitMs = 5_000): Promise<{ granted: number; wanted: number }> {
  await sql`select 1`
  const control = poolControl(sql)
  if (!control) return { granted: 1, wanted: 1 }
  const { connections: wanted } = control
  const beside = control.another()
  let granted = 1
  const answered = () => {
    granted++
  }
  const asked = Array.from({ length: wanted - 1 }, () => beside`select 1`.then(answered, () => {}))
  const limit = new AbortController()
  const late = sleep(limitMs, undefined, { signal: limit.signal }).catch(() => {})
  await Promise.race([Promise.all(asked), late])
  limit.abort()
  // Before the end of those that were granted, which makes room for others.
  const result = { granted, wanted }
  await beside.end({ timeout: 0 })
  return result
}
