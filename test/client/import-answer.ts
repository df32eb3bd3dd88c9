import type { ImportResponse } from '../../src/contract/import.ts'

/** The answer to an upload in which nothing happened but what is told. */
export function importAnswer(told: Partial<ImportResponse>): ImportResponse {
  return {
    project: 'default',
    env: 'live',
    inserted: 0,
    updated: 0,
    unchanged: 0,
    skipped: 0,
    reasons: {},
    errors_csv: null,
    seconds: 0.1,
    dry_run: false,
    warnings: [],
    files: [],
    passed_over: [],
    ...told,
  }
}
