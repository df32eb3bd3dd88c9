import type { ReviewInput } from '../../../src/contract/review.ts'
import { composeLetters } from '../../compose-letters.ts'
import type { Fragment, Sql } from '../../deps.ts'
import { normalForms } from '../normal-forms.ts'
import type { EnvironmentScope } from '../scope.ts'

/** A review that may already be stored under another id. */
export interface SoughtReview
  extends Pick<ReviewInput, 'source' | 'external_id' | 'author_name' | 'text' | 'occurred_at'> {
  /**
   * Whether the stored one may be up to a day away, or has the same time, which exports give with or without seconds;
   * undefined if author, text and day alone say too little. Then either id must be a generated one, since two reviews of one
   * source would share it, or both must be the same but for leading zeros.
   */
  by: 'day' | 'instant' | undefined
  /**
   * Whether source, author and second make it the same review, if only one is stored of that second, so that one with another
   * text was edited.
   */
  isAloneInSecond?: boolean
  /** Only reviews stored before this count, and those stored while the clock was ahead. */
  before: Date
}

/** A review that is stored under another id. */
interface FoundElsewhere {
  id: string
  external_id: string
  /** By author, text and time; otherwise the ids were needed. */
  isRecognised: boolean
  /**
   * It has the same source and day, and its id is a generated one and the sought review's is not, or the two ids differ in
   * leading zeros, which spreadsheets drop; or it has another version of the text.
   */
  yieldsId: boolean
}

/** From this length, without blanks, a text is nobody else's, so its author's name may be shortened. */
const UNIQUE_LENGTH = 60
/** How many characters of two texts are compared. */
const COMPARED_LENGTH = 200
/** Exports differ in line breaks, so blanks are ignored. Means the same in JavaScript and PostgreSQL. */
const BLANKS = '[ \t\r\n\u00a0]+'
/** Reviews of the same days that are compared with each one, 0.15 ms: limited where thousands share a day. */
const MOST_NEAR = 200

/**
 * Which of these reviews are stored under another id only: same author and text, at most a day apart, since exports use
 * different time zones. Aggregators shorten names. Two exports of one platform give the same review two ids.
 * @param generatedStart how generated ids begin
 * @returns the stored ones, by index in `reviews`
 */
export async function storedElsewhere(
  sql: Sql,
  { projectId, env }: EnvironmentScope,
  reviews: readonly SoughtReview[],
  generatedStart: string,
): Promise<Map<number, FoundElsewhere>> {
  const sought = reviews.map(({ text, ...review }, place) => {
    const { external_id, author_name, by } = review
    const compared = comparedPart(text)
    const author_names = normalForms(author_name)
    const isGenerated = external_id.startsWith(generatedStart)
    const initials = by === 'day' && [...compared].length >= UNIQUE_LENGTH ? initialsOf(author_name) : []
    return { ...review, place, isGenerated, author_names, initials, compared }
  })
  const of = sql`project_id = ${projectId} and env = ${env}`
  const isSameText = sql`left(regexp_replace(case when octet_length(text) = char_length(text) then text else normalize(text) end,
    ${BLANKS}, '', 'g'), ${COMPARED_LENGTH}) = sought.compared`
  // The inner limit keeps this a walk along the index by time. It has no order, for which all rows of a day would be sorted
  // for each row.
  const found = await sql<(FoundElsewhere & { place: number })[]>`
    select sought.place, same.* from jsonb_to_recordset(${sql.typed(sought as never, 3802)}) as sought (
      place int, source text, external_id text, "isGenerated" boolean, author_names text[], initials int[], compared text,
      occurred_at timestamptz(3), by text, "isAloneInSecond" boolean, before timestamptz(3)
    )
    cross join lateral (
      select id, external_id, "isRecognised" and ${isSameText} as "isRecognised",
        "isSameDay" and "isSameSource" and ("isSameNumber" or not ${isSameText}
          or starts_with(external_id, ${generatedStart}) and not sought."isGenerated") as "yieldsId"
      from (
        select id, source, external_id, author_name, text, created_at, occurred_at from reviews
        where ${of} and occurred_at between sought.occurred_at - interval '1 day' and sought.occurred_at + interval '1 day'
        limit ${MOST_NEAR}
      ) near
      cross join lateral (
        select near.source = sought.source as "isSameSource",
          date_trunc('day', near.occurred_at, 'UTC') = date_trunc('day', sought.occurred_at, 'UTC') as "isSameDay",
          ltrim(external_id, '0') = ltrim(sought.external_id, '0') as "isSameNumber",
          (sought.by = 'day' or sought.by = 'instant' and (
            sought.occurred_at in (near.occurred_at, date_trunc('second', near.occurred_at), date_trunc('minute', near.occurred_at))
            or near.occurred_at in (date_trunc('second', sought.occurred_at), date_trunc('minute', sought.occurred_at))
          )) is true as "isRecognised",
          (sought."isAloneInSecond" and near.source = sought.source and author_name = any (sought.author_names)
            and date_trunc('second', near.occurred_at) = date_trunc('second', sought.occurred_at)) is true as "isSameSecond"
      ) likeness
      where created_at not between sought.before and clock_timestamp()
        -- Fixes the order: the planner takes the regular expression for cheaper than the names, and with it on every row
        -- importing 20,000 rows took 33 s instead of 5.
        and case when author_name = any (sought.author_names) or ${isShortened(sql)} then
          ("isRecognised" or "isSameDay" and (
            "isSameNumber" or "isSameSource" and (sought."isGenerated" or starts_with(external_id, ${generatedStart}))))
          and ${isSameText} or "isSameSecond" and not exists (
            -- a program that makes times of "a month ago" gives many reviews the same second
            select from reviews other where other.project_id = ${projectId} and other.env = ${env} and other.id <> near.id
              and other.source = sought.source and other.occurred_at >= date_trunc('second', sought.occurred_at)
              and other.occurred_at < date_trunc('second', sought.occurred_at) + interval '1 second'
          )
        end
      order by ${isSameText} desc, "isSameNumber" desc, "isSameDay" and "isSameSource" desc
      limit 1
    ) same
    where not exists (
      select from reviews where ${of} and source = sought.source and external_id = sought.external_id
    )`
  return new Map(found.map(({ place, ...stored }) => [place, stored]))
}

/** The code points of a name's first letter in both cases, as PostgreSQL's `ascii` gives them. */
function initialsOf(name: string): (number | undefined)[] {
  const [letter = ''] = name
  return [letter.toLowerCase().codePointAt(0), letter.toUpperCase().codePointAt(0)]
}

/**
 * Whether one of two names is the other shortened, as "Ann B." or "Ann" for "Ann Baker", beside a text that is unique. First
 * letters are compared first, which spares most reviews the rest.
 */
function isShortened(sql: Sql) {
  const first = (name: Fragment) => sql`lower(split_part(${name}, ' ', 1))`
  const initial = (name: Fragment) => sql`left(lower(split_part(${name}, ' ', -1)), 1)`
  const [stored, sought] = [sql`author_name`, sql`sought.author_names[1]`]
  return sql`(ascii(author_name) = any (sought.initials) and ascii(text) = ascii(sought.compared) and ${first(stored)} = ${first(sought)}
    and (position(' ' in ${stored}) = 0 or position(' ' in ${sought}) = 0 or ${initial(stored)} = ${initial(sought)}))`
}

/** In characters, as PostgreSQL counts, each of which has at most two code units. */
function comparedPart(text: string): string {
  const shown = composeLetters(text)
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
