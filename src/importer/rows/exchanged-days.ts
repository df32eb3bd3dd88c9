import { REVIEWS_PER_PUSH } from '../../contract/limits.ts'
import type { ReviewInput } from '../../contract/review.ts'
import { utcDay } from '../fields/date.ts'
import { ImporterError } from '../importer-error.ts'
import { quoted } from '../quoted.ts'
import { keyOf } from './coverage.ts'
import { isProven } from './date-order.ts'
import { isRecognizable } from './recognizable.ts'
import type { ImportRow } from './row.ts'
import type { BatchedImport } from './summary.ts'

export type ReviewKey = Pick<ReviewInput, 'source' | 'external_id'>

/** A stored review and its time. */
export interface StoredDay extends ReviewKey {
  id: string
  occurred_at: Date
}

export interface StoredDays {
  /** The stored reviews with any of these ids; it may return a few more. */
  storedDays(keys: readonly ReviewKey[]): Promise<StoredDay[]>
}

/** Stored reviews that rows are with day and month exchanged, by the rows' sources and ids. */
export type ExchangedDays = ReadonlyMap<string, StoredDay>

/** What is stored of the rows of one file whose dates could be read either way. */
interface Seen {
  /** How many have the file's day. */
  straight: number
  exchanged: { row: ImportRow; stored: StoredDay }[]
}

/**
 * Finds reviews that are stored with day and month exchanged. An earlier file of a few rows may not have shown their order,
 * and in a file without ids the day is part of the generated ones, so that its reviews would be stored a second time.
 *
 * @param hasRow whether the import has a row with an id: two reviews with one text may be of both days
 * @returns the ones to correct, in files whose order is certain
 * @throws ImporterError `dates_both_orders` for a file whose order is not, because most of what is stored contradicts it
 */
export async function findExchangedDays(
  source: BatchedImport,
  target: StoredDays,
  hasRow: (key: ReviewKey) => boolean,
  signal: AbortSignal | undefined,
): Promise<ExchangedDays> {
  const seen = new Map<number, Seen>()
  if (!source.files.some(({ dates }) => dates)) return new Map()
  for await (const batch of source.batches(REVIEWS_PER_PUSH)) {
    signal?.throwIfAborted()
    const rows = batch.filter(({ otherWay }) => otherWay !== undefined)
    if (rows.length > 0) await compare(rows, target, hasRow, seen)
  }
  const found = new Map<string, StoredDay>()
  for (const [table, { straight, exchanged }] of seen) {
    const example = exchanged.find(
      ({ row }) => row.otherWay?.id === row.review.external_id || isRecognizable(row.review),
    )
    const { dates, file = '' } = source.files[table] ?? {}
    if (!dates || !example) continue
    if (!isProven(dates.because)) {
      if (exchanged.length > straight) throw contradicted(file, dates.order, exchanged.length, example)
    } else {
      for (const { row, stored } of exchanged) found.set(keyOf(row.review.source, row.review.external_id), stored)
    }
  }
  return found
}

/** Leaves out the reviews that were later than an import only because their day and month were exchanged. */
export function withoutCorrected(
  later: { count: number; than: Date } | undefined,
  days: ExchangedDays,
): { count: number; than: Date } | undefined {
  if (!later) return undefined
  const corrected = [...days.values()].filter(({ occurred_at: at }) => at > later.than).length
  return later.count > corrected ? { ...later, count: later.count - corrected } : undefined
}

async function compare(
  rows: readonly ImportRow[],
  target: StoredDays,
  hasRow: (key: ReviewKey) => boolean,
  seen: Map<number, Seen>,
): Promise<void> {
  const sought = rows.map((row) => {
    const { source, external_id } = row.review
    const other = { source, external_id: row.otherWay?.id ?? external_id }
    return { row, keys: hasRow(other) ? [{ source, external_id }] : [{ source, external_id }, other] }
  })
  const found = await target.storedDays(sought.flatMap(({ keys }) => keys))
  const stored = new Map(found.map((one) => [keyOf(one.source, one.external_id), one]))
  for (const { row, keys } of sought) {
    const there = keys.map(({ source, external_id }) => stored.get(keyOf(source, external_id))).find((one) => one)
    if (!there || !row.otherWay) continue
    const file = seen.get(row.table) ?? { straight: 0, exchanged: [] }
    seen.set(row.table, file)
    const day = utcDay(there.occurred_at)
    if (day === utcDay(row.review.occurred_at)) file.straight++
    else if (day === utcDay(row.otherWay.at)) file.exchanged.push({ row, stored: there })
  }
}

function contradicted(
  file: string,
  order: 'day_first' | 'month_first',
  count: number,
  { row, stored }: Seen['exchanged'][number],
): ImporterError {
  const [other, same] = order === 'day_first' ? ['--no-day-first', '--day-first'] : ['--day-first', '--no-day-first']
  const reviews = count === 1 ? '1 of its reviews is' : `${count} of its reviews are`
  return new ImporterError(
    'dates_both_orders',
    `${file}: its dates could be read either way, and ${reviews} stored with day and month exchanged: that of ${quoted(row.review.author_name)} ` +
      `is of ${utcDay(stored.occurred_at)}, and would be of ${utcDay(row.review.occurred_at)}. Nothing was imported. ` +
      `Use ${other} if what is stored is right; ${same} corrects it.`,
  )
}
