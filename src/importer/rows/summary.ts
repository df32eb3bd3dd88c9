import type { ImportedFile } from '../../contract/import.ts'
import { REVIEWS_PER_PUSH } from '../../contract/limits.ts'
import type { SkipReason } from '../skip-reasons.ts'
import type { PreparedImport } from './prepare.ts'
import type { ImportedTable, ImportRow, SkippedRow } from './row.ts'

/** More than elsewhere, because a dry run writes no errors.csv. */
const SKIPPED_SAMPLES = 10

/** Summarizes a prepared import without its rows; plain values that can be sent between threads. */
function summarizeImport(prepared: PreparedImport) {
  const { tables, passedOver, warnings, rows, repeated, skipped } = prepared
  return {
    files: tables.map(describeTable),
    passedOver,
    warnings,
    /** Reviews to push. */
    total: rows.length,
    repeated,
    skipped: skipped.length,
    reasons: reasonsOf(prepared),
    firstSkipped: describeSkipped(skipped.slice(0, SKIPPED_SAMPLES), tables),
    firstOfReasons: describeSkipped(firstOfReasons(skipped), tables),
  }
}

function describeSkipped(rows: readonly SkippedRow[], tables: readonly ImportedTable[]) {
  return rows.map(({ table, line, reason, message }) => ({ file: tables[table]?.file ?? '', line, reason, message }))
}

function firstOfReasons(skipped: readonly SkippedRow[]): SkippedRow[] {
  const first = new Map<SkipReason, SkippedRow>()
  for (const row of skipped) if (!first.has(row.reason)) first.set(row.reason, row)
  return [...first.values()]
}

export type ImportSummary = ReturnType<typeof summarizeImport>

/** A prepared import whose rows are read on demand. */
export interface BatchedImport extends ImportSummary {
  /** All rows, at most `size` at a time. */
  batches(size: number): AsyncIterable<readonly ImportRow[]>
}

export function batchedImport(prepared: PreparedImport): BatchedImport {
  return { ...summarizeImport(prepared), batches: (size) => inBatches(prepared.rows, size) }
}

async function* inBatches(rows: readonly ImportRow[], size: number): AsyncGenerator<readonly ImportRow[]> {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size)
}

/** Skipped rows by reason, the most frequent first. */
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
    reasons: [plan.reason],
    columns: Object.fromEntries(columns.map(([field, indexes]) => [field, indexes.map(named)])),
    metadata: Object.fromEntries(plan.metadata.map(({ index, key }) => [key, named(index)])),
    unused: plan.unused,
    rows,
    dates: dates && { order: dates.dayFirst ? 'day_first' : 'month_first', because: dates.because, rows: dates.rows },
  }
}

/** Splits batches by file, so that one file's reviews are stored before the next is compared. */
export async function* batchesOfFiles(source: BatchedImport): AsyncGenerator<readonly ImportRow[]> {
  for await (const batch of source.batches(REVIEWS_PER_PUSH)) {
    const files = new Set(batch.map((row) => row.table))
    for (const file of files) yield files.size === 1 ? batch : batch.filter((row) => row.table === file)
  }
}
