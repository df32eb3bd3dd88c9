import type { Sql } from '../server/deps.ts'

/** The columns of a table in their order, without those that are `given` otherwise. */
export async function columnNames(sql: Sql, table: string, given: readonly string[]): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} order by ordinal_position`
  return rows.map(({ name }) => name).filter((name) => !given.includes(name))
}
