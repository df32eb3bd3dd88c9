import type { ReviewInput } from '../../../src/contract/review.ts'
import type { Sql } from '../../deps.ts'
import { textSearchConfig } from './text-config.ts'

/** Removes reviews from every search at once: an excerpt must always be a slice of the current text. */
export async function removeExcerpts(sql: Sql, projectId: string, ids: string[]): Promise<void> {
  await sql`delete from excerpts where project_id = ${projectId} and review_id = any (${ids}::uuid[])`
}

/** Updates the excerpts' copies of review columns where they differ. */
export async function refreshExcerpts(
  sql: Sql,
  projectId: string,
  rows: (Pick<ReviewInput, 'language' | 'text'> & { id: string })[],
): Promise<void> {
  const ids = rows.map((row) => row.id)
  const configs = new Map<string, string[]>()
  for (const { id, language, text } of rows) {
    const config = textSearchConfig(language, text)
    configs.set(config, [...(configs.get(config) ?? []), id])
  }
  await Promise.all([
    sql`
      update excerpts set rating = review.rating, sentiment = review.sentiment, occurred_at = review.occurred_at,
        hidden = review.hidden_at is not null
      from reviews review
      where review.project_id = ${projectId} and review.id = any (${ids}::uuid[])
        and excerpts.project_id = ${projectId} and excerpts.review_id = review.id
        and (excerpts.rating, excerpts.sentiment, excerpts.occurred_at, excerpts.hidden)
          is distinct from (review.rating, review.sentiment, review.occurred_at, review.hidden_at is not null)`,
    // One statement per configuration: casting its name requires a catalog lookup, which a distributed database allows only
    // for parameters.
    ...Array.from(
      configs,
      ([config, of]) => sql`
        update excerpts set search_config = ${config}, lexemes = excerpt_lexemes(${config}::text::regconfig, text)
        where project_id = ${projectId} and review_id = any (${of}::uuid[]) and search_config <> ${config}`,
    ),
  ])
}
