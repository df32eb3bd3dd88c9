import { keyOf } from './coverage.ts'
import type { EarlierImports } from './earlier-imports.ts'
import type { ExchangedDays } from './exchanged-days.ts'
import type { FormerIds } from './former-ids.ts'
import type { ImportRow } from './row.ts'
import type { BegunFiles, ImportTarget, RunOptions, StoredElsewhere } from './run.ts'

/** What is known of the store before the first row is written. */
export interface Known {
  earlier: EarlierImports
  /** Stored reviews that rows are with another day or author, by the rows' ids. */
  moved: ExchangedDays
  /** Those of other sources, likewise. */
  elsewhere: FormerIds['elsewhere']
  begun: BegunFiles
}

export function idOf({ review }: ImportRow): string {
  return keyOf(review.source, review.external_id)
}

/** The rows of a batch to push, and those already stored under other ids. */
export async function rowsToPush(
  batch: readonly ImportRow[],
  target: ImportTarget,
  known: Known,
  { force }: RunOptions,
): Promise<{ rows: ImportRow[]; stored: ImportRow[] }> {
  const { earlier, begun, moved } = known
  const elsewhere = force === true ? new Map<ImportRow, StoredElsewhere>() : await target.storedElsewhere(batch, begun)
  for (const { id } of elsewhere.values()) earlier.markPresent(id)
  const isLeftOut = (row: ImportRow) => {
    const found = elsewhere.get(row)
    // Not another export's, if its id is what this row's was before its day was known.
    const isOther = found?.takesId === false && moved.get(idOf(row))?.id !== found.id
    return isOther || known.elsewhere.has(idOf(row))
  }
  const rows = batch.filter((row) => !isLeftOut(row))
  for (const row of rows) {
    earlier.assignOrigin(row)
    const same = elsewhere.get(row) ?? moved.get(idOf(row))
    if (!same) continue
    earlier.markPresent(same.id)
    Object.assign(row, { replaces: same.id, replacedId: same.external_id })
  }
  return { rows, stored: batch.filter(isLeftOut) }
}
