import type { Log, Sql } from '../deps.ts'

export interface CollationChange {
  message: string
  hint: string
}

/**
 * Whether texts are sorted otherwise than when this database was made: its files were taken to another operating system,
 * or that one was updated. An index of texts then misses rows that are there, and a review is stored twice. PostgreSQL
 * says it as a warning to each connection, which nobody reads.
 *
 * @returns undefined where all is as it was, or nobody can know: the sorting of `C` and the embedded database's has no version
 */
export async function collationChange(sql: Sql): Promise<CollationChange | undefined> {
  const [database] = await sql<{ name: string; made: string | null; actual: string | null }[]>`
    select quote_ident(datname) as name, datcollversion as made, pg_database_collation_actual_version(oid) as actual
    from pg_database where datname = current_database()`
  const { name, made, actual } = database ?? {}
  if (made == null || actual == null || made === actual) return undefined
  return {
    message: `the operating system of PostgreSQL sorts texts by version ${actual} of its rules, and this database was made with ${made}: indexes may miss what is there`,
    hint: `run as the database's owner, while no server uses it: REINDEX DATABASE ${name}; ALTER DATABASE ${name} REFRESH COLLATION VERSION;`,
  }
}

export async function warnOfCollation(sql: Sql, log: Log): Promise<void> {
  const change = await collationChange(sql)
  if (change) log.warn({}, `${change.message}; ${change.hint}`)
}
