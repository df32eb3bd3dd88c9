import * as v from 'valibot'

/** The header `x-backup` of `GET /operator/backup`, as JSON: rows by table, and the time of the backup. */
export const backupSummary = v.object({ rows: v.record(v.string(), v.number()), created_at: v.string() })
export type BackupSummary = v.InferOutput<typeof backupSummary>
