import type { ImportAnswer, ImportedFile } from '../../src/contract/imports.ts'
import type { ImportedTable, PreparedImport } from '../../src/importer/prepare.ts'
import type { ImportResult } from '../../src/importer/run.ts'

/** A dry run writes no errors.csv, so it shows more of what would be in it. */
const SKIPPED_SAMPLES = 10

/** The account of an import as it is sent. */
export function describeImport(prepared: PreparedImport, result: ImportResult, errorsCsv: string | null): ImportAnswer {
  const { inserted, updated, unchanged, skipped, reasons, seconds, dryRun, samples } = result
  return {
    inserted,
    updated,
    unchanged,
    skipped,
    reasons: { ...reasons },
    errors_csv: errorsCsv,
    seconds,
    dry_run: dryRun,
    warnings: prepared.warnings.map(({ code, message, count }) => ({ code, message, count })),
    files: prepared.tables.map(describeTable),
    ...(samples && {
      samples: {
        inserted: samples.inserted.map((row) => row.review),
        updated: samples.updated.map((row) => row.review),
        skipped: prepared.skipped.slice(0, SKIPPED_SAMPLES).map(({ table, line, reason, message }) => ({
          file: prepared.tables[table]?.file ?? '',
          line,
          reason,
          message,
        })),
      },
    }),
  }
}

function describeTable({ file, format, encoding, headers, plan, rows }: ImportedTable): ImportedFile {
  const named = (index: number) => headers[index] ?? ''
  const columns = Object.entries(plan.fields).filter(([, indexes]) => indexes.length > 0)
  return {
    file,
    format,
    encoding,
    profile: plan.profile.name,
    reasons: plan.reasons,
    columns: Object.fromEntries(columns.map(([field, indexes]) => [field, indexes.map(named)])),
    metadata: Object.fromEntries(plan.metadata.map(({ index, key }) => [key, named(index)])),
    unused: plan.unused,
    rows,
  }
}
