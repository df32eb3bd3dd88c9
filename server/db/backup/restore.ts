import * as v from 'valibot'
import type { BackupSummary } from '../../../src/contract/backup.ts'
import type { Pool, Sql } from '../../deps.ts'
import { rebuildStaleLexemesIn } from '../lexeme-rules.ts'
import { longTransaction } from '../transaction.ts'
import { BadBackup, type Header, TABLES } from './format.ts'
import { type CheckedBackup, checkBackup, linesOf } from './read.ts'

/** The database already has data, which a restore never overwrites. */
export class NotEmpty extends Error {
  readonly code = 'database_not_empty'
}

export type OnRows = (done: number, total: number) => void

export interface Restored extends BackupSummary {
  /** Reviews waiting to be indexed, as they were when the backup was made. */
  indexing: number
}

/**
 * Restores a backup into a migrated database without projects, atomically. The file is read twice: it is verified completely
 * before anything is written.
 * @param checked the result of verification, if already done
 * @param onRows called with the number of rows restored so far and of all
 * @throws {BadBackup | NotEmpty}
 */
export async function restoreBackup(
  sql: Pool,
  path: string,
  checked?: CheckedBackup,
  onRows?: OnRows,
): Promise<Restored> {
  const { header, rows } = checked ?? (await checkBackup(path))
  const applied = await sql<{ name: string }[]>`select name from schema_migrations`
  const unknown = header.migrations.filter((name) => !applied.some((one) => one.name === name))
  if (unknown.length > 0) {
    throw new BadBackup(`The backup was made by a newer version of Pullquote (${unknown.join(', ')}). Update first.`)
  }
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
  const indexing = await longTransaction(sql, (tx) => restoreInto(tx, path, header, (done) => onRows?.(done, total)))
  return { rows, created_at: header.created_at, indexing }
}

async function restoreInto(sql: Sql, path: string, header: Header, onRows: (done: number) => void): Promise<number> {
  const [existing] = await sql<{ projects: number }[]>`select count(*)::int as projects from projects`
  if ((existing?.projects ?? 0) > 0) {
    throw new NotEmpty(
      'The database holds projects already. Restore into an empty one: another DATABASE_URL, or another PULLQUOTE_HOME.',
    )
  }
  const models = await modelNumbers(sql)
  // An empty installation has its own secret and model, which those of the backup replace.
  await sql`delete from installation`
  await sql`delete from embedding_models`
  let insert: ((rows: unknown[]) => Promise<unknown>) | undefined
  let done = 0
  for await (const { line } of linesOf(path)) {
    if ('table' in line) insert = await inserter(sql, line.table, line.columns, models)
    else if ('rows' in line && !('end' in line)) {
      await insert?.(line.rows)
      done += line.rows.length
      onRows(done)
    }
  }
  await sql`
    select setval(pg_get_serial_sequence('embedding_models', 'id'), greatest(max(id), ${models.used}::int, 1)) from embedding_models`
  await bringForward(sql, header)
  // The holders of leases work on another database; losing them here must not count against the reviews.
  await sql`
    update index_jobs set lease_token = null, leased_until = null, run_at = least(run_at, now())
    where lease_token is not null`
  const [waiting] = await sql<{ reviews: number }[]>`
    select count(*)::int as reviews from reviews where status = 'indexing'`
  return waiting?.reviews ?? 0
}

/** Applies the data changes of migrations that are newer than the backup. */
async function bringForward(sql: Sql, { migrations }: Header): Promise<void> {
  if (!migrations.includes('0007_int8_vectors.sql')) await sql`select round_stored_vectors()`
  if (!migrations.includes('0008_sentence_vectors.sql')) await sql`select queue_for_sentences()`
  if (!migrations.includes('0036_read_again.sql')) {
    await sql`
      insert into index_jobs (project_id, review_id, text_version)
      select project_id, id, text_version from reviews
      where status = 'indexed' and octet_length(text) > char_length(text) and text is not nfc normalized
      on conflict (project_id, review_id) do nothing`
  }
  // `rebuildStaleLexemesIn` covers what 0022_joined_words.sql and 0031_unspaced_scripts.sql changed in lexemes; for verdicts
  // the column's default matches 0026.
  await rebuildStaleLexemesIn(sql)
}

async function inserter(sql: Sql, table: string, columns: readonly string[], models: ModelNumbers) {
  if (!TABLES.some((known) => known === table)) throw new BadBackup(`The backup holds an unknown table, ${table}.`)
  const present = await sql<{ name: string }[]>`
    select attname as name from pg_attribute where attrelid = ${table}::text::regclass and attnum > 0`
  const strange = columns.filter((column) => !present.some(({ name }) => name === column))
  if (strange.length > 0) {
    throw new BadBackup(`The backup holds unknown columns of ${table}: ${strange.join(', ')}.`)
  }
  const names = columns.map((column) => `"${column}"`).join(', ')
  const values = columns.map((column) =>
    column === 'embedding_model_id' || (table === 'embedding_models' && column === 'id')
      ? `coalesce(($2::text::jsonb ->> "${column}"::text)::int, "${column}")`
      : `"${column}"`,
  )
  // The only table whose rows outlive projects.
  const known =
    table === 'embedding_usage'
      ? 'on conflict (day) do update set texts = greatest(embedding_usage.texts, excluded.texts)'
      : ''
  const statement = `insert into ${table} (${names}) overriding system value
    select ${values.join(', ')} from jsonb_populate_recordset(null::${table}, $1::text::jsonb) ${known}`
  return (rows: unknown[]) => {
    if (table === 'embedding_models') models.read(rows)
    const numbers = statement.includes('$2') ? [JSON.stringify(models.renumbered)] : []
    return sql.unsafe(statement, [JSON.stringify(rows), ...numbers])
  }
}

/** The number given to each model of the backup. */
interface ModelNumbers {
  /** The highest number by which a server on this database may know a model. */
  used: number
  /** By number in the backup. */
  renumbered: Record<string, number>
  /** Reads rows of `embedding_models`. */
  read(rows: unknown[]): void
}

const modelRows = v.array(v.looseObject({ id: v.number(), name: v.string(), dimensions: v.number() }))

/**
 * A server already running on the database knows its model by a number, which must not be reused for another model: its
 * queries would be compared with that one's vectors.
 */
async function modelNumbers(sql: Sql): Promise<ModelNumbers> {
  const known = await sql<{ id: number; name: string; dimensions: number }[]>`
    select id, name, dimensions from embedding_models`
  const [sequence] = await sql<{ used: number }[]>`
    select coalesce(pg_sequence_last_value(pg_get_serial_sequence('embedding_models', 'id')::regclass), 0)::int as used`
  const used = sequence?.used ?? 0
  const renumbered: Record<string, number> = {}
  return {
    used,
    renumbered,
    read(rows) {
      const models = v.safeParse(modelRows, rows)
      if (!models.success) throw new BadBackup('The backup is damaged: its models are not as a server writes them.')
      for (const { id, name, dimensions } of models.output) {
        const same = known.find((model) => model.name === name && model.dimensions === dimensions)
        renumbered[id] = same?.id ?? used + id
      }
    },
  }
}
