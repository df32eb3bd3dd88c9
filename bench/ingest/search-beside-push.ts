/**
 * How long uncached searches take while reviews are pushed and indexed, beside the same searches before, in one process.
 *
 *   npx tsx bench/ingest/search-beside-push.ts --database embedded --stored 10000 --pushed 3000
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { flags, quantile, report } from '../measure.ts'
import { openBenchService } from '../service.ts'
import { pushAll, pushBodies } from './fill.ts'

const QUERIES = [
  'quiet room',
  'friendly staff',
  'easy parking',
  'lovely view',
  'good breakfast',
  'slow check-in',
  'near the lake',
]
const ALONE_MS = 6_000
const PAUSE_MS = 100

const options = flags({ database: 'embedded', stored: '10000', pushed: '3000' })
const service = await openBenchService(options.database, { searchMemory: true })
await pushAll(service, pushBodies(Number(options.stored), 1))

let asked = 0
/** Milliseconds of each search, one after the other, until the promise resolves. */
async function searchUntil(done: Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  let isDone = false
  void done.finally(() => {
    isDone = true
  })
  while (!isDone) {
    const query = `${QUERIES[asked % QUERIES.length]} ${asked++}`
    const began = performance.now()
    const response = await service.request(`/v1/query?q=${encodeURIComponent(query)}&limit=3`)
    await response.text()
    if (response.status !== 200) throw new Error(`${query}: ${response.status}`)
    times.push(performance.now() - began)
    await sleep(PAUSE_MS)
  }
  return times
}

// The first ones load the project into memory.
await searchUntil(sleep(ALONE_MS))
const alone = await searchUntil(sleep(ALONE_MS))
const began = performance.now()
const beside = await searchUntil(pushAll(service, pushBodies(Number(options.pushed), 2)))
const seconds = (performance.now() - began) / 1000

const milliseconds = (times: readonly number[], share: number) => quantile(times, share).toFixed(0)
report(`searches beside pushes, ${options.stored} reviews stored, ${options.pushed} pushed`, {
  'searches alone, beside': `${alone.length}, ${beside.length}`,
  'alone: p50, p95, max, ms': [0.5, 0.95, 1].map((share) => milliseconds(alone, share)).join(', '),
  'beside: p50, p95, max, ms': [0.5, 0.95, 1].map((share) => milliseconds(beside, share)).join(', '),
  'p50 beside by alone': (quantile(beside, 0.5) / quantile(alone, 0.5)).toFixed(2),
  'pushed to indexed, reviews/s': Math.round(Number(options.pushed) / seconds),
})
await service.close()
