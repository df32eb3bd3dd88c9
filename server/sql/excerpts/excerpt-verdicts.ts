import type { Environment, Sentiment } from '../../../src/contract/review.ts'
import { onAllServers } from '../../db/cluster-watch.ts'
import { projectTransaction } from '../../db/transaction.ts'
import type { Pool, Sql } from '../../deps.ts'
import { withheldAmong } from './hidden-words.ts'
import { bumpRevisions } from './search-changes.ts'

/**
 * Version of the sentiment model and the rules around it. The index `excerpts_unjudged` has it in its condition: a migration
 * recreates it for the next version.
 */
export const VERDICT_MODEL = 11

export interface UnjudgedExcerpt {
  projectId: string
  reviewId: string
  id: string
  text: string
}

/**
 * Excerpts without a verdict of the current model, indexed by an earlier version. Those of another vector space are left out,
 * since their reviews are queued for indexing, which classifies them.
 */
export async function unjudgedExcerpts(sql: Sql, limit: number): Promise<UnjudgedExcerpt[]> {
  const look = async () => sql<UnjudgedExcerpt[]>`
    select project_id as "projectId", review_id as "reviewId", id, text from excerpts
    where ${isUnjudged(sql)} and embedding_model_id = (select embedding_model_id from installation)
    order by project_id, review_id limit ${limit}`
  return onAllServers(sql, look)
}

/** The same expression as in the index. */
const isUnjudged = (sql: Sql) => sql.unsafe(`(verdict is null or verdict_model < ${VERDICT_MODEL})`)

/**
 * Saves verdicts. Excerpts of reviews that are being changed are skipped rather than waited for: indexing gives them a
 * verdict.
 * @returns how many were saved
 */
export async function saveVerdicts(sql: Pool, verdicts: readonly Verdict[]): Promise<number> {
  const projects = new Map<string, Verdict[]>()
  for (const one of verdicts) projects.set(one.projectId, [...(projects.get(one.projectId) ?? []), one])
  let count = 0
  for (const [projectId, own] of projects) count += await saveProjectVerdicts(sql, projectId, own)
  return count
}

type Verdict = Omit<UnjudgedExcerpt, 'text'> & { verdict: Sentiment }

async function saveProjectVerdicts(sql: Pool, projectId: string, verdicts: readonly Verdict[]): Promise<number> {
  return projectTransaction(sql, projectId, async (tx) => {
    const locked = await tx<{ id: string; env: Environment }[]>`
      select id, env from reviews
      where project_id = ${projectId} and id = any (${verdicts.map((one) => one.reviewId)}::uuid[])
      order by id for no key update skip locked`
    const held = new Set(locked.map(({ id }) => id))
    const own = verdicts.filter(({ reviewId }) => held.has(reviewId))
    if (own.length === 0) return 0
    const judged = await tx<{ review_id: string; changes: boolean }[]>`
      update excerpts e set verdict = judged.verdict, verdict_model = ${VERDICT_MODEL}
      from (
        select review_id, id, given.verdict, excerpts.verdict is distinct from given.verdict as changes
        from unnest(${own.map((one) => one.reviewId)}::uuid[], ${own.map((one) => one.id)}::uuid[],
          ${own.map((one) => one.verdict)}::text[]) as given (review_id, id, verdict)
        join excerpts using (review_id, id)
        where project_id = ${projectId} and (excerpts.verdict is null or verdict_model < ${VERDICT_MODEL})
      ) as judged
      where e.project_id = ${projectId} and e.review_id = judged.review_id and e.id = judged.id
      returning e.review_id, judged.changes`
    const changed = new Set(judged.filter(({ changes }) => changes).map((row) => row.review_id))
    for (const id of await hideAgain(tx, projectId, own)) changed.add(id)
    await bumpRevisions(
      tx,
      projectId,
      locked.filter(({ id }) => changed.has(id)),
    )
    return judged.length
  })
}

/**
 * Withholds excerpts with hidden words again: a server of an earlier version indexes without a verdict and ignores hidden
 * excerpts.
 * @returns ids of the reviews with newly withheld excerpts
 */
async function hideAgain(tx: Sql, projectId: string, excerpts: readonly Verdict[]): Promise<string[]> {
  const changed: string[] = []
  const hidden = await tx<{ review_id: string; words: string[] }[]>`
    select review_id, array_agg(words) as words from hidden_excerpts
    where project_id = ${projectId} and review_id = any (${excerpts.map((one) => one.reviewId)}::uuid[])
    group by review_id`
  for (const { review_id, words } of hidden) {
    const all = await tx<{ id: string; text: string }[]>`
      select id, text from excerpts where project_id = ${projectId} and review_id = ${review_id} order by ordinal`
    const withheld = withheldAmong(all, words)
    const ids = all.flatMap(({ id }, i) => (withheld[i] ? id : []))
    const { count } = await tx`
      update excerpts set withheld = true
      where project_id = ${projectId} and review_id = ${review_id} and id = any (${ids}::uuid[]) and not withheld`
    if (count > 0) changed.push(review_id)
  }
  return changed
}
