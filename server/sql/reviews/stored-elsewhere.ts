import type { ReviewInput } from '../../../src/contract/review.ts'
import type { Sql } from '../../deps.ts'
import type { EnvironmentScope } from '../scope.ts'

/** A review that may already be stored under another id. */
export interface SoughtReview
  extends Pick<ReviewInput, 'source' | 'external_id' | 'author_name' | 'text' | 'occurred_at'> {
  /** Whether the stored one may be up to a day away, or has the same time, which exports give with or without seconds. */
  by: 'day' | 'instant'
  /** Only reviews stored before this count, and those stored while the clock was ahead. */
  before: Date
}

/** How many characters of two texts are compared. */
const COMPARED_LENGTH = 200
/** Exports differ in line breaks, so blanks are ignored. Means the same in JavaScript and PostgreSQL. */
const BLANKS = '[ \t\r\n\u00a0]+'
/** Reviews of the same days that are compared with each one, 0.15 ms: limited where thousands share a day. */
const MOST_NEAR = 200

/**
 * Which of these reviews are stored under another id only: same author and text, at most a day apart, since exports use
 * different time zones. Two exports of one platform give the same review two ids.
 * @returns the ids they are stored under, by index in `reviews`
 */
export async function storedElsewhere(
  sql: Sql,
  { projectId, env }: EnvironmentScope,
  reviews: readonly SoughtReview[],
): Promise<Map<number, string>> {
  const sought = reviews.map(({ source, external_id, author_name, text, occurred_at, by, before }, place) => {
    const compared = comparedPart(text)
    // With composed or decomposed accents, as another program may have written them.
    const author_names = [...new Set([author_name, author_name.normalize('NFC'), author_name.normalize('NFD')])]
    return { place, source, external_id, author_names, compared, occurred_at, by, before }
  })
  const of = sql`project_id = ${projectId} and env = ${env}`
  // The inner limit keeps this a walk along the index by time. It has no order, for which all rows of a day would be sorted
  // for each row.
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
      where near.author_name = any (sought.author_names) and near.created_at not between sought.before and clock_timestamp()
        and (sought.by = 'day'
          or sought.occurred_at in (near.occurred_at, date_trunc('second', near.occurred_at), date_trunc('minute', near.occurred_at))
          or near.occurred_at in (date_trunc('second', sought.occurred_at), date_trunc('minute', sought.occurred_at)))
        and left(regexp_replace(case when octet_length(near.text) = char_length(near.text) then near.text else normalize(near.text) end,
          ${BLANKS}, '', 'g'), ${COMPARED_LENGTH}) = sought.compared
      limit 1
    ) same
    where not exists (
      select from reviews where ${of} and source = sought.source and external_id = sought.external_id
    )`
  return new Map(found.map(({ place, id }) => [place, id]))
}

/** In characters, as PostgreSQL counts, each of which has at most two code units. */
function comparedPart(text: string): string {
  const shown = text
    .normalize('NFC')
    .replace(new RegExp(BLANKS, 'g'), '')
    .slice(0, 2 * COMPARED_LENGTH)
  return [...shown].slice(0, COMPARED_LENGTH).join('')
}

/** The database's time, and whether an environment has any reviews by then. */
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
