import type { Finding } from '../../src/contract/doctor.ts'
import type { ServerConfig } from '../config.ts'
import { connect } from '../db/connect.ts'
import { obstructor } from '../db/lock-holder.ts'
import { isDiskFull } from '../db/unavailable.ts'
import type { Pool } from '../deps.ts'
import { writeMegabyte } from '../sql/installation/diagnosis.ts'
import { failure, warning } from './finding.ts'

/**
 * What keeps PostgreSQL from answering or storing: another program's locks, a full disk. Asked on a connection of its own,
 * since those of the pool may all wait. Reports only problems.
 */
export async function obstacleFindings(deps: { config: Pick<ServerConfig, 'databaseUrl'> }): Promise<Finding[]> {
  const url = deps.config.databaseUrl
  if (url === undefined) return []
  const sql = connect({ url, max: 1 })
  try {
    return [...(await lockFindings(sql)), ...(await roomFindings(sql))]
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function lockFindings(sql: Pool): Promise<Finding[]> {
  const found = await obstructor(sql)
  if (!found) return []
  const { pid, user, application, seconds, waiting } = found
  const since = seconds === null ? '' : ` for ${seconds} s`
  const who = `process ${pid} of ${user} (${application || 'without a name'})`
  const hint = `wait until it has ended, or end it: SELECT pg_terminate_backend(${pid})`
  const message = `${who} has held locks on tables of Pullquote${since}`
  if (waiting === 0) return [warning('locks', `${message}: what writes there has to wait`, hint)]
  return [failure('locks', `${message}: requests wait for it, and get 503 after 15 s`, hint)]
}

async function roomFindings(sql: Pool): Promise<Finding[]> {
  const isFull = await writeMegabyte(sql).then(
    () => false,
    // A read-only database is reported by another check, and without the right to create such a table nothing is known.
    isDiskFull,
  )
  if (!isFull) return []
  const hint = 'free some space there, or move the database to a larger disk; what waits is then stored and indexed'
  return [failure('database', "PostgreSQL's disk is full: pushes and imports get 503, and nothing is indexed", hint)]
}
