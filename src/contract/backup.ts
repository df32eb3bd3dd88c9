import * as v from 'valibot'

/** What the header `x-backup` of `GET /operator/backup` says, as JSON: the rows of each table, and the moment. */
export const backupSummary = v.object({ rows: v.record(v.string(), v.number()), created_at: v.string() })
export type BackupSummary = v.InferOutput<typeof backupSummary>
