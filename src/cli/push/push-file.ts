import { Cancelled } from '../../client/errors.ts'
import { formatCount, pluralize } from '../../contract/counts.ts'
import type { ClientSession } from '../connection/session.ts'
import { interruptedError } from '../errors/failure.ts'
import type { Reporter } from '../output/reporter.ts'
import { waitForIndexing, waitForServer } from '../reviews/wait-for-indexing.ts'
import {
  type CheckedRecord,
  checkRecords,
  INVALID_SHOWN,
  type InvalidRecord,
  invalidRecordsError,
} from './check-records.ts'
import { type PushReport, pushRecords } from './push-records.ts'
import { readRecordFile } from './record-file.ts'

const RUN_AGAIN = 'run the same command again: what is stored already is recognised and not doubled'

export interface PushOptions {
  skipInvalid: boolean
  signal: AbortSignal
  reporter: Reporter
}

/**
 * Reads a file once without sending anything.
 *
 * @returns how many good records there are
 * @throws {CliError} bad records that are not to be skipped; an interruption
 */
export async function checkFile(file: string, { skipInvalid, signal, reporter }: PushOptions): Promise<number> {
  const progress = reporter.progress('Checking the records')
  let good = 0
  const bad: InvalidRecord[] = []
  let badCount = 0
  try {
    for await (const record of recordsOf(file, signal)) {
      if (signal.aborted) throw new Cancelled()
      if (record.ok) good++
      else if (++badCount <= INVALID_SHOWN) bad.push(record.invalid)
      if ((good + badCount) % 1000 === 0) progress.update(`Checking the records: ${formatCount(good + badCount)}`)
    }
  } catch (error) {
    throw error instanceof Cancelled ? interruptedError('interrupted; nothing was pushed') : error
  } finally {
    progress.stop()
  }
  if (badCount === 0 || skipInvalid) return good
  const message = `${badCount} of ${formatCount(good + badCount)} records are not valid; nothing was pushed`
  throw invalidRecordsError(message, bad, badCount)
}

/**
 * Pushes a file, or standard input for `-`, and waits for the indexing where the server runs in this process, or `wait`
 * says so.
 *
 * @param options.total good records of the file, where they are counted
 * @throws {CliError} what ended it before its end, with how many records were pushed before
 */
export async function pushFile(
  file: string,
  session: ClientSession,
  { total, wait, ...options }: PushOptions & { total: number | undefined; wait: boolean },
): Promise<PushReport> {
  const { skipInvalid, signal, reporter } = options
  const progress = reporter.progress('Pushing')
  const started = Date.now()
  const report = await pushRecords(recordsOf(file, signal), {
    client: session.client,
    skipInvalid,
    signal,
    onBatch: ({ pushed }) => progress.update(progressLine(pushed, total, Date.now() - started)),
  }).finally(() => progress.stop())
  const { pushed, stopped, invalid, invalidCount } = report
  if (report.stored > 0 && !report.deferred) {
    if (session.connection.kind === 'in-process') await waitForIndexing(session, signal, reporter)
    else if (wait) await waitForServer(session, report.indexing, signal, reporter)
    if (signal.aborted && (wait || session.connection.kind === 'in-process')) {
      reporter.writeStderr(
        'Interrupted while indexing: the reviews are stored, and are indexed the next time a server or command opens the database.',
      )
    }
  }
  const before = `${records(pushed)} pushed before`
  if (stopped?.by === 'interrupt') throw interruptedError(`interrupted; ${before}`, RUN_AGAIN)
  if (stopped?.by === 'error') {
    if (pushed > 0) reporter.writeStderr(`${before} this:`)
    throw stopped.error
  }
  if (invalidCount === 0 || skipInvalid) return report
  throw invalidRecordsError(`${records(invalidCount)} not valid; ${before} the first of them`, invalid, invalidCount)
}

function recordsOf(file: string, signal: AbortSignal): AsyncGenerator<CheckedRecord> {
  return checkRecords(readRecordFile(file, 'pullquote reviews push --help', signal))
}

function progressLine(pushed: number, total: number | undefined, ms: number): string {
  const rate = Math.round((pushed * 1000) / Math.max(ms, 1))
  if (total === undefined) return `Pushing: ${formatCount(pushed)} reviews, ${formatCount(rate)}/s`
  const percent = Math.floor((100 * pushed) / Math.max(total, 1))
  const left = pushed > 0 ? `, ${Math.ceil(((total - pushed) * ms) / pushed / 1000)} s left` : ''
  return `Pushing: ${formatCount(pushed)} of ${formatCount(total)} reviews (${percent} %), ${formatCount(rate)}/s${left}`
}

/** `1 record was`, `2 records were`. */
function records(count: number): string {
  return `${pluralize(count, 'record')} ${count === 1 ? 'was' : 'were'}`
}
