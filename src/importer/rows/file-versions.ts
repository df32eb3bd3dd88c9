import type { ImportedTable, ImportRow } from './row.ts'

/** So many shared reviews, if they are also half of a file's, say that another file is a newer version of it. */
const LEAST_SHARED = 3

/**
 * Tells which files of a folder are versions of one export. Such files are read as one, so that nothing compares them: a
 * review that was edited in between comes in twice, and one that was removed comes in.
 */
export class FileVersions {
  readonly #ends: readonly number[]
  /** By older file, how many of its reviews each newer one has. */
  readonly #shared = new Map<number, Map<number, number>>()

  /** @param ends the latest time in each file */
  constructor(ends: readonly number[]) {
    this.#ends = ends
  }

  /** Whether a row's file is an older one. */
  isOlder(one: ImportRow, other: ImportRow): boolean {
    return (this.#ends[one.table] ?? 0) < (this.#ends[other.table] ?? 0)
  }

  /** Records that two rows are the same review. */
  addShared(one: ImportRow, other: ImportRow): void {
    if (one.table === other.table) return
    const [older, newer] = this.isOlder(one, other) ? [one.table, other.table] : [other.table, one.table]
    const files = this.#shared.get(older) ?? new Map<number, number>()
    this.#shared.set(older, files.set(newer, (files.get(newer) ?? 0) + 1))
  }

  /** @param rows those left where files repeat each other */
  notes(rows: readonly ImportRow[], tables: readonly ImportedTable[]): string[] {
    return [...this.#shared].flatMap(([older, files]) => {
      const [newer, shared] = [...files].reduce((most, file) => (file[1] > most[1] ? file : most))
      const own = rows.filter(({ table }) => table === older)
      if (shared < LEAST_SHARED || shared < own.length) return []
      const from = earliest(rows.filter(({ table }) => table === newer))
      const others = own.filter(({ review, isApproximate }) => !isApproximate && review.occurred_at.getTime() > from)
      if (others.length === 0) return []
      const [one, other] = [tables[older]?.file, tables[newer]?.file]
      const [count, are] = others.length === 1 ? ['1', 'is'] : [`${others.length}`, 'are']
      return [
        `${one}: ${shared} of its reviews are in ${other} too, and ${count} of the same days ${are} not. If both are exports of the same reviews, ` +
          'import them one after the other, the newest last: edited and removed reviews are recognised only so',
      ]
    })
  }
}

function earliest(rows: readonly ImportRow[]): number {
  return rows.reduce((from, { review }) => Math.min(from, review.occurred_at.getTime()), Number.POSITIVE_INFINITY)
}
