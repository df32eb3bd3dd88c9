import type { Sql } from '../../deps.ts'
import type { EnvironmentScope } from '../scope.ts'
import { formatUuid } from '../uuid.ts'

/**
 * Ids of an environment's reviews with this prefix, at most `limit`, in order. Reads a range of the primary key.
 * @param beginning hexadecimal digits, with hyphens where the usual form of a UUID has them
 */
export async function reviewIdsFrom(
  sql: Sql,
  { projectId, env }: EnvironmentScope,
  beginning: string,
  limit: number,
): Promise<string[]> {
  const digits = beginning.toLowerCase().replaceAll('-', '')
  const first = formatUuid(digits.padEnd(32, '0'))
  if (digits.length > 32 || !first.startsWith(beginning.toLowerCase())) return []
  const rows = await sql<{ id: string }[]>`
    select id from reviews
    where project_id = ${projectId} and env = ${env} and id between ${first} and ${formatUuid(digits.padEnd(32, 'f'))}
    order by id limit ${limit}`
  return rows.map(({ id }) => id)
}
