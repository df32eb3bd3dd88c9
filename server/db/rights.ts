import type { Sql } from '../deps.ts'
import { PLACEMENTS } from './distribution.ts'
import { DatabaseUnfit } from './requirements.ts'

/**
 * Checks that this role can read and write every row of the existing tables. If another role restored or migrated them, all
 * might look well until a write fails, or rows might be missing silently.
 * @throws {DatabaseUnfit} with the statements to run
 */
export async function checkRights(sql: Sql): Promise<void> {
  const wrong = await sql<{ name: string; schema: string; owner: string; role: string; permitted: boolean }[]>`
    select * from (
      select quote_ident(relname) as name, quote_ident(nspname) as schema, pg_get_userbyid(relowner) as owner,
        quote_ident(current_user) as role, relrowsecurity and row_security_active(pg_class.oid) as filtered,
        has_table_privilege(pg_class.oid, 'select') and has_table_privilege(pg_class.oid, 'insert')
          and has_table_privilege(pg_class.oid, 'update') and has_table_privilege(pg_class.oid, 'delete') as permitted
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname = current_schema() and relkind in ('r', 'p') and relname = any (${Object.keys(PLACEMENTS)}::text[])
    ) as tables
    where not permitted or filtered
    order by permitted, name`
  const [first] = wrong
  if (!first) return
  const { schema, owner, role, permitted } = first
  const names = wrong.filter((one) => one.permitted === permitted).map(({ name }) => name)
  const better = `Or put ${owner}, their owner, into DATABASE_URL, which migrations of later versions need anyway.`
  const message = permitted
    ? `Row level security hides rows of Pullquote's tables from this role. Run ${names.map((name) => `ALTER TABLE ${schema}.${name} DISABLE ROW LEVEL SECURITY;`).join(' ')} ${better}`
    : `This role may not read and write Pullquote's tables in the schema ${schema} (${names.join(', ')}). Run GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}; ${better}`
  throw new DatabaseUnfit('tables_not_permitted', message)
}
