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
 * Whether the database lower-cases letters like queries are, by Unicode's rules, and knows which signs are no letters. With
 * `LC_CTYPE C` it knows none beyond ASCII, with a Turkish locale `I` becomes `ı`: words with such letters, or beside such signs,
 * are then not found as words. From PostgreSQL 18 on the letters are those of the locale provider, the signs still LC_CTYPE's.
 */
async function otherLetters(sql: Sql): Promise<TextFinding | undefined> {
  const [database] = await sql<{ name: string; type: string; locale: string | null; encoding: string }[]>`
    select quote_ident(datname) as name, datctype as type, pg_encoding_to_char(encoding) as encoding,
      coalesce(to_jsonb(pg_database) ->> 'datlocale', to_jsonb(pg_database) ->> 'daticulocale') as locale
    from pg_database where datname = current_database()`
  // Another encoding may reject this query, and is reported separately.
  if (database?.encoding !== 'UTF8') return undefined
  const [read] = await sql<{ lowered: string; parsed: string }[]>`
    select (ts_lexize('pg_catalog.simple', 'ÉI'))[1] as lowered,
      (select token from ts_parse('default', 'É’I') limit 1) as parsed`
  if (!read || (read.lowered === 'éi' && read.parsed === 'É')) return undefined
  const { name, type, locale } = database
  const which = `the database ${name} (LC_CTYPE ${type}${locale === null ? '' : `, locale ${locale}`})`
  return {
    message:
      read.lowered === 'éi'
        ? `${which} takes signs such as ’ for letters: words of reviews that stand beside them are not matched by those of queries`
        : `${which} makes the letters ÉI small as ${read.lowered}: words of reviews that begin with such a letter are not matched by those of queries`,
    hint: "make another, CREATE DATABASE other ENCODING 'UTF8' LOCALE_PROVIDER libc LOCALE 'C.UTF-8' TEMPLATE template0; (or en_US.UTF-8, where the system has no C.UTF-8), and take the data there: pullquote backup, pullquote restore",
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
