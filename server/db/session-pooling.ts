import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../../src/contract/code-of.ts'
import type { Pool, Sql } from '../deps.ts'
import { readDatabaseAddress } from './address.ts'
import { connect } from './connect.ts'

const NOT_PREPARED = '26000'
/** What follows when the library prepares the statement again within the failed transaction. */
const FAILED_TRANSACTION = '25P02'

/**
 * Whether a pooler in statement mode is between, which answers each statement and closes the connection at a `begin`: all
 * but writing would seem well.
 */
export async function refusesTransactions(sql: Pool): Promise<boolean> {
  const answers = (asked: Promise<unknown>) =>
    asked.then(
      () => true,
      () => false,
    )
  // Twice, since a connection may be lost for another reason.
  for (let tries = 0; tries < 2; tries++) {
    if (await answers(sql.begin((tx) => tx`select 1`))) return false
    if (!(await answers(sql`select 1`))) return false
  }
  return true
}

/**
 * Whether what a connection has prepared is there in its next transaction. A pooler in transaction mode (PgBouncer) may
 * then give it another session of PostgreSQL, which is brought about here by a second connection that holds the first's.
 * One that prepares statements there again by itself passes (PgBouncer from 1.21 on), and so does an address that has none prepared.
 *
 * @returns undefined when `limitMs` did not suffice: a pooler gives its sessions to others
 */
export async function keepsPrepared(url: string, limitMs = 5_000): Promise<boolean | undefined> {
  if (readDatabaseAddress(url).prepare === false) return true
  const [first, second] = [connect({ url, max: 1 }), connect({ url, max: 1 })]
  const ask = (sql: Sql) => sql`select ${'prepared'}::text`
  const askInAnotherSession = async () => {
    await ask(first)
    await second.begin(async (holding) => {
      await holding`select 1`
      await first.begin(ask)
    })
    return true
  }
  const limit = new AbortController()
  try {
    const asked = askInAnotherSession()
    // Of one that fails after the limit nobody hears.
    asked.catch(() => {})
    return await Promise.race([asked, sleep(limitMs, undefined, { signal: limit.signal })])
  } catch (error) {
    if ([NOT_PREPARED, FAILED_TRANSACTION].includes(codeOf(error) ?? '')) return false
    throw error
  } finally {
    limit.abort()
    await Promise.all([first.end({ timeout: 1 }), second.end({ timeout: 1 })])
  }
}
