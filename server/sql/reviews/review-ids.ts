import type { Environment } from '../../../src/contract/review.ts'
import type { Sql } from '../../deps.ts'

/**
 * Ids of an environment's reviews that begin so, at most `limit`, in order. A range of the primary key is read, and not
 * every row.
 *
 * @param beginning hexadecimal digits, and hyphens where the usual form of a UUID has them
 */
export async function reviewIdsFrom(
  sql: Sql,
  projectId: string,
  env: Environment,
  beginning: string,
  limit: number,
): Promise<string[]> {
  const digits = beginning.toLowerCase().replaceAll('-', '')
  if (
    digits.length > 32 ||
    !usualForm(`${digits}${'0'.repeat(32 - digits.length)}`).startsWith(beginning.toLowerCase())
  )
    return []
  const rows = await sql<{ id: string }[]>`
    select id from reviews
    where project_id = ${projectId} and env = ${env}
      and id between ${usualForm(digits.padEnd(32, '0'))} and ${usualForm(digits.padEnd(32, 'f'))}
    order by id limit ${limit}`
  return rows.map(({ id }) => id)
}

/** Digits with hyphens where a UUID has them: after the 8th, 12th, 16th and 20th. */
function usualForm(digits: string): string {
  const parts = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)]
  return parts.filter((part) => part !== '').join('-')
}
