import { projectsByServer } from '../../db/cluster.ts'
import { onAllServers, onServer } from '../../db/cluster-watch.ts'
import { isServerOfClusterLost, unlessServerLost } from '../../db/unavailable.ts'
import type { Fragment, Sql } from '../../deps.ts'
import { dayUsage } from '../usage/embedding-usage.ts'

/** What the operator grants the pipeline; no limit unless set. */
export interface IndexingAllowance {
  /** Texts embedded for reviews in a UTC day, by all servers together. */
  dailyEmbeddings?: number | undefined
  /** Reviews that may wait; past it the answer to a push says that its reviews are indexed later. */
  queueDepth?: number | undefined
}

/** What stands before a push in the queue. */
export interface Backlog {
  /** Reviews of other projects that wait or are being indexed. */
  queued: number
  /** Of those, the ones that no server has taken. */
  untaken: number
  /** Texts embedded today. */
  texts: number
}

/**
 * What stands before a push of a project, asked before its transaction; undefined where the operator limits nothing. Of a server
 * of a cluster that is lost nothing is counted: what waits there takes nobody's turn before it is back, and no project of another
 * server's is refused a push for it.
 */
export async function backlogOfOthers(
  sql: Sql,
  projectId: string,
  allowance: IndexingAllowance,
): Promise<Backlog | undefined> {
  if (allowance.dailyEmbeddings === undefined && allowance.queueDepth === undefined) return undefined
  const { texts } = await dayUsage(sql)
  const most = enough(allowance)
  try {
    return { texts, ...(await onAllServers(sql, () => waiting(sql, sql`project_id <> ${projectId}`, most))) }
  } catch (error) {
    if (!isServerOfClusterLost(error)) throw error
  }
  const answers = [...(await projectsByServer(sql))].map(([server, ids]) => {
    const others = ids.filter((id) => id !== projectId)
    const ask = () => waiting(sql, sql`project_id = any (${others}::uuid[])`, most)
    return unlessServerLost(onServer(sql, server, ask))
  })
  const backlog = { queued: 0, untaken: 0, texts }
  for (const answer of await Promise.all(answers)) {
    backlog.queued += answer?.queued ?? 0
    backlog.untaken += answer?.untaken ?? 0
  }
  return backlog
}

/**
 * Whether reviews of a project, queued before or just now in this transaction, will be indexed later than "within seconds":
 * the queue is past its depth with them, or today's allowance is spent before their turn. A review counts as one text here,
 * since its excerpts are not known yet.
 *
 * @param others what stands before them of other projects; undefined where nothing is limited
 */
export async function isDeferred(
  sql: Sql,
  projectId: string,
  allowance: IndexingAllowance,
  others: Backlog | undefined,
): Promise<boolean> {
  if (others === undefined) return false
  const { dailyEmbeddings, queueDepth } = allowance
  const own = await waiting(sql, sql`project_id = ${projectId}`, enough(allowance))
  if (queueDepth !== undefined && own.queued + others.queued > queueDepth) return true
  // Claimed reviews have taken their texts from the allowance already.
  return dailyEmbeddings !== undefined && others.texts + own.untaken + others.untaken > dailyEmbeddings
}

/** Counting further than the larger limit would only cost time. */
function enough({ dailyEmbeddings, queueDepth }: IndexingAllowance): number {
  return Math.max(dailyEmbeddings ?? 0, queueDepth ?? 0) + 1
}

async function waiting(sql: Sql, which: Fragment, most: number): Promise<Pick<Backlog, 'queued' | 'untaken'>> {
  const [row] = await sql<Pick<Backlog, 'queued' | 'untaken'>[]>`
    select count(*)::int as queued, (count(*) filter (where leased_until is null or leased_until < now()))::int as untaken
    from (select leased_until from index_jobs where set_aside_at is null and ${which} limit ${most}) j`
  return row ?? { queued: 0, untaken: 0 }
}
