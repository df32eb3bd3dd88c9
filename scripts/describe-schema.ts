import type { Sql } from '../server/deps.ts'

/**
 * The migrated schema as SQL, from the catalog: the same text on every PostgreSQL from 15 on and on the embedded database,
 * which pg_dump does not guarantee. `schema.sql` is its output, for people to read; only a test runs it.
 */
export async function describeSchema(sql: Sql): Promise<string> {
  const [schema] = await sql<{ name: string }[]>`select current_schema()::text as name`
  const functions = await sql<{ definition: string }[]>`
    with recursive ours as (
      select oid, proname from pg_proc where pronamespace = current_schema()::regnamespace and ${isOurs(sql, 'pg_proc')}
    ),
    -- After those that it calls.
    called as (
      select oid, 0 as after from ours
      union
      select objid, after + 1 from called join pg_depend
        on classid = 'pg_proc'::regclass and refclassid = 'pg_proc'::regclass and refobjid = called.oid
    )
    select pg_get_functiondef(oid) as definition from ours order by (select max(after) from called where called.oid = ours.oid), proname`
  const tables = await sql<{ oid: number; name: string; persistence: string; options: string[] | null }[]>`
    select oid::int, relname as name, relpersistence as persistence, reloptions as options from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and ${isOurs(sql, 'pg_class')}
    order by relname`
  const parts = [
    '-- The whole database after all migrations. Written by scripts/dump-schema.ts; a test holds it to the migrations.',
    'create extension if not exists vector;',
    ...functions.map(({ definition }) => `${definition.trim()};`),
  ]
  const references: string[] = []
  for (const { oid, name, persistence, options } of tables) {
    const constraints = await constraintsOf(sql, oid)
    const lines = [...(await columnsOf(sql, oid)), ...constraints.filter((one) => !one.reference).map(describe)]
    const kind = persistence === 'u' ? 'unlogged table' : 'table'
    const settings = options ? ` with (${options.join(', ')})` : ''
    parts.push(`create ${kind} ${name} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n)${settings};`)
    const indexes = await indexesOf(sql, oid)
    if (indexes.length > 0) parts.push(indexes.map((index) => `${index};`).join('\n'))
    for (const one of constraints.filter(({ reference }) => reference)) {
      references.push(`alter table ${name} add ${describe(one)};`)
    }
  }
  // Definitions of functions and indexes include the schema name; the dump works in any schema.
  return `${[...parts, references.join('\n')].join('\n\n')}\n`.replaceAll(`${schema?.name}.`, '')
}

/** Not part of an extension. */
function isOurs(sql: Sql, catalog: string) {
  return sql`not exists (
    select 1 from pg_depend
    where classid = ${catalog}::regclass and objid = ${sql(catalog)}.oid and deptype = 'e'
  )`
}

async function columnsOf(sql: Sql, table: number): Promise<string[]> {
  const rows = await sql<{ name: string; type: string; required: boolean; value: string | null; identity: string }[]>`
    select attname as name, format_type(atttypid, atttypmod) as type, attnotnull as required,
      pg_get_expr(adbin, adrelid) as value, attidentity as identity
    from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attrelid = ${table} and attnum > 0 and not attisdropped
    order by attnum`
  return rows.map(({ name, type, required, value, identity }) =>
    [
      name,
      type,
      identity === 'a' && 'generated always as identity',
      required && 'not null',
      value !== null && `default ${value}`,
    ]
      .filter(Boolean)
      .join(' '),
  )
}

interface Constraint {
  name: string
  definition: string
  reference: boolean
}

/** Since PostgreSQL 18 `not null` is also a constraint (type n); here it is shown with its column. */
async function constraintsOf(sql: Sql, table: number): Promise<Constraint[]> {
  return sql<Constraint[]>`
    select conname as name, pg_get_constraintdef(oid) as definition, contype = 'f' as reference from pg_constraint
    where conrelid = ${table} and contype in ('p', 'u', 'c', 'f')
    order by contype <> 'p', contype, conname`
}

function describe({ name, definition }: Constraint): string {
  return `constraint ${name} ${definition}`
}

async function indexesOf(sql: Sql, table: number): Promise<string[]> {
  const rows = await sql<{ definition: string }[]>`
    select pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = ${table} and not exists (select 1 from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
    order by (select relname from pg_class where oid = indexrelid)`
  return rows.map(({ definition }) => definition)
}
