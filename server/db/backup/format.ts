import * as v from 'valibot'

/**
 * A backup is gzipped JSON lines: a header; for each table a line with its columns, then lines of rows (arrays of at most
 * {@link ROWS_PER_LINE} objects in the format of `to_jsonb`); and a trailer with the row counts and the SHA-256 of all
 * preceding bytes, so that a truncated or damaged file is detected before anything is written.
 */

export const FORMAT = 'pullquote-backup'
export const FORMAT_VERSION = 1
export const ROWS_PER_LINE = 200

const name = v.pipe(v.string(), v.regex(/^[a-z_][a-z0-9_]*$/))

const header = v.strictObject({
  format: v.literal(FORMAT),
  version: v.literal(FORMAT_VERSION),
  created_at: v.string(),
  migrations: v.array(v.string()),
})
export type Header = v.InferOutput<typeof header>

const tableLine = v.strictObject({ table: name, columns: v.array(name) })
const rowsLine = v.strictObject({ rows: v.array(v.unknown()) })
const endLine = v.strictObject({ end: v.literal(true), rows: v.record(name, v.number()), sha256: v.string() })
const line = v.union([header, tableLine, rowsLine, endLine])
export type Line = v.InferOutput<typeof line>

/** The part of the header that later formats keep. */
const newerHeader = v.object({ format: v.literal(FORMAT), version: v.pipe(v.number(), v.gtValue(FORMAT_VERSION)) })

/** The file is no backup, is damaged, or is from a newer version; the message says what to do. */
export class BadBackup extends Error {
  readonly code = 'bad_backup'
}

/** The tables of a backup, ordered so that each refers only to earlier ones. */
export const TABLES = [
  'embedding_models',
  'installation',
  'projects',
  'environments',
  'api_keys',
  'reviews',
  'index_jobs',
  'excerpts',
  'hidden_excerpts',
  'query_usage',
  'embedding_usage',
  'query_insights',
] as const
export type Table = (typeof TABLES)[number]

/** What a backup omits, and why. */
export const LEFT_OUT: Record<string, string> = {
  schema_migrations: 'the restoring version migrates by itself',
  rate_windows: 'counts of one minute',
  address_windows: 'counts of one minute',
  import_reports: 'kept for a short time only',
  console_links: 'sign-ins belong to one installation, and a link that was revoked must not come back',
  console_sessions: 'as their links',
  search_changes: 'what changed lately, for indexes in the memory of servers',
}

export function parseLine(text: string, number: number): Line {
  const checked = v.safeParse(v.pipe(v.string(), v.parseJson(), line), text)
  if (checked.success) return checked.output
  if (number > 1) throw new BadBackup(`The backup is damaged at line ${number}.`)
  if (v.safeParse(v.pipe(v.string(), v.parseJson(), newerHeader), text).success)
    throw new BadBackup('The backup was made by a newer version of Pullquote. Update first.')
  throw new BadBackup('The file is no Pullquote backup.')
}
