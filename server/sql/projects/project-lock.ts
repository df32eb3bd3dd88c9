import type { Plan } from '../../../src/contract/limits.ts'
import type { Sql } from '../../deps.ts'
import { isUuid } from '../uuid.ts'

/**
 * Serialises transactions that change many reviews of a project (pushes, wipes, its deletion), which keeps the cap exact and
 * the keys free of races. Taken first in a transaction, before any row.
 *
 * It is an advisory lock: a row of `projects` belongs to a table that a distributed database replicates to every server and
 * locks as a whole; one of `environments` is the last thing that every indexed batch and hidden review updates, and they
 * would wait for the whole push instead of its end.
 */
export async function lockProject(sql: Sql, projectId: string): Promise<void> {
  if (!isUuid(projectId)) throw new TypeError('A project is locked by its id')
  await sql`select pg_advisory_xact_lock(${lockNumber(projectId)}::text::bigint)`
}

/** Two of 2^64 projects may share a number: they would wait for each other, which is harmless. */
function lockNumber(projectId: string): string {
  return BigInt.asIntN(64, BigInt(`0x${projectId.replaceAll('-', '').slice(0, 16)}`)).toString()
}

/** @returns the project's current plan, undefined when it does not exist */
export async function planOf(sql: Sql, projectId: string): Promise<Plan | undefined> {
  const [row] = await sql<{ plan: Plan }[]>`select plan from projects where id = ${projectId} and deleted_at is null`
  return row?.plan
}
