import type { Sql } from '../deps.ts'

/** Asks the database for a sign of life. Resolves with what went wrong, `undefined` when it answered. */
export async function ping(sql: Sql): Promise<unknown> {
  try {
    await sql`select 1`
    return undefined
  } catch (error) {
    return error ?? new Error('unknown')
  }
}
