import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../../src/contract/code-of.ts'
import type { Pool, Sql } from '../deps.ts'
import { readDatabaseAddress } from './address.ts'
import { connect } from './connect.ts'

const NOT_PREPARED = '26000'
/** The consequence when the library prepares the statement again within the failed transaction. */
const FAILED_TRANSACTION = '25P02'

/**
 * Whether there is a pooler in statement mode, which answers single statements and closes the connection at `begin`:
 * everything but writing would seem to work.
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
 * Whether a connection's prepared statements survive to its next transaction. A pooler in transaction mode (PgBouncer) may
 * switch to another PostgreSQL session, which is provoked here by a second connection that takes the first's. A pooler that
 * prepares statements again by itself passes (PgBouncer from 1.21 on), and so does an address that disables them.
 * @returns undefined when `limitMs` was not enough: a pooler gives its sessions to others
 */
export async function keepsPreparedStatements(url: string, limitMs = 5_000): Promise<boolean | undefined> {
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
    // Nobody handles a failure after the limit.
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
