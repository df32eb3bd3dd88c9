import type { Environment, ReviewInput } from '../../../src/contract/review.ts'
import type { Sql } from '../../deps.ts'

/**
 * What a push of these reviews would do, without a lock and without writing: for a dry run, and for the cap before an
 * import. The comparison is that of `updateReviews`; a review whose `metadata` is absent keeps what is stored.
 *
 * @returns one outcome a review, in their order
 */
export async function compareReviews(
  sql: Sql,
  projectId: string,
  env: Environment,
  reviews: readonly ReviewInput[],
): Promise<('inserted' | 'updated' | 'unchanged')[]> {
  const rows = reviews.map((review, place) => ({ ...review, place }))
  const compared = await sql<{ place: number; changed: boolean }[]>`
    select input.place, (
        stored.rating, stored.text, stored.author_name, stored.author_avatar_url, stored.occurred_at, stored.url,
        stored.language, stored.metadata
      ) is distinct from (
        input.rating, input.text, input.author_name, input.author_avatar_url, input.occurred_at, input.url,
        input.language, coalesce(input.metadata, stored.metadata)
      ) as changed
    from jsonb_to_recordset(${sql.typed(rows as never, 3802)}) as input (
      place int, source text, external_id text, rating smallint, text text, author_name text, author_avatar_url text,
      occurred_at timestamptz(3), url text, language text, metadata jsonb
    )
    join reviews stored on stored.project_id = ${projectId} and stored.env = ${env}
      and stored.source = input.source and stored.external_id = input.external_id
      and stored.source = any (${[...new Set(reviews.map((review) => review.source))]}::text[])
      and stored.external_id = any (${[...new Set(reviews.map((review) => review.external_id))]}::text[])`
  const changed = new Map(compared.map((row) => [row.place, row.changed]))
  return reviews.map((_, place) => {
    const difference = changed.get(place)
    return difference === undefined ? 'inserted' : difference ? 'updated' : 'unchanged'
  })
}
