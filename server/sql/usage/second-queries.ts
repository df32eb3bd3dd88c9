import type { Sql } from '../../deps.ts'
import type { InsightRow } from './query-insights.ts'

/** What the snippet puts between a page's heading and its description in the second query. */
const SEPARATOR = ' – '
/** A heading with more separators is not looked for: it bounds the work on queries that strangers send. */
const MOST_PARTS = 4

/** Whether a query may be a page's second, sent because its beginning found nothing. */
export function mayBeSecond({ query }: Pick<InsightRow, 'query'>): boolean {
  return query.includes(SEPARATOR)
}

/** What the first query of a page may have been, the shortest first. */
function beginningsOf(query: string): string[] {
  const parts = query.split(SEPARATOR)
  const lengths = Array.from({ length: Math.min(parts.length - 1, MOST_PARTS) }, (_, at) => at + 1)
  return lengths.map((length) => parts.slice(0, length).join(SEPARATOR))
}

/** A possible second query up to the first part that matches, which an ellipsis replaces; undefined for any other query. */
export function beginningBefore(query: string, pattern: RegExp): string | undefined {
  const parts = query.split(SEPARATOR)
  const at = parts.findIndex((part) => pattern.test(part))
  return at > 0 ? [...parts.slice(0, at), '…'].join(SEPARATOR) : undefined
}

/**
 * Counts pages that asked twice today as one search: the first query found what the second did. A query is taken for a second
 * one when its beginning found nothing at least as often, since a request does not say what it follows.
 * @param rows of one environment, after those that were sent before them were stored
 * @returns the rows, with `asSecond` in place of the counts that went to first queries
 */
export async function countWithFirst(sql: Sql, rows: readonly InsightRow[]): Promise<InsightRow[]> {
  const [row] = rows
  if (row === undefined) return []
  const { projectId, env } = row
  const today = sql`project_id = ${projectId} and env = ${env} and day = (now() at time zone 'UTC')::date`
  const beginnings = [...new Set(rows.flatMap(({ query }) => beginningsOf(query)))]
  const inVain = await sql<{ query: string }[]>`
    select query from query_insights where ${today} and empty + fallbacks > 0 and query = any (${beginnings}::text[])`
  const firsts = new Set(inVain.map(({ query }) => query))
  const counted: InsightRow[] = []
  for (const second of rows) {
    const { query, searches, empty, fallbacks } = second
    // The shortest, which is no second query itself.
    const first = beginningsOf(query).find((beginning) => firsts.has(beginning))
    const moved =
      first !== undefined &&
      (await sql`
        update query_insights set
          empty = empty - least(empty, ${searches}::int) + ${empty}::int,
          fallbacks = fallbacks - (${searches}::int - least(empty, ${searches}::int)) + ${fallbacks}::int
        where ${today} and query = ${first} and empty + fallbacks >= ${searches}::int`)
    const isSecond = moved !== false && moved.count > 0
    counted.push(isSecond ? { ...second, searches: 0, empty: 0, fallbacks: 0, asSecond: searches } : second)
  }
  return counted
}
