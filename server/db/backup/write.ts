import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { untilAborted } from '../../abort.ts'
import type { Pool, Sql } from '../../deps.ts'
import { DeadlinePassed } from '../deadline.ts'
import { transaction } from '../transaction.ts'
import { FORMAT, FORMAT_VERSION, type Header, ROWS_PER_LINE, TABLES, type Table } from './format.ts'

/** How long the database or the disk may be unresponsive. */
const SILENCE_MS = 60_000

/**
 * Writes everything that matters to `output`, from one snapshot: in a read-only transaction, so that the server continues
 * meanwhile; with the single connection of the embedded database, from a copy (embedded/copy-database.ts). There is no time
 * limit except `silenceMs` per step.
 * @throws {DeadlinePassed} the database stopped responding, which the transaction itself would wait out forever
 */
export async function writeBackup(sql: Pool, output: Writable, silenceMs = SILENCE_MS) {
  const created_at = new Date().toISOString()
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(new DeadlinePassed()), silenceMs)
  const progress = () => {
    // Too late: the caller is gone.
    silence.signal.throwIfAborted()
    timer.refresh()
  }
  try {
    const written = transaction(sql, (tx) => writeTo(tx, output, created_at, progress, silence.signal), {
      unlimited: true,
      snapshot: true,
    })
    return { rows: await untilAborted(written, silence.signal), created_at }
  } finally {
    clearTimeout(timer)
  }
}

async function writeTo(
  sql: Sql,
  output: Writable,
  created_at: string,
  progress: () => void,
  signal: AbortSignal,
): Promise<Record<Table, number>> {
  const gzip = createGzip({ level: 6 })
  const done = pipeline(gzip, output, { signal })
  // Handled later: nobody awaits it during a statement.
  done.catch(() => {})
  const checksum = createHash('sha256')
  const put = async (value: object, counted = true) => {
    progress()
    const text = `${JSON.stringify(value)}\n`
    if (counted) checksum.update(text)
    if (!gzip.write(text)) await Promise.race([once(gzip, 'drain'), done])
  }
  try {
    const applied = await sql<{ name: string }[]>`select name from schema_migrations order by name`
    const migrations = applied.map(({ name }) => name)
    await put({ format: FORMAT, version: FORMAT_VERSION, created_at, migrations } satisfies Header)
    const counts = Object.fromEntries(TABLES.map((table) => [table, 0])) as Record<Table, number>
    for (const table of TABLES) {
      await put({ table, columns: await columnsOf(sql, table) })
      for await (const rows of rowsOf(sql, table)) {
        counts[table] += rows.length
        await put({ rows })
      }
    }
    await put({ end: true, rows: counts, sha256: checksum.digest('hex') }, false)
    gzip.end()
    await done
    return counts
  } catch (error) {
    gzip.destroy()
    await done.catch(() => {})
    throw error
  }
}

async function columnsOf(sql: Sql, table: Table): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = ${table}::text::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    order by attnum`
  return rows.map(({ name }) => name)
}

/** Uses a cursor of the transaction, since paging by key would need an order for each table. */
async function* rowsOf(sql: Sql, table: Table): AsyncGenerator<unknown[]> {
  await sql.unsafe(`declare rows_of_table no scroll cursor for select to_jsonb(t) as row from ${table} t`)
  for (;;) {
    const rows = await sql.unsafe<{ row: unknown }[]>(`fetch ${ROWS_PER_LINE} from rows_of_table`)
    if (rows.length > 0) yield rows.map(({ row }) => row)
    if (rows.length < ROWS_PER_LINE) break
  }
  await sql`close rows_of_table`
}
