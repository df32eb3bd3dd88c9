import { setImmediate as turn } from 'node:timers/promises'
import type { ImportProgress } from '../../contract/import.ts'
import { REVIEWS_PER_PUSH } from '../../contract/limits.ts'
import type { ImportOptions } from '../formats/mapping.ts'
import { ImporterError } from '../importer-error.ts'
import type { SkipReason } from '../skip-reasons.ts'
import { checkIds } from './check-ids.ts'
import { EarlierImports, type EarlierReviews } from './earlier-imports.ts'
import { type ExchangedDays, findExchangedDays, type StoredDays, withoutCorrected } from './exchanged-days.ts'
import { type FormerIds, findFormerIds } from './former-ids.ts'
import { LostMetadata } from './lost-metadata.ts'
import { handleMissing, type MissingResult } from './missing-reviews.ts'
import { NewDays } from './read-otherwise.ts'
import type { ImportRow } from './row.ts'
import { idOf, type Known, rowsToPush } from './rows-to-push.ts'
import { type BatchedImport, batchesOfFiles } from './summary.ts'

export type RowOutcome = 'inserted' | 'updated' | 'unchanged'
/** `replaced` is an update that changes name, time and text, and leaves only a review's id. */
export type ComparedOutcome = RowOutcome | 'replaced'

/** The destination of an import's rows, equivalent to the push API; at most {@link REVIEWS_PER_PUSH} rows a call. */
export interface ImportTarget extends EarlierReviews, StoredDays {
  /** The outcome that a push of each row would have, without writing. */
  compare(rows: readonly ImportRow[]): Promise<ComparedOutcome[]>
  /** How many more reviews the project's plan allows. */
  remainingCapacity(): Promise<number>
  /** New rows already stored under other external ids before their file was begun. */
  storedElsewhere(rows: readonly ImportRow[], begun: BegunFiles): Promise<ReadonlyMap<ImportRow, StoredElsewhere>>
  /** Writes the batch atomically; one outcome a row. */
  push(rows: readonly ImportRow[]): Promise<RowOutcome[]>
  /** Of rows of our own export that are hidden there, those that are stored and not hidden. */
  stillShown(rows: readonly ImportRow[]): Promise<ImportRow[]>
  /** The metadata keys of those of the rows' reviews that are stored. */
  metadataKeys(rows: readonly ImportRow[]): Promise<string[]>
  /** Hides reviews, except those that somebody decided to show by hand. */
  hide(ids: readonly string[]): Promise<void>
}

/** A stored review that a new row is, under another id. */
export interface StoredElsewhere {
  id: string
  external_id: string
  /** Its id is a generated or damaged one, so the row's takes its place. */
  takesId: boolean
}

/**
 * The state of the store before the first row of each file, by index of the file in the import, and the ids of the stored
 * reviews that rows of the file turned out to be.
 */
export type BegunFiles = Map<number, { at: Date; anyStored: boolean; found: Set<string> }>

export interface RunOptions {
  dryRun?: boolean
  /** Also imports what would replace other reviews and what is stored under other ids. */
  force?: boolean
  missing?: ImportOptions['missing']
  /** Aborts the run between batches. */
  signal?: AbortSignal
  onProgress?: (progress: ImportProgress) => void
  /** Monotonic, in milliseconds. */
  clock?: () => number
}

/** A number of rows to report, and the first of them. */
export interface NotedRows {
  count: number
  first: ImportRow[]
}

/** The result of a run. Inserted, updated and skipped add up to all rows of the import. */
export interface ImportResult {
  inserted: number
  /** Existing reviews, including unchanged ones, and superseded rows of repeated reviews. */
  updated: number
  unchanged: number
  /** Unchanged reviews that are stored under another id or source. */
  elsewhere: NotedRows
  /** New reviews that may be stored under another source. */
  alike: NotedRows
  /** Updated reviews that are stored with an earlier version of their text, under the id generated from it. */
  edited: NotedRows
  /** Updated reviews that are stored with day and month exchanged. */
  exchanged: NotedRows
  /** Reviews that are hidden in our own export, and stay as they are here. */
  stillShown: NotedRows
  /** Metadata keys that the import takes off stored reviews, since none of its rows has them. */
  lostMetadata: string[]
  /** Stored reviews from earlier imports of the same export that this one lacks. */
  missing?: MissingResult
  /** Stored reviews from earlier imports of the same export of products that this one does not have. */
  ofOtherProducts: number
  /** New reviews that seem to be stored with other ids or texts, and those. */
  otherwise?: ReturnType<NewDays['compare']>
  /** Later reviews from those imports: this export may be older. */
  later?: EarlierImports['later']
  skipped: number
  reasons: Partial<Record<SkipReason, number>>
  seconds: number
  dryRun: boolean
  /** In a dry run, up to three rows of each kind. */
  samples?: Record<RowOutcome, ImportRow[]>
  /** In a dry run of more new reviews than the project has room for: the room. */
  room?: number
  /** Set when the run ended early: rows not yet pushed, and the error. The same import again continues it. */
  stopped?: { remaining: number; cause: unknown }
}

/**
 * Pushes a prepared import. The plan's cap is checked for all rows before the first is written; updates don't count.
 * Rows are pushed by id, so running the same import again after an interruption continues it.
 *
 * @throws ImporterError `review_limit_reached`, `ids_of_others`, `dates_both_orders` before anything is written
 */
export async function runImport(
  source: BatchedImport,
  target: ImportTarget,
  options: RunOptions = {},
): Promise<ImportResult> {
  const clock = options.clock ?? (() => performance.now())
  const started = clock()
  const counts: Record<RowOutcome, number> = { inserted: 0, updated: 0, unchanged: 0 }
  const samples: Record<RowOutcome, ImportRow[]> = { inserted: [], updated: [], unchanged: [] }
  const { total } = source
  const elsewhere: NotedRows = { count: 0, first: [] }
  const alike: NotedRows = { count: 0, first: [] }
  const edited: NotedRows = { count: 0, first: [] }
  const exchanged: NotedRows = { count: 0, first: [] }
  const stillShown: NotedRows = { count: 0, first: [] }
  const lost = new LostMetadata(target)
  const fresh = new NewDays()
  let stopped: ImportResult['stopped']
  let done = 0
  const report = () => options.onProgress?.({ done, total, inserted: counts.inserted, updated: done - counts.inserted })

  const earlier = await EarlierImports.of(source, target, options.signal)
  const hasRow = earlier.hasRow.bind(earlier)
  const days = options.force === true ? NONE : await findExchangedDays(source, target, hasRow, options.signal)
  const former = options.force === true ? UNSOUGHT : await findFormerIds(source, target, hasRow, options.signal)
  const moved = new Map([...former.moved, ...days])
  const known: Known = { earlier, moved, elsewhere: former.elsewhere, begun: new Map() }
  const room = await target.remainingCapacity()
  if (options.dryRun !== true) await checkCapacity(source, target, room, { ...known, begun: new Map() }, options)
  report()
  if (options.force !== true) await checkIds(source, target, options.signal)
  for await (const batch of batchesOfFiles(source)) {
    try {
      options.signal?.throwIfAborted()
      const { rows, stored } = await rowsToPush(batch, target, known, options)
      await lost.compare(rows)
      const outcomes = await (options.dryRun === true ? target.compare(rows) : target.push(rows))
      counts.unchanged += stored.length
      note(elsewhere, stored)
      note(
        edited,
        rows.filter(({ replaces, replacedId }) => replaces !== undefined && replacedId === undefined),
      )
      const hidden = rows.filter((row) => row.hidden && row.visibility === undefined)
      if (hidden.length > 0) note(stillShown, await target.stillShown(hidden))
      const turned = rows.filter((row) => days.has(idOf(row)))
      note(exchanged, turned)
      for (const [index, row] of rows.entries()) {
        const outcome = plainOutcome(outcomes[index])
        counts[outcome]++
        if (outcome === 'inserted') fresh.add(row.review)
        if (outcome === 'inserted' && former.alike.has(idOf(row))) note(alike, [row])
        if (options.dryRun === true && samples[outcome].length < 3) samples[outcome].push(row)
      }
    } catch (cause) {
      stopped = { remaining: total - done, cause }
      break
    }
    done += batch.length
    report()
    await turn()
  }
  const later = withoutCorrected(earlier.later, days)
  const { count, different } = source.repeated
  const unchanged = counts.unchanged + count - different
  const otherwise = fresh.compare(earlier.absentDays())
  const missing = stopped ? undefined : await handleMissing(source, target, earlier, options)
  return {
    inserted: counts.inserted,
    updated: counts.updated + different + unchanged,
    unchanged,
    elsewhere,
    alike,
    edited,
    exchanged,
    stillShown,
    lostMetadata: lost.keys,
    ofOtherProducts: earlier.ofOtherProducts(),
    ...(missing && { missing }),
    ...(otherwise && { otherwise }),
    ...(later && { later }),
    skipped: source.skipped,
    reasons: source.reasons,
    seconds: Math.round(clock() - started) / 1000,
    dryRun: options.dryRun === true,
    ...(options.dryRun === true && { samples, ...(counts.inserted > room && { room }) }),
    ...(stopped && { stopped }),
  }
}

const NONE: ExchangedDays = new Map()
const UNSOUGHT: FormerIds = { moved: NONE, elsewhere: NONE, alike: NONE }

function note(noted: NotedRows, rows: readonly ImportRow[]): void {
  noted.count += rows.length
  noted.first.push(...rows.slice(0, 3 - noted.first.length))
}

function plainOutcome(outcome: ComparedOutcome | undefined): RowOutcome {
  return outcome === undefined || outcome === 'replaced' ? 'updated' : outcome
}

/** Compares the rows only when there might not be room for all of them. */
async function checkCapacity(
  source: BatchedImport,
  target: ImportTarget,
  room: number,
  known: Known,
  options: RunOptions,
): Promise<void> {
  if (source.total <= room) return
  let fresh = 0
  for await (const batch of source.batches(REVIEWS_PER_PUSH)) {
    options.signal?.throwIfAborted()
    const { rows } = await rowsToPush(batch, target, known, options)
    const outcomes = await target.compare(rows)
    fresh += outcomes.filter((outcome) => outcome === 'inserted').length
    await turn()
  }
  if (fresh <= room) return
  throw new ImporterError(
    'review_limit_reached',
    `The import has ${fresh} new ${fresh === 1 ? 'review' : 'reviews'}, but the project has room for ${Math.max(room, 0)} more. Nothing was imported. ` +
      'Remove reviews, ask the operator for a larger plan, or import only some of the rows.',
  )
}
