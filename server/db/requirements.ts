import { CodedError, codeOf } from '../../src/contract/code-of.ts'
import type { Log, Sql } from '../deps.ts'

/** PostgreSQL 15, as in `server_version_num`. For why not an earlier one see docs/decisions.md. */
const MINIMUM_SERVER = 150_000
const MINIMUM_PGVECTOR = [0, 5] as const
const NEEDED = MINIMUM_PGVECTOR.join('.')

/** The database does not meet the requirements; the message says what to do. */
export class DatabaseUnfit extends CodedError<
  | 'postgres_too_old'
  | 'pgvector_missing'
  | 'pgvector_not_permitted'
  | 'pgvector_too_old'
  | 'pgvector_not_on_path'
  | 'encoding_not_utf8'
  | 'database_newer'
  | 'schema_not_permitted'
  | 'tables_not_permitted'
  | 'schema_in_use'
  | 'schema_in_question'
  | 'settings_not_fit'
  | 'pooled_by_transaction'
  | 'pooled_by_statement'
  | 'database_busy'
> {}

/** Explains an error of the database in words, by SQLSTATE. */
export function explained(reasons: Record<string, [code: DatabaseUnfit['code'], message: string]>) {
  return (error: unknown): never => {
    const reason = reasons[codeOf(error) ?? '']
    throw reason ? new DatabaseUnfit(...reason, { cause: error }) : error
  }
}

/** For SQLSTATE 3F000, with which the extension or the first table is refused. */
export const NO_SCHEMA: [DatabaseUnfit['code'], string] = [
  'schema_not_permitted',
  "No schema of this role's search_path is there. Make one (CREATE SCHEMA name AUTHORIZATION the role), or correct search_path: in DATABASE_URL, or by ALTER ROLE, where several schemas are not one text: SET search_path = one, two.",
]

/** @throws {DatabaseUnfit} PostgreSQL below 15 */
export async function checkServer(sql: Sql): Promise<void> {
  const [server] = await sql<{ number: number; version: string }[]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version`
  if (!server || server.number >= MINIMUM_SERVER) return
  const message = `PostgreSQL 15 or newer is needed; this server is ${server.version}. Give the address of a newer one in DATABASE_URL, or upgrade this one (pg_upgrade, or an upgrade of the major version at your hosting provider).`
  throw new DatabaseUnfit('postgres_too_old', message)
}

/**
 * Other encodings cannot store every review, or do not know all letters, so that words are not found. A database that has
 * reviews is not locked out.
 */
export async function checkEncoding(sql: Sql, isFresh: boolean, log: Log): Promise<void> {
  const [database] = await sql<{ encoding: string }[]>`select current_setting('server_encoding') as encoding`
  if (!database || database.encoding === 'UTF8') return
  const message = `The encoding of this database is ${database.encoding}, but reviews need UTF8. Create another: CREATE DATABASE name ENCODING 'UTF8' TEMPLATE template0;`
  if (isFresh) throw new DatabaseUnfit('encoding_not_utf8', message)
  log.warn({ encoding: database.encoding }, message)
}

/**
 * Creates the extension if it is missing, and checks it.
 * @throws {DatabaseUnfit} pgvector is missing, below 0.5, not visible to this role or not permitted to it
 */
export async function createVector(sql: Sql): Promise<void> {
  const isNew = (await sql`select from pg_extension where extname = 'vector'`).length === 0
  if (isNew) await sql`create extension if not exists vector`.catch(await explainedVector(sql))
  await checkVector(sql, isNew)
}

/** Prepared before the statement is sent: a failed transaction answers no more queries. */
async function explainedVector(sql: Sql) {
  const missing: [DatabaseUnfit['code'], string] = [
    'pgvector_missing',
    `The extension pgvector (${NEEDED} or newer) is not installed on this PostgreSQL server. Install it, for example ${await packageFor(sql)}.`,
  ]
  return explained({
    '42501': [
      'pgvector_not_permitted',
      'This role may not create the extension pgvector. Run as a superuser in this database: CREATE EXTENSION vector;',
    ],
    '0A000': missing,
    '3F000': NO_SCHEMA,
    '58P01': missing,
  })
}

async function packageFor(sql: Sql): Promise<string> {
  const [server] = await sql<{ major: number }[]>`
    select current_setting('server_version_num')::int / 10000 as major`
  return `the package postgresql-${server?.major ?? 17}-pgvector (from apt.postgresql.org if your distribution does not have it)`
}

/** @param isNew created in this transaction, which is rolled back if this throws */
export async function checkVector(sql: Sql, isNew = false): Promise<void> {
  const [extension] = await sql<
    { version: string; schema: string; found: boolean; path: string; role: string; login: string }[]
  >`
    select extversion as version, extnamespace::regnamespace::text as schema, to_regtype('vector') is not null as found,
      current_setting('search_path') as path, quote_ident(current_user) as role,
      quote_ident(session_user) as login
    from pg_extension where extname = 'vector'`
  if (!extension) return
  const { version, schema, found, path, role, login } = extension
  if (!found) {
    const message = `pgvector is installed in the schema ${schema}, which is not on this role's search_path (${path}) or which the role may not use. Run: GRANT USAGE ON SCHEMA ${schema} TO ${role}; ALTER ROLE ${login} SET search_path = ${path}, ${schema};`
    throw new DatabaseUnfit('pgvector_not_on_path', message)
  }
  if (!isEnough(version)) throw new DatabaseUnfit('pgvector_too_old', await howToUpdate(sql, version, isNew))
}

function isEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > MINIMUM_PGVECTOR[0] || minor >= MINIMUM_PGVECTOR[1]
}

/** An extension stays at its version when the server's package is updated, so one or two steps may be needed. */
async function howToUpdate(sql: Sql, version: string, isNew: boolean): Promise<string> {
  const needed = `pgvector ${NEEDED} or newer is needed`
  const [server] = await sql<{ version: string | null }[]>`
    select default_version as version from pg_available_extensions where name = 'vector'`
  const statement = 'run as its owner or a superuser in this database: ALTER EXTENSION vector UPDATE;'
  if (server?.version && isEnough(server.version)) {
    return `${needed}. The server has ${server.version}, but this database still uses ${version}: ${statement}`
  }
  const update = `Update it there: ${await packageFor(sql)}, or switch to a newer minor version of PostgreSQL at your hosting provider`
  if (isNew) return `${needed}; this server has ${version}. ${update}.`
  return `${needed}; this database has ${version}. ${update}. Then ${statement}`
}
