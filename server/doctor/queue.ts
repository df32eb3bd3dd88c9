import { formatCount, pluralize } from '../../src/contract/counts.ts'
import type { Finding } from '../../src/contract/doctor.ts'
import type { ServerConfig } from '../config.ts'
import type { Sql } from '../deps.ts'
import { failingJob, queueCounts } from '../sql/queue/counts.ts'
import { listSetAside } from '../sql/queue/set-aside.ts'
import { dayUsage } from '../sql/usage/embedding-usage.ts'
import { ok, warning } from './finding.ts'

const OLD_SECONDS = 15 * 60

/** What waits to be indexed, why it waits, and what was set aside. */
export async function queueFindings(deps: { sql: Sql; config: Pick<ServerConfig, 'allowance'> }): Promise<Finding[]> {
  const counts = await queueCounts(deps.sql)
  const aside = counts.set_aside > 0 ? [await setAsideFinding(deps.sql, counts.set_aside)] : []
  if (counts.queued > 0) return [await waitingFinding(deps, counts), ...aside]
  return aside.length > 0 ? aside : [ok('queue', 'empty: everything is indexed')]
}

async function waitingFinding(
  { sql, config: { allowance } }: Parameters<typeof queueFindings>[0],
  { queued, failing, oldest_seconds: oldestSeconds }: Awaited<ReturnType<typeof queueCounts>>,
): Promise<Finding> {
  const waiting = `${pluralize(queued, 'review')} ${queued === 1 ? 'is' : 'are'} waiting, the oldest for ${Math.round(oldestSeconds)} s`
  const job = failing > 0 ? await failingJob(sql) : undefined
  if (job) {
    const message = `${waiting}; ${failing} have failed, one ${job.attempts} times: ${job.error}`
    return warning('queue', message, 'they are tried again automatically; see the log')
  }
  const { dailyEmbeddings } = allowance
  if (dailyEmbeddings !== undefined && (await dayUsage(sql)).texts >= dailyEmbeddings) {
    const message = `${waiting}; the daily allowance of ${formatCount(dailyEmbeddings)} texts is used up until 00:00 UTC`
    return warning('queue', message, 'wait, or raise PULLQUOTE_DAILY_EMBEDDINGS and restart the server')
  }
  if (oldestSeconds < OLD_SECONDS) return ok('queue', waiting)
  return warning('queue', waiting, 'check whether the embedding service is slow; see the log')
}

async function setAsideFinding(sql: Sql, count: number): Promise<Finding> {
  const [latest] = (await listSetAside(sql, { limit: 1 })).reviews
  const message = `${pluralize(count, 'review')} failed twice and set aside; reason for the latest: ${latest?.reason ?? ''}`
  return warning('set aside', message, 'list them with pullquote reviews failed; --retry tries them again')
}
