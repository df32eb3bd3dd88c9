import { projectsByServer } from '../../db/cluster.ts'
import { onAllServers, onServer } from '../../db/cluster-watch.ts'
import { isServerOfClusterLost, unlessServerLost } from '../../db/unavailable.ts'
import type { Fragment, Sql } from '../../deps.ts'
import { dayUsage } from '../usage/embedding-usage.ts'

/** Limits that the operator sets for the pipeline; unlimited unless set. */
export interface IndexingAllowance {
  /** Texts embedded for reviews per UTC day, by all servers together. */
  dailyEmbeddings?: number | undefined
  /** Reviews that may wait; beyond it the response to a push says that indexing is delayed. */
  queueDepth?: number | undefined
}

/** What is ahead of a push in the queue. */
export interface Backlog {
  /** Reviews of other projects that wait or are being indexed. */
  queued: number
  /** Those of them that no server has claimed. */
  untaken: number
  /** Texts embedded today. */
  texts: number
}

/**
 * What is ahead of a project's push, read before its transaction; undefined when the operator sets no limit. A lost cluster
 * server counts as empty: its reviews take nobody's turn before it is back, and no project on another server should be
 * refused a push because of it.
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
 * Whether reviews of a project, queued before or in this transaction, will be indexed later than "within seconds": they
 * exceed the queue depth, or today's allowance will be spent before their turn. A review counts as one text here, since its
 * excerpts are not known yet.
 * @param others what is ahead of them from other projects; undefined without limits
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
  // Claimed reviews have already taken their texts from the allowance.
  return dailyEmbeddings !== undefined && others.texts + own.untaken + others.untaken > dailyEmbeddings
}

/** Counting beyond the larger limit would only cost time. */
function enough({ dailyEmbeddings, queueDepth }: IndexingAllowance): number {
  return Math.max(dailyEmbeddings ?? 0, queueDepth ?? 0) + 1
}

async function waiting(sql: Sql, which: Fragment, most: number): Promise<Pick<Backlog, 'queued' | 'untaken'>> {
  const [row] = await sql<Pick<Backlog, 'queued' | 'untaken'>[]>`
    select count(*)::int as queued, (count(*) filter (where leased_until is null or leased_until < now()))::int as untaken
    from (select leased_until from index_jobs where set_aside_at is null and ${which} limit ${most}) j`
  return row ?? { queued: 0, untaken: 0 }
}
