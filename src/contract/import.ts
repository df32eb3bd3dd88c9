import * as v from 'valibot'
import { errorInfo } from './errors.ts'
import { FILE_NAME_LENGTH, MAPPING_LENGTH } from './limits.ts'
import { environment } from './review.ts'
import { count } from './scalars.ts'

/** Imports: this server's own route, outside `/v1`, used by the client and by scripts that upload files. */

/** Media types that browsers, scripts and operating systems send for the importer's files. */
export const IMPORT_MEDIA_TYPES = [
  'application/octet-stream',
  'text/csv',
  'text/tab-separated-values',
  'text/plain',
  'application/json',
  'application/geo+json',
  'application/x-ndjson',
  'application/jsonl',
  'application/xml',
  'text/xml',
  'application/rss+xml',
  'application/atom+xml',
  'application/zip',
  'application/x-zip-compressed',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  // Windows with a spreadsheet program sends this for CSV.
  'application/vnd.ms-excel',
] as const

/** The query string of `POST /imports`. */
export const importParameters = v.strictObject({
  file_name: v.optional(
    v.pipe(
      v.string(),
      v.minLength(1, 'must not be empty'),
      v.maxLength(FILE_NAME_LENGTH, `must have at most ${FILE_NAME_LENGTH} characters`),
    ),
    'upload',
  ),
  mapping: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(MAPPING_LENGTH, `must have at most ${MAPPING_LENGTH} characters`),
      v.parseJson(undefined, 'must be JSON'),
    ),
    '{}',
  ),
  // Without a default: the code that openapi-generator writes for Kotlin does not compile where that is a word of the language.
  dry_run: v.optional(v.picklist(['true', 'false'], 'must be true or false')),
})

/** How a file of the import was interpreted. */
export const importedFile = v.object({
  file: v.string(),
  format: v.picklist(['csv', 'xlsx', 'json', 'jsonl', 'geojson', 'xml']),
  encoding: v.string(),
  profile: v.string(),
  reasons: v.array(v.string()),
  /** Columns by field; of several, each row uses the first that is filled. */
  columns: v.record(v.string(), v.array(v.string())),
  /** Columns kept as metadata, by key. */
  metadata: v.record(v.string(), v.string()),
  unused: v.array(v.string()),
  rows: count,
  /** How dates such as 1/2/2026 were read, and what decided it; undefined when the file has none. */
  dates: v.optional(
    v.object({
      order: v.picklist(['day_first', 'month_first']),
      because: v.picklist(['chosen', 'rows', 'sibling', 'format', 'headings', 'language', 'nothing']),
      rows: count,
    }),
  ),
})
export type ImportedFile = v.InferOutput<typeof importedFile>

const skippedRow = v.object({ file: v.string(), line: count, reason: v.string(), message: v.string() })

/** Response of `POST /imports`. */
export const importResponse = v.object({
  /** The destination: the name of the key's project, and its environment. */
  project: v.string(),
  env: environment,
  inserted: count,
  /** Reviews that existed already, including unchanged ones. */
  updated: count,
  unchanged: count,
  skipped: count,
  reasons: v.record(v.string(), count),
  /** The first row of each reason; earlier servers do not send it. */
  first_skipped: v.optional(v.array(skippedRow)),
  /** Path of the skipped rows as CSV on this server, available for a week; null when none was skipped. */
  errors_csv: v.nullable(v.string()),
  seconds: v.number(),
  dry_run: v.boolean(),
  warnings: v.array(v.object({ code: v.string(), message: v.string(), count })),
  /** Reviews from earlier imports of the same export that this one lacks; undefined when there are none. */
  missing: v.optional(
    v.object({
      count,
      /** Stored reviews that this export would be expected to contain. */
      among: count,
      /** In a dry run, whether they would be hidden. */
      hidden: v.boolean(),
      /** The newest hundred, with the beginnings of their texts. */
      reviews: v.array(
        v.object({ id: v.string(), author_name: v.nullable(v.string()), occurred_at: v.string(), text: v.string() }),
      ),
    }),
  ),
  files: v.array(importedFile),
  /** Files of a folder or archive that were not imported, and why. */
  passed_over: v.array(v.object({ file: v.string(), code: v.string(), reason: v.string() })),
  /** In a dry run, the first rows of each kind and the first skipped ones. */
  samples: v.optional(
    v.object({
      inserted: v.array(v.unknown()),
      updated: v.array(v.unknown()),
      skipped: v.array(skippedRow),
    }),
  ),
})
export type ImportResponse = v.InferOutput<typeof importResponse>

export const importProgress = v.object({ done: count, total: count, inserted: count, updated: count })
export type ImportProgress = v.InferOutput<typeof importProgress>

/** A line of a response that reports progress. Each has one of these; the last has `result` or `error`. */
export const importLine = v.object({
  progress: v.exactOptional(importProgress),
  result: v.exactOptional(importResponse),
  error: v.exactOptional(errorInfo),
})

/** Media type of a response that reports progress. */
export const PROGRESS_MEDIA_TYPE = 'application/x-ndjson'
