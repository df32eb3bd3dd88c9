import type { Log, Sql } from '../deps.ts'

export interface TextFinding {
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
export async function collationChange(sql: Sql): Promise<TextFinding | undefined> {
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

/**
 * Whether the capitals of texts are made small as those of queries are, by Unicode's rules. With `LC_CTYPE C` the database knows
 * none beyond ASCII, with a Turkish one an `I` becomes an `ı`: a word that begins so is then found by nobody, as a word.
 */
async function otherLetters(sql: Sql): Promise<TextFinding | undefined> {
  const [database] = await sql<{ name: string; type: string; encoding: string }[]>`
    select quote_ident(datname) as name, datctype as type, pg_encoding_to_char(encoding) as encoding
    from pg_database where datname = current_database()`
  // Another may not even take the question, and is told of as such.
  if (database?.encoding !== 'UTF8') return undefined
  const [read] = await sql<{ lowered: string }[]>`select (ts_lexize('pg_catalog.simple', 'ÉI'))[1] as lowered`
  if (!read || read.lowered === 'éi') return undefined
  const { name, type } = database
  return {
    message: `the database ${name} (LC_CTYPE ${type}) makes the letters ÉI small as ${read.lowered}: words of reviews that begin with such a letter are not matched by those of queries`,
    hint: "make another, CREATE DATABASE other ENCODING 'UTF8' LC_CTYPE 'C.UTF-8' TEMPLATE template0; (or en_US.UTF-8, where the system has no C.UTF-8), and take the data there: pullquote backup, pullquote restore",
  }
}

/** What of the database's rules for texts makes answers worse, in the order of weight. */
export async function textFindings(sql: Sql): Promise<TextFinding[]> {
  const found = [await collationChange(sql), await otherLetters(sql)]
  return found.filter((finding) => finding !== undefined)
}

export async function warnOfTexts(sql: Sql, log: Log): Promise<void> {
  for (const { message, hint } of await textFindings(sql)) log.warn({}, `${message}; ${hint}`)
}
