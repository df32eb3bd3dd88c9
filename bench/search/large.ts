/**
 * `pullquote serve` over HTTP beside a large project, as an operator runs it: from the start until memory answers, an uncached
 * query, sixteen connections, cached answers while uncached ones are computed, a write and the next query, and the memory of
 * the process. Linux. Needs the built package: `npm run build`.
 *
 *   npx tsx bench/search/large.ts --database postgres://postgres@127.0.0.1/postgres --reviews 100000
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { vectorText } from '../../server/sql/excerpts/vector-text.ts'
import { patchReview } from '../../server/sql/reviews/reviews.ts'
import { QUERIES } from '../corpus.ts'
import { pushAll, pushBodies } from '../ingest/fill.ts'
import { flags, median, quantile, report, timed } from '../measure.ts'
import { openBenchService } from '../service.ts'
import { serverUnderLoad } from '../soak/servers.ts'
import { answerTimes, getRequest } from './http-load.ts'

const options = flags({ database: '', reviews: '100000', rounds: '4', seconds: '10' })
const rounds = Number(options.rounds)
const seconds = Number(options.seconds)
const service = await openBenchService(options.database, { keys: 60 })
const { sql, keys } = service
const [held] = await sql<{ count: number }[]>`select review_count as count from environments order by 1 desc limit 1`
if (!held?.count) await pushAll(service, pushBodies(Number(options.reviews)), 4)
await service.worker.stop()
await sql`vacuum analyze`

const home = await mkdtemp(join(tmpdir(), 'pullquote-large-'))
const server = serverUnderLoad('server', 20_000 + Math.floor(Math.random() * 20_000), {
  DATABASE_URL: service.database.url ?? '',
  PULLQUOTE_HOME: home,
  PULLQUOTE_SEARCH_MEMORY: '2000000000',
})
process.once('exit', () => void server.kill().catch(() => {}))

let turn = 0
const key = () => ({ authorization: `Bearer ${keys[turn++ % keys.length]}` })
/** A key may send 1,000 requests a minute. */
const openWindows = () => sql`update rate_windows set requests = 0`
async function ask(q: string): Promise<void> {
  const headers = { ...key(), 'cache-control': 'no-cache' }
  const response = await fetch(`${server.url}/v1/query?q=${encodeURIComponent(q)}`, { headers })
  if (response.status !== 200) throw new Error(await response.text())
  await response.arrayBuffer()
}
const requests = (more: Record<string, string> = {}) =>
  Array.from({ length: keys.length * QUERIES.length }, (_, i) =>
    getRequest(`/v1/query?q=${encodeURIComponent(QUERIES[i % QUERIES.length] ?? '')}`, { ...key(), ...more }),
  )
const uncached = requests({ 'cache-control': 'no-cache' })
const cached = requests()

interface Held {
  bytes: number
  excerpts: number
  loaded: number
}
async function searchMemory(): Promise<Held> {
  const { search_memory } = (await (await fetch(`${server.url}/readyz`)).json()) as { search_memory: Held }
  return search_memory
}
/** Resident memory and its peak in MB, and the seconds of processor time so far. */
async function usage(): Promise<{ now: number; peak: number; processor: number }> {
  const { pid } = server
  const [status, stat] = await Promise.all(['status', 'stat'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8')))
  const of = (field: string) => Math.round(Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status ?? '')?.[1]) / 1024)
  const times = (stat ?? '').split(') ')[1]?.split(' ') ?? []
  return { now: of('VmRSS'), peak: of('VmHWM'), processor: (Number(times[11]) + Number(times[12])) / 100 }
}

const ms = (value: number) => `${value.toFixed(1)} ms`
const spread = (waits: readonly number[]) => `p50 ${ms(median(waits))}, p99 ${ms(quantile(waits, 0.99))}`
const load = () => `load ${(loadavg()[0] ?? 0).toFixed(0)} of ${availableParallelism()} processors`

await server.start()
const idle = await usage()
const began = performance.now()
const meanwhile: number[] = []
for (let at = 0; at === 0 || (await searchMemory()).loaded === 0; at++) {
  meanwhile.push(await timed(() => ask(QUERIES[at % QUERIES.length] ?? '')))
  await sleep(100)
}
const loadedIn = (performance.now() - began) / 1000
const loaded = await usage()
const memory = await searchMemory()
report(`from a start until memory answers, ${load()}`, {
  'all excerpts in memory after': `${loadedIn.toFixed(1)} s`,
  'processor time of the server meanwhile': `${(loaded.processor - idle.processor).toFixed(1)} s`,
  'queries answered meanwhile': `${meanwhile.length}, the slowest ${ms(Math.max(...meanwhile))}`,
  excerpts: memory.excerpts,
  'bytes an excerpt': Math.round(memory.bytes / memory.excerpts),
})

const times = { bare: [] as number[], query: [] as number[] }
for (let round = -1; round < rounds * 2; round++) {
  for (const q of QUERIES) {
    const [vector] = await service.embedder.embed([q], 'query')
    const text = vectorText(vector ?? new Float32Array())
    const bare = await timed(
      () => sql`
      select review_id, ordinal from excerpts order by embedding <=> ${text}::text::vector limit 50`,
    )
    const query = await timed(() => ask(q))
    if (round < 0) continue
    times.bare.push(bare)
    times.query.push(query)
  }
}
report(`an uncached query, one at a time, ${load()}`, {
  'the bare statement': `${spread(times.bare)}, least ${ms(Math.min(...times.bare))}`,
  'uncached query': `${spread(times.query)}, least ${ms(Math.min(...times.query))}`,
  'ratio at p50': (median(times.query) / median(times.bare)).toFixed(3),
  'ratio of the least': (Math.min(...times.query) / Math.min(...times.bare)).toFixed(3),
})

await openWindows()
const before = await usage()
const many = await answerTimes(server.url, uncached, { connections: 16, seconds })
const after = await usage()
report(`uncached, 16 connections, ${load()}`, {
  'queries a second': (many.length / seconds).toFixed(1),
  'an answer': spread(many),
  'processor time of the server a query': ms(((after.processor - before.processor) / many.length) * 1000),
})

const alone: number[] = []
const beside: number[] = []
await answerTimes(server.url, cached, { connections: 2, seconds: 1 })
for (let round = 0; round < rounds; round++) {
  await openWindows()
  alone.push(...(await answerTimes(server.url, cached, { connections: 2, seconds: seconds / 2 })))
  const both = { seconds: seconds / 2 }
  const [waits] = await Promise.all([
    answerTimes(server.url, cached, { connections: 2, ...both }),
    answerTimes(server.url, uncached, { connections: 2, ...both }),
  ])
  beside.push(...waits)
}
report(`cached answers, 2 connections, ${load()}`, {
  alone: spread(alone),
  'beside 2 connections of uncached ones': spread(beside),
  'ratio at p99': (quantile(beside, 0.99) / quantile(alone, 0.99)).toFixed(2),
})

const plain: number[] = []
const written: number[] = []
const scope = { projectId: service.project.id, env: 'live' } as const
const some = await sql<{ id: string }[]>`select id from reviews where project_id = ${scope.projectId} limit 80`
for (const [i, { id }] of some.entries()) {
  const q = QUERIES[i % QUERIES.length] ?? ''
  plain.push(await timed(() => ask(q)))
  await patchReview(sql, scope, id, { hidden: true })
  written.push(await timed(() => ask(q)))
  await patchReview(sql, scope, id, { hidden: false })
  await ask(q)
}
const more = written.map((time, i) => time - (plain[i] ?? 0))
report(`a write, then the next query, ${load()}`, {
  'without a write': spread(plain),
  'after one': spread(written),
  'more, median of the differences': ms(median(more)),
  'more, by the least of each': ms(Math.min(...written) - Math.min(...plain)),
})

const end = await usage()
report('memory of serve', {
  'started, idle': `${idle.now} MB`,
  'everything in memory': `${loaded.now} MB`,
  'at the end': `${end.now} MB (peak ${end.peak} MB)`,
})
await server.end()
await rm(home, { recursive: true, force: true })
await service.close()
process.exit(0)
