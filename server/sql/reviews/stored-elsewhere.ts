import type { ReviewInput } from '../../../src/contract/review.ts'
import type { Sql } from '../../deps.ts'
import type { EnvironmentScope } from '../scope.ts'

/** A review that may be stored under another id already. */
export interface SoughtReview
  extends Pick<ReviewInput, 'source' | 'external_id' | 'author_name' | 'text' | 'occurred_at'> {
  /** Whether the stored one may be of another time, a day apart at most. */
  by: 'day' | 'instant'
  /** Only reviews that were stored before this count. */
  before: Date
}

/** How many characters of two texts are compared. */
const COMPARED_LENGTH = 200
/** Exports differ in how lines end, so that blanks don't count. The same to JavaScript and to PostgreSQL. */
const BLANKS = '[ \t\r\n\u00a0]+'
/** Reviews of the same days that are looked at for each one, 0.15 ms: bounded where thousands have one day. */
const MOST_NEAR = 200

/**
 * Which reviews are not stored, but are under another id: of the same author, with the same text, a day apart at most, since
 * exports tell the time in different zones. Two exports of one platform give the same review two ids.
 *
 * @returns the ids that they are stored under, by the places of those among `reviews`
 */
export async function storedElsewhere(
  sql: Sql,
  { projectId, env }: EnvironmentScope,
  reviews: readonly SoughtReview[],
): Promise<Map<number, string>> {
  const sought = reviews.map(({ source, external_id, author_name, text, occurred_at, by, before }, place) => {
    const compared = comparedPart(text)
    // Letters whole, or their accents apart, as another program may have written them.
    const author_names = [...new Set([author_name, author_name.normalize('NFC'), author_name.normalize('NFD')])]
    return { place, source, external_id, author_names, compared, occurred_at, by, before }
  })
  const of = sql`project_id = ${projectId} and env = ${env}`
  // The inner limit keeps this a walk along the index by time. It has no order: all of a day's rows would be sorted for each row.
  const found = await sql<{ place: number; id: string }[]>`
    select sought.place, same.id from jsonb_to_recordset(${sql.typed(sought as never, 3802)}) as sought (
      place int, source text, external_id text, author_names text[], compared text, occurred_at timestamptz(3), by text, before timestamptz(3)
    )
    cross join lateral (
      select near.id from (
        select id, author_name, text, created_at, occurred_at from reviews
        where ${of} and occurred_at between sought.occurred_at - interval '1 day' and sought.occurred_at + interval '1 day'
        limit ${MOST_NEAR}
      ) near
      where near.author_name = any (sought.author_names) and near.created_at < sought.before
        and (sought.by = 'day' or near.occurred_at = sought.occurred_at)
        and left(regexp_replace(case when octet_length(near.text) = char_length(near.text) then near.text else normalize(near.text) end,
          ${BLANKS}, '', 'g'), ${COMPARED_LENGTH}) = sought.compared
      limit 1
    ) same
    where not exists (
      select from reviews where ${of} and source = sought.source and external_id = sought.external_id
    )`
  return new Map(found.map(({ place, id }) => [place, id]))
}

/** Counted in characters, as PostgreSQL does, of which each has two code units at most. */
function comparedPart(text: string): string {
  const shown = text
    .normalize('NFC')
    .replace(new RegExp(BLANKS, 'g'), '')
    .slice(0, 2 * COMPARED_LENGTH)
  return [...shown].slice(0, COMPARED_LENGTH).join('')
}

/** The time by the database, and whether an environment has any reviews at it. */
export async function storedSoFar(
  sql: Sql,
  { projectId, env }: EnvironmentScope,
): Promise<{ at: Date; anyStored: boolean }> {
  const [row] = await sql<{ at: Date; anyStored: boolean }[]>`
    select clock_timestamp() as at,
      exists (select from reviews where project_id = ${projectId} and env = ${env}) as "anyStored"`
  if (!row) throw new Error('The database answered without a row')
  return row
}
