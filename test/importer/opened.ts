import { openTables } from '../../src/importer/read/open-tables.ts'
import type { RawRow, Table } from '../../src/importer/read/table.ts'

/** The first table of a file's text or bytes. */
export async function tableOf(content: string | Uint8Array, name = 'reviews'): Promise<Table> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  for await (const table of openTables({ name, bytes })) return table
  throw new Error('no table')
}

export async function rowsOf(table: Table): Promise<RawRow[]> {
  const rows: RawRow[] = []
  for await (const batch of table.rows) for (const row of batch) rows.push(row)
  return rows
}
