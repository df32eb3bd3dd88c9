/**
 * How long searches take while other projects' files are imported, beside the same searches before, of one server. Each
 * import is a file of `rows`, or as many as one takes, sent to a project of its own; `push` sends them by `/v1` instead. Searches come every 100 ms,
 * never the same twice, to a project that nobody writes to. Needs the built package: `npm run build`.
 *
 *   npx tsx bench/import/search-beside-imports.ts --rows 40000 --imports 2
 *   npx tsx bench/import/search-beside-imports.ts --database postgres://postgres@127.0.0.1/postgres
 */
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import * as v from 'valibot'
import { IMPORT_FILE_BYTES } from '../../src/contract/limits.ts'
import type { ReviewInput } from '../../src/contract/review.ts'
import { flags, quantile, report } from '../measure.ts'
import { commandsIn } from './commands.ts'
import { sheet } from './sheet.ts'

const TARGET_MS = 200
const PAUSE_MS = 100
const ALONE_MS = 10_000
const PUSHED = 100
const QUERIES = ['quiet room', 'friendly staff', 'easy parking', 'lovely view', 'good breakfast', 'slow check-in']

const options = flags({
  database: 'embedded',
  stored: '5000',
  rows: '40000',
  imports: '2',
  by: 'file',
  port: '18798',
})
const url = `http://127.0.0.1:${options.port}`
const home = mkdtempSync(join(tmpdir(), 'pullquote-bench-'))
const administrator =
  options.database === 'embedded' ? undefined : postgres(options.database, { max: 1, onnotice() {} })
const database = `pullquote_bench_${process.pid}`
await administrator?.unsafe(`create database ${database}`)
const DATABASE_URL = administrator && Object.assign(new URL(options.database), { pathname: `/${database}` }).href
const { start, outputOf } = commandsIn({ ...process.env, PULLQUOTE_HOME: home, ...(DATABASE_URL && { DATABASE_URL }) })

async function projectKey(name: string): Promise<string> {
  await outputOf(['projects', 'create', name, '--plan', 'paid'])
  const made = await outputOf(['keys', 'create', '--kind', 'secret', '--env', 'test', '--project', name])
  return v.parse(v.object({ key: v.string() }), JSON.parse(made)).key
}

const server = start(['serve', '--port', options.port])
process.once('exit', () => server.kill())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
server.stdout?.resume()
const isReady = () =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
while (!(await isReady())) await sleep(200)
const searched = await projectKey('searched')
const writers: string[] = []
for (let i = 0; i < Number(options.imports); i++) writers.push(await projectKey(`written-${i}`))

const headers = (key: string, type: string) => ({ authorization: `Bearer ${key}`, 'content-type': type })

async function sent(path: string, key: string, type: string, body: string | Buffer): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}${path}`, { method: 'POST', headers: headers(key, type), body })
    const text = await response.text()
    if (response.ok) return
    if (response.status !== 429) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`)
    await sleep(Number(response.headers.get('retry-after') ?? 1) * 1000)
  }
}

async function push(key: string, rows: readonly ReviewInput[]): Promise<void> {
  for (let at = 0; at < rows.length; at += PUSHED)
    await sent('/v1/reviews', key, 'application/json', JSON.stringify(rows.slice(at, at + PUSHED)))
}

/** Resolves when nothing waits to be indexed. */
async function untilIndexed(): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/readyz`)
    const { queue } = v.parse(v.object({ queue: v.object({ queued: v.number() }) }), await response.json())
    if (queue.queued === 0) return
    await sleep(1_000)
  }
}

let asked = 0
/** Milliseconds of each search until the promise resolves, and of a request to nothing at the same moments. */
async function searchUntil(done: Promise<unknown>): Promise<{ searches: number[]; healthz: number[] }> {
  const searches: number[] = []
  const healthz: number[] = []
  let isDone = false
  const ended = done.finally(() => {
    isDone = true
  })
  const timed = async (times: number[], path: string, key?: string) => {
    const began = performance.now()
    const response = await fetch(
      `${url}${path}`,
      key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } },
    )
    await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    times.push(performance.now() - began)
  }
  const loop = async (work: () => Promise<void>) => {
    while (!isDone) {
      await work()
      await sleep(PAUSE_MS)
    }
  }
  await Promise.all([
    ended,
    loop(() =>
      timed(
        searches,
        `/v1/query?q=${encodeURIComponent(`${QUERIES[asked % QUERIES.length]} ${asked++}`)}&limit=3`,
        searched,
      ),
    ),
    loop(() => timed(healthz, '/healthz')),
  ])
  return { searches, healthz }
}

const stored = sheet(Number.POSITIVE_INFINITY, { most: Number(options.stored), seed: 1 })
const largest = options.by === 'push' ? Number.POSITIVE_INFINITY : IMPORT_FILE_BYTES
const written = sheet(largest, { most: Number(options.rows), seed: 2 })
await push(searched, stored.rows)
await untilIndexed()
// The first ones load the project into memory.
await searchUntil(sleep(ALONE_MS / 2))
const alone = await searchUntil(sleep(ALONE_MS))
const write = (key: string) =>
  options.by === 'push'
    ? push(key, written.rows)
    : sent('/imports?file_name=reviews.csv', key, 'application/octet-stream', written.csv)
const began = performance.now()
let storedAfter = 0
const beside = await searchUntil(
  Promise.all(writers.map(write)).then(() => {
    storedAfter = performance.now() - began
    return untilIndexed()
  }),
)
const seconds = (performance.now() - began) / 1000

const shares = (times: readonly number[]) =>
  [
    ...[0.5, 0.95, 0.99, 1].map((share) => quantile(times, share).toFixed(0)),
    `${times.filter((ms) => ms > TARGET_MS).length} of ${times.length}`,
  ].join(', ')
report(
  `searches beside ${options.imports} × ${written.rows.length} rows by ${options.by}, ${options.stored} stored, ${options.database}`,
  {
    'alone: p50, p95, p99, max, over 200 ms': shares(alone.searches),
    'beside: p50, p95, p99, max, over 200 ms': shares(beside.searches),
    'p50 beside by alone': (quantile(beside.searches, 0.5) / quantile(alone.searches, 0.5)).toFixed(2),
    '/healthz alone': shares(alone.healthz),
    '/healthz beside': shares(beside.healthz),
    'stored after, s': (storedAfter / 1000).toFixed(1),
    'indexed, reviews/s': Math.round((writers.length * written.rows.length) / seconds),
    'server, peak MB': peak(),
  },
)
server.kill()
await once(server, 'exit')
await administrator?.unsafe(`drop database ${database} with (force)`)
await administrator?.end()
rmSync(home, { recursive: true, force: true })

function peak(): number {
  const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]
  return Math.round((Number(kilobytes ?? 0) * 1024) / 1e6)
}
