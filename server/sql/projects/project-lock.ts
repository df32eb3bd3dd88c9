import type { Plan } from '../../../src/contract/limits.ts'
import type { Sql } from '../../deps.ts'
import { isUuid } from '../uuid.ts'

/**
 * Makes the transactions of a project that change many of its reviews (pushes, wipes, its deletion) wait for each other
 * until they end, which keeps the cap exact and the keys free of races. Taken first in a transaction, before any row.
 *
 * No row is locked: a row of `projects` would be one of a table that a distributed database copies to every server, and
 * locks as a whole; one of `environments` is what every indexed batch and every hidden review ends with, and they would
 * wait for the whole push instead of its end.
 */
export async function lockProject(sql: Sql, projectId: string): Promise<void> {
  if (!isUuid(projectId)) throw new TypeError('A project is locked by its id')
  await sql`select pg_advisory_xact_lock(${lockNumber(projectId)}::text::bigint)`
}

/** Of two projects in 2^64 the same: they would wait for each other and be right. */
function lockNumber(projectId: string): string {
  return BigInt.asIntN(64, BigInt(`0x${projectId.replaceAll('-', '').slice(0, 16)}`)).toString()
}

/** @returns the project's plan now, `undefined` when there is no such project */
export async function planOf(sql: Sql, projectId: string): Promise<Plan | undefined> {
  const [row] = await sql<{ plan: Plan }[]>`select plan from projects where id = ${projectId} and deleted_at is null`
  return row?.plan
}
