import type { Pool } from '../deps.ts'
import { dayUsage } from '../sql/usage/embedding-usage.ts'

const MESSAGE = 'the daily allowance of embedded texts is spent; it renews at 00:00 UTC'
const RECHECK_MS = 60_000

/** Whether texts may be embedded today again. */
export async function isAllowanceLeft(sql: Pool, dailyAllowance: number): Promise<boolean> {
  return (await dayUsage(sql)).texts < dailyAllowance
}

/** How long to wait for the allowance's renewal: looked at each minute as well, since texts may be given back. */
export async function renewalWait(sql: Pool): Promise<{ message: string; milliseconds: number }> {
  const { secondsToRenewal } = await dayUsage(sql)
  const renewal = secondsToRenewal * 1000 + 1000 + Math.random() * 4000
  return { message: MESSAGE, milliseconds: Math.min(renewal, RECHECK_MS) }
}
