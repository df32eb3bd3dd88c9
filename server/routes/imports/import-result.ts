import type { ImportResponse } from '../../../src/contract/import.ts'
import type { Environment } from '../../../src/contract/review.ts'
import type { ImportResult } from '../../../src/importer/rows/run.ts'
import type { ImportSummary } from '../../../src/importer/rows/summary.ts'
import { elsewhereWarnings } from '../../../src/importer/rows/warnings.ts'

/** The account of an import as it is sent. */
export function toImportResult(
  { files, passedOver, warnings, firstSkipped }: ImportSummary,
  result: ImportResult,
  { project, env, errorsCsv }: { project: string; env: Environment; errorsCsv: string | null },
): ImportResponse {
  const { dryRun, samples, elsewhere, stopped: _, ...counts } = result
  return {
    project,
    env,
    ...counts,
    errors_csv: errorsCsv,
    dry_run: dryRun,
    warnings: [...warnings, ...elsewhereWarnings(elsewhere, files)].map(({ code, message, count }) => ({
      code,
      message,
      count,
    })),
    files,
    passed_over: passedOver,
    ...(samples && {
      samples: {
        inserted: samples.inserted.map((row) => row.review),
        updated: samples.updated.map((row) => row.review),
        skipped: firstSkipped,
      },
    }),
  }
}
