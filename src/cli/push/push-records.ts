import type { Client } from '../../client/client.ts'
import { ApiError, Cancelled } from '../../client/errors.ts'
import { formatCount, pluralize } from '../../contract/counts.ts'
import type { ErrorDetail } from '../../contract/errors.ts'
import { BODY_BYTES, REVIEWS_PER_PUSH } from '../../contract/limits.ts'
import type { ClientSession } from '../connection/session.ts'
import { interruptedError } from '../errors/cli-error.ts'
import { type Reporter, withProgress } from '../output/terminal.ts'
import { waitForIndexing, waitForServer } from '../reviews/wait-for-indexing.ts'
import {
  type CheckedRecord,
  checkRecords,
  INVALID_SHOWN,
  type InvalidRecord,
  invalidAt,
  invalidRecordsError,
} from './check-records.ts'
import { readRecordFile } from './read-records.ts'

class PushReport {
  /** Records accepted by the server. */
  pushed = 0
  /** Reviews stored: a repeat within a batch is stored once. */
  stored = 0
  /** The ids of stored reviews that are not indexed yet. */
  indexing = new Set<string>()
  /** The server will index some of them later: its allowance is used up, or its queue is long. */
  deferred = false
  invalid: InvalidRecord[] = []
  invalidCount = 0
  /** The error that stopped the run before the end of the input: {@link Cancelled} for an interruption. */
  stopped: unknown
}

/** Most invalid records kept; the rest are counted. */
const INVALID_KEPT = 1_000

/**
 * Pushes checked records in batches of at most 100 and 1 MiB, sequentially, so that the last of two records with the same
 * key wins. From the batch of an invalid record on nothing is pushed, but the rest of the input is still checked; with
 * `skipInvalid` the record is skipped.
 */
async function pushRecords(
  records: AsyncIterable<CheckedRecord>,
  options: {
    client: Pick<Client, 'push'>
    skipInvalid: boolean
    signal?: AbortSignal
    onBatch?: (report: Readonly<PushReport>) => void
  },
): Promise<PushReport> {
  const report = new PushReport()
  const reject = (record: InvalidRecord) => {
    report.invalidCount++
    if (report.invalid.length < INVALID_KEPT) report.invalid.push(record)
  }

  try {
    for await (const batch of inBatches(records, reject)) {
      if (report.invalidCount > 0 && !options.skipInvalid) continue
      if (options.signal?.aborted) throw new Cancelled()
      await pushBatch(batch)
      options.onBatch?.(report)
      if (report.stopped) break
    }
  } catch (error) {
    report.stopped = error
  }
  return report

  async function pushBatch(batch: Batch): Promise<void> {
    try {
      const answer = await options.client.push(`[${batch.map(({ json }) => json).join(',')}]`, options.signal)
      report.pushed += batch.length
      report.stored += answer.reviews.length
      for (const { id, status } of answer.reviews) if (status === 'indexing') report.indexing.add(id)
      report.deferred ||= answer.indexing === 'deferred'
    } catch (error) {
      const isInvalid = error instanceof ApiError && error.code === 'validation_failed'
      const refused = isInvalid ? refusedRecords(error, batch) : []
      // The rest of the batch is pushed again only if the server named the invalid records and they may be skipped.
      for (const record of refused) reject(record)
      const bad = new Set(refused.map(({ position }) => position))
      const rest = batch.filter(({ place }) => !bad.has(place.position))
      if (refused.length === 0) report.stopped = error
      else if (options.skipInvalid && rest.length > 0) await pushBatch(rest)
    }
  }
}

type Batch = Extract<CheckedRecord, { ok: true }>[]

/** Groups valid records into batches; an invalid one goes to `reject` before its batch is yielded. */
async function* inBatches(
  records: AsyncIterable<CheckedRecord>,
  reject: (record: InvalidRecord) => void,
): AsyncGenerator<Batch> {
  let batch: Batch = []
  let bytes = 2
  for await (const record of records) {
    if (!record.ok) {
      reject(record.invalid)
      continue
    }
    const size = Buffer.byteLength(record.json) + 1
    if (batch.length === REVIEWS_PER_PUSH || bytes + size > BODY_BYTES.pushReviews) {
      yield batch
      batch = []
      bytes = 2
    }
    batch.push(record)
    bytes += size
  }
  if (batch.length > 0) yield batch
}

/** The records that the server's validation errors (`3.rating`) are about. */
function refusedRecords(error: ApiError, batch: Batch): InvalidRecord[] {
  const byIndex = new Map<number, ErrorDetail[]>()
  for (const { path, message } of error.details) {
    const [index = '', ...rest] = path.split('.')
    if (!/^\d+$/.test(index)) return []
    const detail = { path: rest.length === 0 ? '(body)' : rest.join('.'), message }
    byIndex.set(Number(index), [...(byIndex.get(Number(index)) ?? []), detail])
  }
  return [...byIndex].flatMap(([index, problems]) => {
    const record = batch[index]
    return record ? [invalidAt(record.place, JSON.parse(record.json), problems)] : []
  })
}

const RUN_AGAIN = 'run the same command again: reviews that are already stored are recognised and not duplicated'

export interface PushOptions {
  skipInvalid: boolean
  signal: AbortSignal
  reporter: Reporter
}

/**
 * Validates a file without sending anything.
 *
 * @returns the number of valid records
 * @throws {CliError} on invalid records, unless `skipInvalid`; on interruption
 */
export async function checkFile(file: string, { skipInvalid, signal, reporter }: PushOptions): Promise<number> {
  let good = 0
  const bad: InvalidRecord[] = []
  let badCount = 0
  await withProgress(reporter, 'Checking the records', async (progress) => {
    for await (const record of recordsOf(file, signal)) {
      if (signal.aborted) throw new Cancelled()
      if (record.ok) good++
      else if (++badCount <= INVALID_SHOWN) bad.push(record.invalid)
      if ((good + badCount) % 1000 === 0) progress.update(`Checking the records: ${formatCount(good + badCount)}`)
    }
  }).catch((error: unknown) => {
    throw error instanceof Cancelled ? interruptedError('interrupted; nothing was pushed') : error
  })
  if (badCount === 0 || skipInvalid) return good
  const message = `${badCount} of ${pluralize(good + badCount, 'record')} ${badCount === 1 ? 'is' : 'are'} invalid; nothing was pushed`
  throw invalidRecordsError(message, bad, badCount)
}

/**
 * Pushes a file, or standard input for `-`, and waits for indexing when the server runs in this process or `wait` is set.
 *
 * @param options.total valid records in the file, if counted
 * @throws {CliError} when it was stopped early, with the number of records pushed so far
 */
export async function pushFile(
  file: string,
  session: ClientSession,
  { total, wait, ...options }: PushOptions & { total: number | undefined; wait: boolean },
): Promise<PushReport> {
  const { skipInvalid, signal, reporter } = options
  const started = Date.now()
  const report = await withProgress(reporter, 'Pushing', (progress) =>
    pushRecords(recordsOf(file, signal), {
      client: session.client,
      skipInvalid,
      signal,
      onBatch: ({ pushed }) => progress.update(progressLine(pushed, total, Date.now() - started)),
    }),
  )
  const { pushed, stopped, invalid, invalidCount } = report
  if (report.stored > 0 && !report.deferred) {
    if (session.connection.kind === 'in-process') await waitForIndexing(session, signal, reporter)
    else if (wait) await waitForServer(session, report.indexing, signal, reporter)
    if (signal.aborted && (wait || session.connection.kind === 'in-process')) {
      reporter.writeStderr(
        'Interrupted while indexing: the reviews are stored and will be indexed the next time a server or command opens the database.',
      )
    }
  }
  const before = `${records(pushed)} pushed before`
  if (stopped instanceof Cancelled) throw interruptedError(`interrupted; ${before}`, RUN_AGAIN)
  if (stopped !== undefined) {
    if (pushed > 0) reporter.writeStderr(`${before} this error:`)
    throw stopped
  }
  if (invalidCount === 0 || skipInvalid) return report
  throw invalidRecordsError(`${records(invalidCount)} invalid; ${before} the first of them`, invalid, invalidCount)
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
