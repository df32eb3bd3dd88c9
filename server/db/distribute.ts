import { CodedError } from '../../src/contract/code-of.ts'
import type { Log, Pool, Sql } from '../deps.ts'
import { DISTRIBUTION_COLUMN, PLACEMENTS, type Placement, tablesOf } from './distribution.ts'
import { longTransaction } from './transaction.ts'

/** In earlier versions reference tables and foreign keys between them and local tables behave differently. */
const MINIMUM_CITUS = 12

/** The database cannot be distributed; the message says what to do. Nothing was changed. */
export class NotDistributable extends CodedError<
  | 'no_database_url'
  | 'citus_missing'
  | 'citus_too_old'
  | 'not_coordinator'
  | 'no_workers'
  | 'partitioned'
  | 'placed_otherwise'
> {}

export interface Distribution {
  /** Citus's version, undefined without the extension; then all tables are local. */
  citus?: string | undefined
  /** Servers that hold project data, as `host:port`. */
  workers: string[]
  /** Where each table belongs, and where it is. */
  tables: { table: string; wanted: Placement; actual: Placement }[]
}

/** The current placement of all tables. */
export async function distributionOf(sql: Sql): Promise<Distribution> {
  const [extension] = await sql<{ version: string }[]>`
    select extversion as version from pg_extension where extname = 'citus'`
  const actual = extension ? await placementsOf(sql) : new Map<string, Placement>()
  const tables = Object.entries(PLACEMENTS).map(([table, wanted]) => ({
    table,
    wanted,
    actual: actual.get(table) ?? 'local',
  }))
  if (!extension) return { workers: [], tables }
  const nodes = await sql<{ address: string }[]>`
    select nodename || ':' || nodeport as address from pg_dist_node
    where isactive and shouldhaveshards order by nodename, nodeport`
  return { citus: extension.version, workers: nodes.map(({ address }) => address), tables }
}

async function placementsOf(sql: Sql): Promise<Map<string, Placement>> {
  const rows = await sql<{ table: string; kind: string; column: string | null }[]>`
    select table_name::text as table, citus_table_type as kind, distribution_column as column from citus_tables
    where (select relnamespace from pg_class where oid = table_name) = current_schema()::regnamespace`
  return new Map(rows.map(({ table, kind, column }) => [table, placementOf(kind, column)]))
}

function placementOf(kind: string, column: string | null): Placement {
  if (kind === 'reference') return 'reference'
  return kind === 'distributed' && column === DISTRIBUTION_COLUMN ? 'distributed' : 'local'
}

/**
 * Distributes the tables that are not distributed yet, with their rows, atomically. Writes wait meanwhile. Can be repeated.
 * @returns the placements before
 * @throws {NotDistributable}
 */
export async function distribute(sql: Pool, log: Log): Promise<Distribution> {
  return longTransaction(sql, async (tx) => {
    const before = await planDistribution(tx)
    const due = before.tables.filter(({ wanted, actual }) => wanted !== actual)
    if (due.length === 0) return before
    // Within one transaction, tables that refer to each other can only be changed over a single connection to each server.
    await tx`select set_config('citus.multi_shard_modify_mode', 'sequential', true)`
    await shareFunctions(tx)
    const names = due.map(({ table }) => table)
    const references = await referencesOf(tx, names)
    for (const { table, name } of references) await tx`alter table ${tx(table)} drop constraint ${tx(name)}`
    for (const { table } of due.filter(({ wanted }) => wanted === 'reference')) {
      await tx`select create_reference_table(${table}::text)`
      log.info({ table }, 'copied to every server')
    }
    for (const { table } of due.filter(({ wanted }) => wanted === 'distributed')) {
      const beside = table === FIRST ? 'default' : FIRST
      await tx`select create_distributed_table(${table}::text, ${DISTRIBUTION_COLUMN}::text, colocate_with => ${beside}::text)`
      log.info({ table }, 'distributed by project')
    }
    // The coordinator would keep its rows, hidden but on its disk.
    for (const { table } of due) await tx`select truncate_local_data_after_distributing_table(${table}::text)`
    for (const { table, name, definition } of references) {
      await tx.unsafe(`alter table ${table} add constraint ${name} ${definition}`)
    }
    return before
  })
}

/** The other tables are colocated with it. */
const FIRST = tablesOf('distributed')[0] ?? ''

/** The current placement, if the tables can be distributed; changes nothing. @throws {NotDistributable} */
export async function planDistribution(sql: Sql): Promise<Distribution> {
  const found = await distributionOf(sql)
  const { citus, workers, tables } = found
  if (citus === undefined) {
    const message =
      'This database has no extension Citus, which spreads it over several servers. Install Citus on each of them, then run here: CREATE EXTENSION citus; and see docs/scaling.md.'
    throw new NotDistributable('citus_missing', message)
  }
  if (Number.parseInt(citus, 10) < MINIMUM_CITUS) {
    const message = `Citus ${MINIMUM_CITUS} or newer is needed; this database has ${citus}.`
    throw new NotDistributable('citus_too_old', message)
  }
  const [role] = await sql<{ coordinator: boolean }[]>`
    select (select groupid from pg_dist_local_group) = 0 as coordinator`
  if (!role?.coordinator) {
    const message = 'This is a worker of the cluster. Give the address of its coordinator as DATABASE_URL.'
    throw new NotDistributable('not_coordinator', message)
  }
  const [coordinator] = await sql<{ known: boolean }[]>`
    select exists (select from pg_dist_node where groupid = 0) as known`
  if (!coordinator?.known) {
    const message =
      "The coordinator does not know its own address. Run here: SELECT citus_set_coordinator_host('its host name', its port);"
    throw new NotDistributable('not_coordinator', message)
  }
  if (workers.length === 0) {
    const message = "The cluster has no worker. Run here for each: SELECT citus_add_node('its host name', its port);"
    throw new NotDistributable('no_workers', message)
  }
  await refusePartitioned(sql)
  const elsewhere = tables.find(({ wanted, actual }) => actual !== 'local' && actual !== wanted)
  if (elsewhere) {
    const message = `The table ${elsewhere.table} is a ${elsewhere.actual} table and belongs to the ${elsewhere.wanted} ones. Somebody placed it by hand: run SELECT undistribute_table('${elsewhere.table}', cascade_via_foreign_keys => true); first.`
    throw new NotDistributable('placed_otherwise', message)
  }
  return found
}

async function refusePartitioned(sql: Sql): Promise<void> {
  const rows = await sql<{ table: string; partitioned: boolean }[]>`
    select relname as table, relkind = 'p' as partitioned from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relname = any (${Object.keys(PLACEMENTS)}::text[])`
  const partitioned = rows.find((row) => row.partitioned)
  if (partitioned) {
    const message = `The table ${partitioned.table} is partitioned (docs/scaling.md), which a distributed one cannot be by project. Restore a backup into a fresh database on the coordinator instead.`
    throw new NotDistributable('partitioned', message)
  }
}

/** Functions called by statements on distributed tables must exist on every server. */
async function shareFunctions(sql: Sql): Promise<void> {
  const functions = await sql<{ signature: string }[]>`
    select oid::regprocedure::text as signature from pg_proc
    where pronamespace = current_schema()::regnamespace and prokind = 'f'
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
      and not exists (select from pg_dist_object where classid = 'pg_proc'::regclass and objid = pg_proc.oid)`
  for (const { signature } of functions) await sql`select create_distributed_function(${signature}::text::regprocedure)`
}

/** Foreign keys from and to these tables, recreated when all are placed. */
async function referencesOf(sql: Sql, tables: readonly string[]) {
  return sql<{ table: string; name: string; definition: string }[]>`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where contype = 'f' and (conrelid::regclass::text = any (${tables as string[]}::text[])
      or confrelid::regclass::text = any (${tables as string[]}::text[]))
    order by conrelid::regclass::text, conname`
}
