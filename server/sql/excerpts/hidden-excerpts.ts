import type { ConsoleExcerpt } from '../../../src/contract/console.ts'
import { projectTransaction } from '../../db/transaction.ts'
import type { Pool, Sql } from '../../deps.ts'
import type { EnvironmentScope } from '../scope.ts'
import { isUuid } from '../uuid.ts'
import { hashOfWords, withheldAmong, wordsOf } from './hidden-words.ts'
import { bumpRevision } from './search-changes.ts'

/** Hidden excerpts stored per review, even when its text no longer has them; 20,000 characters have fewer excerpts. */
const MOST = 500

/** The excerpts of a review, in order. */
export async function excerptsOfReview(
  sql: Sql,
  { projectId, env }: EnvironmentScope,
  reviewId: string,
): Promise<ConsoleExcerpt[]> {
  if (!isUuid(reviewId)) return []
  return sql<ConsoleExcerpt[]>`
    select id, text, withheld as hidden, verdict from excerpts
    where project_id = ${projectId} and env = ${env} and review_id = ${reviewId} order by ordinal`
}

/** The hidden words of reviews, in order of their ids. */
export async function readHiddenWords(
  sql: Sql,
  { projectId, env }: EnvironmentScope,
  after: string | undefined,
  limit: number,
): Promise<{ id: string; words: string[] }[]> {
  return sql`
    select review_id as id, array_agg(words order by hidden_at, words_hash) as words from hidden_excerpts
    where project_id = ${projectId} and env = ${env} ${after === undefined ? sql`` : sql`and review_id > ${after}`}
    group by review_id order by review_id limit ${limit}`
}

/** Hides words of new reviews, before they are indexed; written as the reviews are (`insertReviews`). */
export async function hideWords(
  sql: Sql,
  { projectId, env }: EnvironmentScope,
  reviews: readonly { id: string; words: readonly string[] }[],
): Promise<void> {
  const all = reviews.flatMap(({ id, words }) => words.slice(0, MOST).map((one) => ({ id, words: wordsOf(one) })))
  await sql`
    insert into hidden_excerpts (project_id, review_id, words_hash, env, words)
    select environments.project_id, review_id, sha256(convert_to(words, 'UTF8')), environments.env, words
    from environments, unnest(${all.map(({ id }) => id)}::uuid[], ${all.map(({ words }) => words)}::text[])
      as hidden (review_id, words)
    where environments.project_id = ${projectId} and environments.env = ${env} and words <> '' on conflict do nothing`
}

/**
 * Hides an excerpt by its words, or shows it again together with anything hidden in it. It remains hidden when the review is
 * indexed again, as long as the words are in its text.
 * @returns whether there is such an excerpt
 */
export async function setExcerptHidden(
  sql: Pool,
  { projectId, env, reviewId, excerptId }: EnvironmentScope & { reviewId: string; excerptId: string },
  hidden: boolean,
): Promise<boolean> {
  if (!isUuid(reviewId) || !isUuid(excerptId)) return false
  return projectTransaction(sql, projectId, async (tx) => {
    // The pipeline locks the review too: it either sees what is hidden here or has saved before.
    const found = await tx`
      select from reviews where project_id = ${projectId} and env = ${env} and id = ${reviewId} for no key update`
    if (found.length === 0) return false
    const excerpts = await tx<{ id: string; text: string; withheld: boolean }[]>`
      select id, text, withheld from excerpts
      where project_id = ${projectId} and review_id = ${reviewId} order by ordinal`
    const one = excerpts.find(({ id }) => id === excerptId)
    if (!one) return false
    const kept = await tx<{ words: string }[]>`
      select words from hidden_excerpts where project_id = ${projectId} and review_id = ${reviewId} order by hidden_at desc`
    const before = kept.map(({ words }) => words)
    const own = wordsOf(one.text)
    let after: string[]
    if (hidden) {
      after = [...new Set([...before, own])]
      await tx`
        insert into hidden_excerpts (project_id, review_id, words_hash, env, words)
        values (${projectId}, ${reviewId}, ${hashOfWords(own)}, ${env}, ${own}) on conflict do nothing`
      const old = before.slice(MOST).filter((words) => !withheldAmong(excerpts, [words]).includes(true))
      if (old.length > 0) {
        await tx`
          delete from hidden_excerpts where project_id = ${projectId} and review_id = ${reviewId}
            and words = any (${old}::text[])`
      }
    } else {
      const place = excerpts.indexOf(one)
      after = before.filter((words) => !withheldAmong(excerpts, [words])[place])
      await tx`
        delete from hidden_excerpts where project_id = ${projectId} and review_id = ${reviewId}
          and not words = any (${after}::text[])`
    }
    const withheld = withheldAmong(excerpts, after)
    const changed = excerpts.filter((each, i) => each.withheld !== withheld[i])
    if (changed.length === 0) return true
    await tx`
      update excerpts set withheld = not withheld
      where project_id = ${projectId} and review_id = ${reviewId} and id = any (${changed.map(({ id }) => id)}::uuid[])`
    await bumpRevision(tx, { projectId, env }, [reviewId])
    return true
  })
}
