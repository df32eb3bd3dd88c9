import * as v from 'valibot'

/**
 * What this server's own import route answers. It is no part of `/v1`, but spoken by the server, the client and every
 * script that uploads a file.
 */
const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** How one file of the import was understood. */
export const importedFile = v.object({
  file: v.string(),
  format: v.picklist(['csv', 'json', 'jsonl', 'geojson']),
  encoding: v.string(),
  profile: v.string(),
  /** Why this profile. */
  reasons: v.array(v.string()),
  /** Columns by field; of several, each row takes the first that is filled. */
  columns: v.record(v.string(), v.array(v.string())),
  /** Columns kept as metadata, by their keys. */
  metadata: v.record(v.string(), v.string()),
  unused: v.array(v.string()),
  rows: count,
  /** How dates such as 1/2/2026 were read, and what said so; absent when the file has none. */
  dates: v.optional(
    v.object({
      order: v.picklist(['day_first', 'month_first']),
      because: v.picklist(['chosen', 'rows', 'sibling', 'format', 'headings', 'language', 'nothing']),
      rows: count,
    }),
  ),
})
export type ImportedFile = v.InferOutput<typeof importedFile>

export const importResult = v.object({
  /** Where the reviews went: the name of the key's project, and its environment. */
  project: v.string(),
  env: v.picklist(['live', 'test']),
  inserted: count,
  /** Reviews that were there already, the unchanged ones among them. */
  updated: count,
  unchanged: count,
  skipped: count,
  /** Skipped rows by reason. */
  reasons: v.record(v.string(), count),
  /** Path of the skipped rows as CSV on this server, for a week; null when none was skipped. */
  errors_csv: v.nullable(v.string()),
  seconds: v.number(),
  dry_run: v.boolean(),
  warnings: v.array(v.object({ code: v.string(), message: v.string(), count })),
  files: v.array(importedFile),
  /** Files of a folder or archive that were not imported, and why. */
  passed_over: v.array(v.object({ file: v.string(), code: v.string(), reason: v.string() })),
  /** Of a dry run: the first rows of each kind, and the first skipped ones. */
  samples: v.optional(
    v.object({
      inserted: v.array(v.unknown()),
      updated: v.array(v.unknown()),
      skipped: v.array(v.object({ file: v.string(), line: count, reason: v.string(), message: v.string() })),
    }),
  ),
})
export type ImportAnswer = v.InferOutput<typeof importResult>

export const importProgress = v.object({
  progress: v.object({ done: count, total: count, inserted: count, updated: count }),
})
export type ImportProgress = v.InferOutput<typeof importProgress>['progress']

/** Media type of an answer that tells the progress: one of these objects a line, the last with `result` or `error`. */
export const PROGRESS_MEDIA_TYPE = 'application/x-ndjson'
