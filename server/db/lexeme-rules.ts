import { randomUUID } from 'node:crypto'
import type { Log, Pool, Sql } from '../deps.ts'
import { longTransaction } from './transaction.ts'

/**
 * Fingerprint of what determines this database's lexemes: its version, whose stemmers change (PostgreSQL 18 makes `Kellnerin`
 * into `kelln`, 17 into `kellnerin`), its and the system's notion of letters, and the functions. A different fingerprint does
 * not prove that lexemes differ; it costs a check of all texts.
 */
async function rulesHere(sql: Sql): Promise<string> {
  const [row] = await sql<{ rules: string }[]>`
    select md5(concat_ws(' ', version(), datlocprovider, datctype,
      pg_get_function_sqlbody('excerpt_lexemes(regconfig, text)'::regprocedure),
      pg_get_function_sqlbody('lexemes_beyond_ascii(regconfig, text)'::regprocedure),
      pg_get_function_sqlbody('composed(text)'::regprocedure),
      pg_get_function_sqlbody('without_accents(text)'::regprocedure),
      pg_get_function_sqlbody('spelled_out(text)'::regprocedure),
      pg_get_function_sqlbody('unaccented_stop_words(regconfig)'::regprocedure),
      pg_get_function_sqlbody('cut_unspaced(text)'::regprocedure))) as rules
    from pg_database where datname = current_database()`
  if (!row) throw new Error('The database answered nothing about itself')
  return row.rules
}

/**
 * Rebuilds lexemes made by other rules, which queries would not match: after `pg_upgrade`, a restore from `pg_dump`, or an
 * update of the embedded database or the operating system.
 * @param lockMs how long to wait for a lock; without a limit by default
 */
export async function rebuildStaleLexemes(sql: Pool, log: Log, lockMs = 0): Promise<void> {
  const [installation] = await sql<{ rules: string | null; texts: boolean }[]>`
    select lexeme_rules as rules, exists (select from excerpts) as texts from installation`
  if (installation?.rules === (await rulesHere(sql))) return
  // Takes seconds for 100,000 reviews, during which the server does not answer yet.
  if (installation?.texts) log.info({}, 'looking whether the words of texts are those that this PostgreSQL makes')
  const changed = await longTransaction(sql, rebuildStaleLexemesIn, { lockMs })
  if (changed > 0) log.info({ excerpts: changed }, 'made the words of texts anew, by the rules of this PostgreSQL')
}

/** The same within a transaction. @returns how many excerpts had other lexemes */
export async function rebuildStaleLexemesIn(sql: Sql): Promise<number> {
  // Separate, since on a cluster the table is on all servers, while each has its own catalog.
  const rules = await rulesHere(sql)
  // Servers that start concurrently wait for each other here.
  const [installation] = await sql<{ rules: string | null }[]>`
    select lexeme_rules as rules from installation for no key update`
  if (installation?.rules === rules) return 0
  // As in a migration: a reference table is changed after distributed ones.
  await sql`select set_config('citus.multi_shard_modify_mode', 'sequential', true)`
  const configs = await sql<{ config: string }[]>`select distinct search_config as config from excerpts`
  let changed = 0
  // One configuration at a time, as a parameter: a distributed database does not accept a column for it in an update.
  for (const { config } of configs) {
    const { count } = await sql`
      update excerpts set lexemes = excerpt_lexemes(${config}::regconfig, text)
      where search_config = ${config} and lexemes <> excerpt_lexemes(${config}::regconfig, text)`
    changed += count
  }
  // No row of search_changes covers this revision, so that servers reload their indexes.
  if (changed > 0) await sql`update environments set revision = revision + 1, stamp = ${randomUUID()}`
  await sql`update installation set lexeme_rules = ${rules}`
  return changed
}
