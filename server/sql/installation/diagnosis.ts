import type { Pool, Sql } from '../../deps.ts'
import { usableKey } from '../access/keys.ts'

export interface DatabaseFacts {
  version: string
  pgvector: string | undefined
  migrations: string[]
  /** The last time. */
  migrated: Date
  /** By the database's clock. */
  now: Date
  bytes: number
}

export async function databaseFacts(sql: Sql): Promise<DatabaseFacts> {
  const [row] = await sql<(Omit<DatabaseFacts, 'pgvector' | 'bytes'> & { pgvector: string | null; bytes: string })[]>`
    select current_setting('server_version') as version, clock_timestamp() as now,
      (select extversion from pg_extension where extname = 'vector') as pgvector,
      array(select name from schema_migrations order by name) as migrations,
      (select max(applied_at) from schema_migrations) as migrated,
      pg_database_size(current_database()) as bytes`
  if (!row) throw new Error('The database answered nothing about itself')
  return { ...row, pgvector: row.pgvector ?? undefined, bytes: Number(row.bytes) }
}

/**
 * Writes a megabyte where the database's tables are, and takes it back.
 * @throws SQLSTATE 53100 when there is no room
 */
export async function writeMegabyte(sql: Pool): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select set_config('temp_tablespaces', '', true)`
    await tx`
      create temporary table pullquote_room on commit drop as
      select repeat(md5(n::text), 32) as text from generate_series(1, 1000) n`
  })
}

export interface ProjectKeys {
  name: string
  origins: string[]
  /** Usable publishable keys. */
  publishable: number
}

export async function projectsWithKeys(sql: Sql): Promise<ProjectKeys[]> {
  return sql<ProjectKeys[]>`
    select p.name, p.allowed_origins as origins, count(api_keys.id)::int as publishable
    from projects p left join api_keys on project_id = p.id and kind = 'publishable' and ${usableKey(sql)}
    where p.deleted_at is null
    group by p.id order by p.name`
}

/** Any few excerpts of a model, with the vectors of their whole texts. */
export async function storedVectors(
  sql: Sql,
  modelId: number,
  limit: number,
): Promise<{ text: string; vector: number[] }[]> {
  return sql<{ text: string; vector: number[] }[]>`
    select text, embedding::real[] as vector from excerpts where embedding_model_id = ${modelId} limit ${limit}`
}
