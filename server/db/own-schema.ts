import type { Sql } from '../deps.ts'
import { DatabaseUnfit, explained } from './requirements.ts'
import { checkRights } from './rights.ts'

/** An object of that name exists already: a table or an index, a type, a function. */
const TAKEN = ['42P07', '42710', '42723']

/** A schema with a table of applied migrations, a name that other software uses too. */
interface Candidate {
  schema: string
  /** Whether tables are created in this schema. */
  first: boolean
  ours: boolean
  readable: boolean
}

/**
 * Whether this installation's tables are in the first schema of the search_path, where new ones are created.
 * @throws {DatabaseUnfit} this role may not use them, they are another program's, or a further schema has a Pullquote's
 * tables and it is unclear which is meant
 */
export async function isMigrated(sql: Sql): Promise<boolean> {
  const found = await sql<Candidate[]>`
    select nspname as schema, nspname = current_schema() as first, has_table_privilege(pg_class.oid, 'select') as readable,
      (select count(*) from pg_attribute
        where attrelid = pg_class.oid and attname in ('name', 'applied_at') and not attisdropped) = 2 as ours
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relname = 'schema_migrations' and nspname = any (current_schemas(false))
    order by array_position(current_schemas(false), nspname)`
  const [first] = found
  if (!first) return false
  if (first.first) {
    if (!first.ours) throw await taken(sql, 'its table schema_migrations')
    await checkRights(sql)
    return true
  }
  const other = found.find(({ ours, readable }) => ours && readable)
  if (!other) return false
  // It may be set in this server's address, or in the settings of the role or the database.
  const [path] = await sql<{ source: string }[]>`select source from pg_settings where name = 'search_path'`
  if (path?.source === 'client') return false
  const { schema, login } = await place(sql)
  const message = `This role makes its tables in the schema ${schema}, and those of a Pullquote are in ${other.schema}. To go on with them, run ALTER ROLE ${login} SET search_path = ${other.schema}, ${schema}; or add ?search_path=${other.schema},${schema} to DATABASE_URL. For new ones, add ?search_path=${schema},${other.schema}.`
  throw new DatabaseUnfit('schema_in_question', message)
}

/**
 * Explains the failure of a first migration when something of the same name is there. Prepared before its statements are sent.
 * @param hadTable whether a table of migrations like ours was there, without a row
 */
export async function explainedTaken(sql: Sql, hadTable: boolean) {
  const refusal = hadTable ? await withoutRows(sql) : await taken(sql, 'something of a name that Pullquote uses')
  return explained(Object.fromEntries(TAKEN.map((state) => [state, [refusal.code, refusal.message]])))
}

/** A dump's tables without their rows also lack the rows that tell which migrations made them. */
async function withoutRows(sql: Sql): Promise<DatabaseUnfit> {
  const { schema } = await place(sql)
  const message = `The schema ${schema} has tables as Pullquote makes them, and its table schema_migrations is empty, as after pg_restore --schema-only. Nothing was changed. Restore the whole dump into an empty database, or give Pullquote an empty one, in which it makes its tables itself.`
  return new DatabaseUnfit('schema_in_use', message)
}

async function taken(sql: Sql, what: string): Promise<DatabaseUnfit> {
  const { schema, role } = await place(sql)
  const message = `In the schema ${schema} another program has ${what}. Nothing was changed. Give Pullquote a database of its own, or a schema: CREATE SCHEMA pullquote AUTHORIZATION ${role}; and ?search_path=pullquote,${schema} in DATABASE_URL.`
  return new DatabaseUnfit('schema_in_use', message)
}

/** @returns `login`: the role whose settings a session gets, which is not the one that it changes to */
async function place(sql: Sql): Promise<{ schema: string; role: string; login: string }> {
  const [row] = await sql<{ schema: string; role: string; login: string }[]>`
    select quote_ident(current_schema()) as schema, quote_ident(current_user) as role, quote_ident(session_user) as login`
  return row ?? { schema: 'public', role: 'the role', login: 'the role' }
}
