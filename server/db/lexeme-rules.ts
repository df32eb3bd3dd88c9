import { randomUUID } from 'node:crypto'
import type { Log, Pool, Sql } from '../deps.ts'
import { longTransaction } from './transaction.ts'

/**
 * By what this database makes lexemes: its program, whose stemmers change (PostgreSQL 18 makes `Kellnerin` to `kelln`, 17 to
 * `kellnerin`), what it and its system take for letters, and the functions. Another name is no proof that lexemes differ; it
 * costs a look at all texts.
 */
async function rulesHere(sql: Sql): Promise<string> {
  const [row] = await sql<{ rules: string }[]>`
    select md5(concat_ws(' ', version(), datlocprovider, datctype,
      pg_get_function_sqlbody('excerpt_lexemes(regconfig, text)'::regprocedure),
      pg_get_function_sqlbody('cut_unspaced(text)'::regprocedure))) as rules
    from pg_database where datname = current_database()`
  if (!row) throw new Error('The database answered nothing about itself')
  return row.rules
}

/**
 * Makes lexemes by this database's rules where others made them, which queries do not meet: after `pg_upgrade`, an import of
 * `pg_dump`, an update of the embedded database or of the operating system.
 */
export async function rebuildStaleLexemes(sql: Pool, log: Log): Promise<void> {
  const [installation] = await sql<{ rules: string | null; texts: boolean }[]>`
    select lexeme_rules as rules, exists (select from excerpts) as texts from installation`
  if (installation?.rules === (await rulesHere(sql))) return
  // Seconds for 100,000 reviews, in which the server does not answer yet.
  if (installation?.texts) log.info({}, 'looking whether the words of texts are those that this PostgreSQL makes')
  const changed = await longTransaction(sql, rebuildStaleLexemesIn)
  if (changed > 0) log.info({ excerpts: changed }, 'made the words of texts anew, by the rules of this PostgreSQL')
}

/** The same within a transaction. @returns how many excerpts had others */
export async function rebuildStaleLexemesIn(sql: Sql): Promise<number> {
  // Apart, since on a cluster the table is one of all servers, and the catalog is each one's own.
  const rules = await rulesHere(sql)
  // Servers that start at once wait for each other here.
  const [installation] = await sql<{ rules: string | null }[]>`
    select lexeme_rules as rules from installation for no key update`
  if (installation?.rules === rules) return 0
  // As in a migration: a table of all servers is changed after those that are spread over them.
  await sql`select set_config('citus.multi_shard_modify_mode', 'sequential', true)`
  const configs = await sql<{ config: string }[]>`select distinct search_config as config from excerpts`
  let changed = 0
  // Each configuration a constant: a distributed database takes no column for it in an update.
  for (const { config } of configs) {
    const { count } = await sql`
      update excerpts set lexemes = excerpt_lexemes(${config}::regconfig, text)
      where search_config = ${config} and lexemes <> excerpt_lexemes(${config}::regconfig, text)`
    changed += count
  }
  // No row of search_changes tells of this revision, so that what servers hold in memory is loaded again.
  if (changed > 0) await sql`update environments set revision = revision + 1, stamp = ${randomUUID()}`
  await sql`update installation set lexeme_rules = ${rules}`
  return changed
}
