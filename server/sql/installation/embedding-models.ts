import type { Sql } from '../../deps.ts'

/** Length of the vectors of a space that was once registered, for a start while its provider is away. */
export async function storedDimensions(sql: Sql, name: string): Promise<number | undefined> {
  const [row] = await sql<{ dimensions: number }[]>`select dimensions from embedding_models where name = ${name}`
  return row?.dimensions
}
