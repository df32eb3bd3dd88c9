import type { ImportResponse } from '../../../src/contract/import.ts'
import type { Environment } from '../../../src/contract/review.ts'
import type { ImportResult } from '../../../src/importer/rows/run.ts'
import type { ImportSummary } from '../../../src/importer/rows/summary.ts'
import { resultWarnings } from '../../../src/importer/rows/warnings.ts'

/** Enough to recognise a review. */
const MISSING_TEXT = 200

/** The report of an import as sent to the client. */
export function toImportResult(
  { files, passedOver, warnings, firstSkipped, firstOfReasons }: ImportSummary,
  result: ImportResult,
  to: { project: string; env: Environment; errorsCsv: string | null; isDeferred: boolean },
): ImportResponse {
  const { project, env, errorsCsv, isDeferred } = to
  const { inserted, updated, unchanged, skipped, reasons, seconds, dryRun, samples, missing } = result
  return {
    project,
    env,
    inserted,
    updated,
    unchanged,
    skipped,
    reasons,
    seconds,
    first_skipped: firstOfReasons,
    errors_csv: errorsCsv,
    dry_run: dryRun,
    warnings: [...warnings, ...resultWarnings(result, files), ...(isDeferred ? [deferral(result)] : [])],
    ...(missing && {
      missing: {
        count: missing.ids.length,
        among: missing.among,
        hidden: missing.outcome === 'hidden',
        reviews: missing.first.map(({ occurred_at: at, text, ...review }) => {
          return { ...review, occurred_at: at.toISOString(), text: [...text].slice(0, MISSING_TEXT).join('') }
        }),
      },
    }),
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

/** What a push says by `indexing: "deferred"`. */
function deferral({ inserted, updated }: ImportResult) {
  const message =
    "the reviews are stored, and can be found once the server's allowance for indexing renews, at the latest shortly after 00:00 UTC"
  return { code: 'deferred', message, count: inserted + updated }
}
