import { REVIEWS_PER_PUSH } from '../../contract/limits.ts'
import { ImporterError } from '../importer-error.ts'
import type { ImportRow } from './row.ts'
import type { ImportTarget } from './run.ts'
import type { BatchedImport } from './summary.ts'

/** This many replaced reviews, if they are also more than half of those already stored, are no coincidence. */
const REPLACED_BY_ACCIDENT = 2

/**
 * Checks that a file's first rows don't have the ids of other reviews: the tables of many shops count ids from 1.
 *
 * @throws ImporterError `ids_of_others`
 */
export async function checkIds(
  source: BatchedImport,
  target: Pick<ImportTarget, 'compare'>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const first = new Map<number, ImportRow[]>()
  let looked = 0
  const look = async (rows: readonly ImportRow[]) => {
    looked++
    const outcomes = await target.compare(rows)
    const stored = outcomes.filter((outcome) => outcome !== 'inserted').length
    const replaced = outcomes.filter((outcome) => outcome === 'replaced').length
    if (replaced < REPLACED_BY_ACCIDENT || replaced * 2 <= stored) return
    const file = source.files.length > 1 ? ` of ${source.files[rows[0]?.table ?? 0]?.file}` : ''
    throw new ImporterError(
      'ids_of_others',
      `${replaced} of the first rows${file} have the ids of stored reviews that other people wrote at other times. Importing them would replace those reviews. Nothing was imported. ` +
        "Leave this file's ids out with --map id=, so that new ones are made from name, day and text. To replace the stored reviews, use --force.",
    )
  }
  for await (const batch of source.batches(REVIEWS_PER_PUSH)) {
    signal?.throwIfAborted()
    for (const row of batch) {
      const rows = first.get(row.table) ?? []
      first.set(row.table, rows)
      if (rows.length === REVIEWS_PER_PUSH) continue
      rows.push(row)
      if (rows.length === REVIEWS_PER_PUSH) await look(rows)
    }
    if (looked === source.files.length) return
  }
  for (const rows of first.values()) if (rows.length < REVIEWS_PER_PUSH) await look(rows)
}
