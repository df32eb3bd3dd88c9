import type { ImportReport } from './upload-input.ts'

/** What the import of several files comes to. */
export type ImportTotals = Pick<
  ImportReport,
  'inserted' | 'updated' | 'unchanged' | 'skipped' | 'reasons' | 'errors_csv' | 'seconds'
> & {
  dry_run: boolean
  /** One for each file or folder. */
  imports: (ImportReport & { input: string })[]
}

const NO_REVIEW_FILES = new Set(['no_review_file', 'beside_takeout', 'earlier_errors'])

/** Whether files were not imported that might hold reviews. */
export function hasUnreadFiles({ passed_over: passedOver }: ImportReport): boolean {
  return passedOver.some(({ code }) => !NO_REVIEW_FILES.has(code))
}

export function totalsOf(imports: ImportTotals['imports'], dryRun: boolean): ImportTotals {
  const sum = (pick: (report: ImportReport) => number) => imports.reduce((total, report) => total + pick(report), 0)
  const reasons: Record<string, number> = {}
  for (const report of imports)
    for (const [reason, rows] of Object.entries(report.reasons)) reasons[reason] = (reasons[reason] ?? 0) + rows
  return {
    inserted: sum((report) => report.inserted),
    updated: sum((report) => report.updated),
    unchanged: sum((report) => report.unchanged),
    skipped: sum((report) => report.skipped),
    reasons,
    errors_csv: imports.find((report) => report.errors_csv !== null)?.errors_csv ?? null,
    seconds: Math.round(sum((report) => report.seconds) * 1000) / 1000,
    dry_run: dryRun,
    imports,
  }
}
