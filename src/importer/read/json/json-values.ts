import { ImporterError } from '../../importer-error.ts'

/** Whether a JSON value is an object and not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A hundred times the fields of any review. Each look at an object of a million takes a second, and there are many. */
const MOST_SINGLE_VALUES = 50_000

/**
 * Refuses an object of names with a single value each, such as a list of counts, wherever objects hold it.
 *
 * @throws ImporterError `no_rows`
 */
export function checkSingleValues(file: string, object: Record<string, unknown>): void {
  let count = 0
  for (const key in object) {
    const value = object[key]
    if (isObject(value)) checkSingleValues(file, value)
    else if (!Array.isArray(value)) count++
  }
  if (count > MOST_SINGLE_VALUES)
    throw new ImporterError(
      'no_rows',
      `${file} has an object of ${count.toLocaleString('en')} names with a single value each, which is no list of reviews.`,
    )
}
