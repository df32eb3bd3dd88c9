import type { Client } from '../../client/client.ts'
import { ApiError, Cancelled } from '../../client/errors.ts'
import type { ErrorDetail } from '../../contract/errors.ts'
import { BODY_BYTES, REVIEWS_PER_PUSH } from '../../contract/limits.ts'
import { type CheckedRecord, type InvalidRecord, invalidAt } from './check-records.ts'

export interface PushReport {
  /** Records that were sent and accepted. */
  pushed: number
  /** Reviews that these are: a repeat within a batch is stored once. */
  stored: number
  /** Those of them that are not indexed yet, as the server answered. */
  indexing: Set<string>
  /** The server stored some, and will index them when its allowance renews. */
  deferred: boolean
  invalid: InvalidRecord[]
  invalidCount: number
  /** Why the run ended before the input did. */
  stopped: undefined | { by: 'interrupt' } | { by: 'error'; error: unknown }
}

/** So many bad records are kept to be shown; the rest is counted. */
const INVALID_KEPT = 1_000

/**
 * Pushes checked records in batches of at most 100 and 1 MiB, one after another, so that the last of two records with
 * one key wins. A bad record ends the pushing, its own batch included, while the rest of the input is still checked;
 * with `skipInvalid` it is left out.
 */
export async function pushRecords(
  records: AsyncIterable<CheckedRecord>,
  options: {
    client: Pick<Client, 'push'>
    skipInvalid: boolean
    signal?: AbortSignal
    onBatch?: (report: Readonly<PushReport>) => void
  },
): Promise<PushReport> {
  const report: PushReport = {
    pushed: 0,
    stored: 0,
    indexing: new Set(),
    deferred: false,
    invalid: [],
    invalidCount: 0,
    stopped: undefined,
  }
  const reject = (record: InvalidRecord) => {
    report.invalidCount++
    if (report.invalid.length < INVALID_KEPT) report.invalid.push(record)
  }
  const mayPush = () => report.stopped === undefined && (options.skipInvalid || report.invalidCount === 0)

  try {
    for await (const batch of inBatches(records, reject)) {
      if (!mayPush()) continue
      if (options.signal?.aborted) {
        report.stopped = { by: 'interrupt' }
        break
      }
      await pushBatch(batch)
      options.onBatch?.(report)
      if (report.stopped) break
    }
  } catch (error) {
    // While the next record was waited for.
    if (!(error instanceof Cancelled)) throw error
    report.stopped = { by: 'interrupt' }
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
      if (error instanceof Cancelled) {
        report.stopped = { by: 'interrupt' }
        return
      }
      const refused =
        error instanceof ApiError && error.code === 'validation_failed' ? refusedRecords(error, batch) : []
      // Without a record to blame, or when bad ones are not to be skipped, the batch cannot go on.
      for (const record of refused) reject(record)
      const bad = new Set(refused.map(({ position }) => position))
      const rest = batch.filter(({ place }) => !bad.has(place.position))
      if (refused.length === 0) report.stopped = { by: 'error', error }
      else if (options.skipInvalid && rest.length > 0) await pushBatch(rest)
    }
  }
}

type Batch = Extract<CheckedRecord, { ok: true }>[]

/** Groups good records; a bad one goes to `reject` before its batch is handed out. */
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

/** The records that the server's findings (`3.rating`) are about. */
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
