import type { Sentiment } from '../../src/contract/review.ts'
import { transaction } from '../db/transaction.ts'
import type { Pool, Sql } from '../deps.ts'
import { withheldAmong } from './hidden-words.ts'
import { growRevision } from './search-changes.ts'

export interface UnjudgedExcerpt {
  projectId: string
  reviewId: string
  id: string
  text: string
}

/** Excerpts without a verdict: they were indexed by an earlier version. */
export async function unjudgedExcerpts(sql: Sql, limit: number): Promise<UnjudgedExcerpt[]> {
  const rows = await sql<UnjudgedExcerpt[]>`
    select project_id as "projectId", review_id as "reviewId", id, text from excerpts
    where verdict is null order by project_id, review_id limit ${limit}`
  return [...rows]
}

/**
 * Keeps verdicts. Excerpts of reviews that are being changed are left out rather than waited for: what is indexed anew
 * gets a verdict there.
 *
 * @returns how many were kept
 */
export async function saveVerdicts(
  sql: Pool,
  verdicts: readonly (Omit<UnjudgedExcerpt, 'text'> & { verdict: Sentiment })[],
): Promise<number> {
  return transaction(sql, async (tx) => {
    const locked = await tx<{ project_id: string; id: string; env: 'live' | 'test' }[]>`
      select project_id, id, env from reviews
      where (project_id, id) in (select * from unnest(${verdicts.map((one) => one.projectId)}::uuid[],
        ${verdicts.map((one) => one.reviewId)}::uuid[]))
      order by project_id, id for no key update skip locked`
    const held = new Set(locked.map(({ id }) => id))
    const own = verdicts.filter(({ reviewId }) => held.has(reviewId))
    if (own.length === 0) return 0
    const { count } = await tx`
      update excerpts e set verdict = judged.verdict
      from unnest(${own.map((one) => one.projectId)}::uuid[], ${own.map((one) => one.reviewId)}::uuid[],
        ${own.map((one) => one.id)}::uuid[], ${own.map((one) => one.verdict)}::text[])
        as judged (project_id, review_id, id, verdict)
      where e.project_id = judged.project_id and e.review_id = judged.review_id and e.id = judged.id
        and e.verdict is null`
    await withholdAgain(tx, own)
    const touched = new Map<string, { projectId: string; env: 'live' | 'test'; ids: string[] }>()
    for (const { project_id: projectId, id, env } of locked) {
      const key = `${projectId} ${env}`
      const one = touched.get(key) ?? { projectId, env, ids: [] }
      one.ids.push(id)
      touched.set(key, one)
    }
    for (const key of [...touched.keys()].sort()) {
      const one = touched.get(key)
      if (one) await growRevision(tx, one.projectId, one.env, one.ids)
    }
    return count
  })
}

/** A server of an earlier version indexes without a verdict, and knows nothing of hidden excerpts either. */
async function withholdAgain(
  tx: Sql,
  excerpts: readonly Pick<UnjudgedExcerpt, 'projectId' | 'reviewId'>[],
): Promise<void> {
  const hidden = await tx<{ project_id: string; review_id: string; words: string[] }[]>`
    select project_id, review_id, array_agg(words) as words from hidden_excerpts
    where (project_id, review_id) in (select * from unnest(${excerpts.map((one) => one.projectId)}::uuid[],
      ${excerpts.map((one) => one.reviewId)}::uuid[]))
    group by project_id, review_id`
  for (const { project_id, review_id, words } of hidden) {
    const all = await tx<{ id: string; text: string }[]>`
      select id, text from excerpts where project_id = ${project_id} and review_id = ${review_id} order by ordinal`
    const withheld = withheldAmong(all, words)
    const ids = all.flatMap(({ id }, i) => (withheld[i] ? id : []))
    await tx`
      update excerpts set withheld = true
      where project_id = ${project_id} and review_id = ${review_id} and id = any (${ids}::uuid[]) and not withheld`
  }
}
