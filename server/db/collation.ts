import type { Log, Sql } from '../deps.ts'

export interface TextFinding {
  message: string
  hint: string
}

/**
 * Whether texts sort differently than when this database was created: its files were moved to another operating system, or
 * that was updated. An index on text then misses existing rows, and a review is stored twice. PostgreSQL warns about it on
 * each connection, which nobody reads.
 * @returns undefined when nothing has changed or it cannot be known: `C` and the embedded database's collation have no
 * version
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
 * Whether the database lower-cases letters like queries are, by Unicode's rules. With `LC_CTYPE C` it knows none beyond
 * ASCII, with a Turkish locale `I` becomes `ı`: a word that begins with such a letter is then not found as a word.
 */
async function otherLetters(sql: Sql): Promise<TextFinding | undefined> {
  const [database] = await sql<{ name: string; type: string; encoding: string }[]>`
    select quote_ident(datname) as name, datctype as type, pg_encoding_to_char(encoding) as encoding
    from pg_database where datname = current_database()`
  // Another encoding may reject this query, and is reported separately.
  if (database?.encoding !== 'UTF8') return undefined
  const [read] = await sql<{ lowered: string }[]>`select (ts_lexize('pg_catalog.simple', 'ÉI'))[1] as lowered`
  if (!read || read.lowered === 'éi') return undefined
  const { name, type } = database
  return {
    message: `the database ${name} (LC_CTYPE ${type}) makes the letters ÉI small as ${read.lowered}: words of reviews that begin with such a letter are not matched by those of queries`,
    hint: "make another, CREATE DATABASE other ENCODING 'UTF8' LC_CTYPE 'C.UTF-8' TEMPLATE template0; (or en_US.UTF-8, where the system has no C.UTF-8), and take the data there: pullquote backup, pullquote restore",
  }
}

/** The database's rules for text that make answers worse, most serious first. */
export async function textFindings(sql: Sql): Promise<TextFinding[]> {
  const found = [await collationChange(sql), await otherLetters(sql)]
  return found.filter((finding) => finding !== undefined)
}

export async function warnAboutTextRules(sql: Sql, log: Log): Promise<void> {
  for (const { message, hint } of await textFindings(sql)) log.warn({}, `${message}; ${hint}`)
}
