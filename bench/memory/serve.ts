/**
 * Resident memory of `pullquote serve` beside a database with many reviews, while it is queried and pushed to, and that
 * of a bare h3 server with postgres.js. Linux only (reads /proc). Needs the built package: `npm run build`.
 *
 *   npx tsx bench/memory/serve.ts --database postgres://postgres@127.0.0.1/postgres --reviews 100000
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { QUERIES, takeReviews } from '../corpus.ts'
import { pushAll, pushBodies } from '../ingest/fill.ts'
import { flags, report } from '../measure.ts'
import { besideProject, openBenchService } from '../service.ts'

const options = flags({ database: '', reviews: '100000', queries: '3000' })
const root = join(import.meta.dirname, '..', '..')
const service = await openBenchService(options.database, { keys: 100 })
await pushAll(service, pushBodies(Number(options.reviews)), 4)
// The server under test indexes what is pushed from here on.
await service.worker.stop()

const home = await mkdtemp(join(tmpdir(), 'pullquote-bench-'))
const env = { ...process.env, DATABASE_URL: service.database.url, PULLQUOTE_HOME: home, PULLQUOTE_LOG_LEVEL: 'info' }
const server = spawn(process.execPath, [join(root, 'bin', 'run.js'), 'serve', '--port', '0'], {
  env,
  stdio: ['ignore', 'pipe', 'pipe'],
})
process.once('exit', () => server.kill())
const url = await addressOf(server)
const idle = await residentMegabytes(server)

const texts = takeReviews(Number(options.queries), 5).map(({ text }) => text.slice(0, 60).trim())
await send(QUERIES.flatMap((q) => [q, q]))
const warm = await residentMegabytes(server)
// Each answer is kept, whole reviews included, so that the caches fill.
await send(texts, 20)
const queried = await residentMegabytes(server)
// Into another project: the first may already be at its cap.
const beside = await besideProject(service, 'beside')
const bodies = pushBodies(5000, 77)
for (const [i, body] of bodies.entries()) {
  const headers = {
    authorization: `Bearer ${beside.keys[i % beside.keys.length]}`,
    'content-type': 'application/json',
  }
  const response = await fetch(`${url}/v1/reviews`, { method: 'POST', headers, body })
  if (response.status !== 200) throw new Error(await response.text())
}
for (let left = 1; left > 0; ) {
  const [row] = await service.sql<{ count: number }[]>`select count(*)::int as count from index_jobs`
  left = row?.count ?? 0
  await new Promise((resolve) => setTimeout(resolve, 500))
}
const pushed = await residentMegabytes(server)

const bare = spawn(
  process.execPath,
  ['--import', 'tsx', join(root, 'bench/search/bare-server.ts'), env.DATABASE_URL ?? ''],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
)
process.once('exit', () => bare.kill())
await once(createInterface({ input: bare.stdout }), 'line')
const bareMemory = await residentMegabytes(bare)

const megabytes = ({ now, peak }: { now: number; peak: number }) => `${now} MB (peak ${peak} MB)`
report(`memory of serve, ${options.reviews} reviews on PostgreSQL`, {
  'started, idle': megabytes(idle),
  'after 40 queries': megabytes(warm),
  [`after ${options.queries} different queries, pages of 20`]: megabytes(queried),
  'after 5,000 more reviews pushed and indexed': megabytes(pushed),
  'bare h3 with postgres.js (run by tsx), idle': megabytes(bareMemory),
})
server.kill()
bare.kill()
await once(server, 'exit')
await rm(home, { recursive: true, force: true })
await service.close()

/** The address that `serve` prints or logs. */
async function addressOf(child: ChildProcess): Promise<string> {
  const output: string[] = []
  const found = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output.push(chunk.toString())
        const address = /http:\/\/127\.0\.0\.1:\d+/.exec(output.join(''))?.[0]
        if (address) resolve(address)
      })
    }
    child.once('exit', () => reject(new Error(output.join(''))))
  })
  const address = await found
  for (let ready = false; !ready; await new Promise((resolve) => setTimeout(resolve, 100))) {
    ready = await fetch(`${address}/readyz`).then(
      (response) => response.ok,
      () => false,
    )
  }
  return address
}

async function send(queries: readonly string[], limit = 5): Promise<void> {
  const queue = [...queries.entries()]
  const lane = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [i, q] = next
      const parameters = new URLSearchParams({ q, limit: String(limit), mode: 'reviews' })
      const headers = { authorization: `Bearer ${service.keys[i % service.keys.length]}` }
      const response = await fetch(`${url}/v1/query?${parameters}`, { headers })
      if (response.status !== 200) throw new Error(await response.text())
      await response.arrayBuffer()
    }
  }
  await Promise.all([lane(), lane()])
}

async function residentMegabytes(child: ChildProcess): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  const of = (field: string) => Math.round(Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024)
  return { now: of('VmRSS'), peak: of('VmHWM') }
}
