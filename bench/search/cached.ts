/**
 * Cached queries a second over HTTP, beside a bare h3 route that does one `select` through postgres.js. Each server is a
 * process of its own on the same PostgreSQL; they take turns. A third is ours with metrics that count nothing.
 *
 *   npx tsx bench/search/cached.ts --database postgres://postgres@127.0.0.1/postgres
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { QUERIES } from '../corpus.ts'
import { pushAll, pushBodies } from '../ingest/fill.ts'
import { flags, median, report } from '../measure.ts'
import { openBenchService } from '../service.ts'
import { getRequest, requestsPerSecond } from './http-load.ts'

const options = flags({ database: '', reviews: '5000', rounds: '7', seconds: '3', connections: '16' })
// A key may send 1,000 requests a minute.
const service = await openBenchService(options.database, { keys: 400 })
await pushAll(service, pushBodies(Number(options.reviews)))

async function startServer(script: string, ...args: string[]): Promise<{ url: string; process: ChildProcess }> {
  const path = join(import.meta.dirname, script)
  const child = spawn(process.execPath, ['--import', 'tsx', path, service.database.url ?? '', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.once('exit', () => child.kill())
  const [url] = await once(createInterface({ input: child.stdout }), 'line')
  return { url, process: child }
}

const bare = await startServer('bare-server.ts')
const cached = await startServer('cached-server.ts')
const uncounted = await startServer('cached-server.ts', '--no-metrics')
const paths = QUERIES.map((q) => `/v1/query?q=${encodeURIComponent(q)}`)
const queries = service.keys.flatMap((key) => {
  const headers = { authorization: `Bearer ${key}` }
  return paths.map((path) => getRequest(path, headers))
})
// Keys in turn rather than one after the other, so that the windows fill evenly.
const spread = queries.map(
  (_, i) => queries[(i * paths.length + Math.floor(i / service.keys.length)) % queries.length] ?? '',
)
const load = { seconds: Number(options.seconds), connections: Number(options.connections) }

const rates = { bare: [] as number[], cached: [] as number[], uncounted: [] as number[] }
const cachedRateOf = async (url: string) => {
  await service.sql`update rate_windows set requests = 0`
  return requestsPerSecond(url, spread, load)
}
for (let round = -1; round < Number(options.rounds); round++) {
  const bareRate = await requestsPerSecond(bare.url, [getRequest('/')], load)
  // In turn the first of the two, since the machine is never the same for long.
  const first = round % 2 === 0 ? cached : uncounted
  const firstRate = await cachedRateOf(first.url)
  const secondRate = await cachedRateOf((first === cached ? uncounted : cached).url)
  const [cachedRate, uncountedRate] = first === cached ? [firstRate, secondRate] : [secondRate, firstRate]
  // The first round warms up and fills the cache.
  if (round < 0) continue
  rates.bare.push(bareRate)
  rates.cached.push(cachedRate)
  rates.uncounted.push(uncountedRate)
}
report('cached query over HTTP, PostgreSQL', {
  'cached query, requests/s': Math.round(median(rates.cached)),
  'bare h3 route with one select, requests/s': Math.round(median(rates.bare)),
  'median of the ratios': median(rates.cached.map((rate, i) => rate / (rates.bare[i] ?? 1))).toFixed(2),
  'with metrics : without, median of the ratios': median(
    rates.cached.map((rate, i) => rate / (rates.uncounted[i] ?? 1)),
  ).toFixed(3),
  'the same, by round': rates.cached.map((rate, i) => (rate / (rates.uncounted[i] ?? 1)).toFixed(2)).join(' '),
})
for (const server of [bare, cached, uncounted]) server.process.kill()
await service.close()
