import type { ImportedFile } from '../../contract/import.ts'
import type { PassedOverFile } from '../read/review-files.ts'
import type { SkipReason } from '../skip-reasons.ts'
import type { ImportedTable, ImportWarning, PreparedImport } from './prepared-import.ts'
import type { ImportRow } from './row.ts'

/** A dry run writes no errors.csv, so it shows more of what would be in it. */
const SKIPPED_SAMPLES = 10

/** What there is to know about a prepared import beside its rows; plain values, which a thread can send to another. */
export interface ImportSummary {
  files: ImportedFile[]
  passedOver: PassedOverFile[]
  warnings: ImportWarning[]
  /** Reviews to push. */
  total: number
  repeated: { count: number; different: number }
  skipped: number
  /** Skipped rows by reason, the most frequent first. */
  reasons: Partial<Record<SkipReason, number>>
  firstSkipped: { file: string; line: number; reason: string; message: string }[]
}

/** A prepared import whose rows come when they are asked for. */
export interface BatchedImport extends ImportSummary {
  /** All rows, at most `size` at a time. */
  batches(size: number): AsyncIterable<readonly ImportRow[]>
}

function summarizeImport(prepared: PreparedImport): ImportSummary {
  const { tables, passedOver, warnings, rows, repeated, skipped } = prepared
  return {
    files: tables.map(describeTable),
    passedOver,
    warnings,
    total: rows.length,
    repeated,
    skipped: skipped.length,
    reasons: reasonsOf(prepared),
    firstSkipped: skipped.slice(0, SKIPPED_SAMPLES).map(({ table, line, reason, message }) => ({
      file: tables[table]?.file ?? '',
      line,
      reason,
      message,
    })),
  }
}

/** A prepared import as a source of its rows. */
export function batchedImport(prepared: PreparedImport): BatchedImport {
  return { ...summarizeImport(prepared), batches: (size) => inBatches(prepared.rows, size) }
}

async function* inBatches(rows: readonly ImportRow[], size: number): AsyncGenerator<readonly ImportRow[]> {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size)
}

function reasonsOf(prepared: PreparedImport): Partial<Record<SkipReason, number>> {
  const counts = new Map<SkipReason, number>()
  for (const { reason } of prepared.skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return Object.fromEntries([...counts].sort((a, b) => b[1] - a[1]))
}

function describeTable({ file, fileType, encoding, headers, plan, rows, dates }: ImportedTable): ImportedFile {
  const named = (index: number) => headers[index] ?? ''
  const columns = Object.entries(plan.fields).filter(([, indexes]) => indexes.length > 0)
  return {
    file,
    format: fileType,
    encoding,
    profile: plan.format.name,
    reasons: plan.reasons,
    columns: Object.fromEntries(columns.map(([field, indexes]) => [field, indexes.map(named)])),
    metadata: Object.fromEntries(plan.metadata.map(({ index, key }) => [key, named(index)])),
    unused: plan.unused,
    rows,
    ...(dates && {
      dates: { order: dates.dayFirst ? 'day_first' : 'month_first', because: dates.because, rows: dates.rows },
    }),
  }
}
