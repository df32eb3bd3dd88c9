/**
 * Faults of the search in memory, for real: a server killed while it loads its index; PostgreSQL killed and back while an
 * index loads, and while it is behind. Every answer is compared with that of a server that keeps nothing in memory. Needs
 * the built package, and a PostgreSQL of its own: `COMMAND kill` and `COMMAND restart` kill it and bring it back.
 *
 *   npm run build && npx tsx bench/kills/search-memory.ts --database PG --control COMMAND
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual, promisify } from 'node:util'
import { patchReview } from '../../server/sql/reviews/reviews.ts'
import { QUERIES } from '../corpus.ts'
import { pushAll, pushBodies } from '../ingest/fill.ts'
import { flags } from '../measure.ts'
import { openBenchService } from '../service.ts'
import { type ServerUnderLoad, serverUnderLoad } from '../soak/servers.ts'

const options = flags({ database: '', control: '', reviews: '20000', rounds: '5' })
const rounds = Number(options.rounds)
const service = await openBenchService(options.database, { keys: 100 })
await pushAll(service, pushBodies(Number(options.reviews)), 4)
// The servers under test have workers of their own, and nothing to index.
await service.worker.stop()
const reviewIds = (await service.sql<{ id: string }[]>`select id from reviews order by id`).map(({ id }) => id)
const home = await mkdtemp(join(tmpdir(), 'pullquote-faults-'))

const port = 20_000 + Math.floor(Math.random() * 20_000)
const serverOn = (nth: number, searchMemory: string) =>
  serverUnderLoad(`server ${nth}`, port + nth, {
    DATABASE_URL: service.database.url ?? '',
    PULLQUOTE_HOME: join(home, String(nth)),
    PULLQUOTE_SEARCH_MEMORY: searchMemory,
    PULLQUOTE_LOG_LEVEL: 'silent',
  })
const tested = serverOn(0, '1000000000')
const plain = serverOn(1, '0')

let turn = 0
let compared = 0
let unavailable = 0

/** An answer that no cache gave, or its error's status. */
async function answer(server: ServerUnderLoad, q: string): Promise<unknown> {
  const key = service.keys[turn++ % service.keys.length]
  const headers = { authorization: `Bearer ${key}`, 'cache-control': 'no-cache', 'content-type': 'application/json' }
  const body = JSON.stringify({ q, limit: 20 })
  const response = await fetch(`${server.url}/v1/query`, { method: 'POST', headers, body })
  if (response.status !== 200) return response.status
  const { took_ms: _, ...found } = (await response.json()) as Record<string, unknown>
  return found
}

async function compareAll(when: string): Promise<void> {
  for (const q of QUERIES) {
    const [one, other] = [await answer(tested, q), await answer(plain, q)]
    if (typeof one === 'number' || !isDeepStrictEqual(one, other)) throw new Error(`${when}: another answer to "${q}"`)
    compared++
  }
}

const restartDatabase = async (meanwhile: () => Promise<unknown>) => {
  await promisify(execFile)(options.control, ['kill'])
  await meanwhile()
  // A process that was killed just now still looks alive.
  await pause(2_000)
  await promisify(execFile)(options.control, ['restart'])
  for (const server of [tested, plain]) {
    while (typeof (await answer(server, 'anything').catch(() => 0)) === 'number') await pause(100)
  }
}

async function hasLoaded(): Promise<boolean> {
  const response = await fetch(`${tested.url}/readyz`)
  const { search_memory } = (await response.json()) as { search_memory?: { loaded: number } }
  return (search_memory?.loaded ?? 0) > 0
}

async function untilLoaded(): Promise<void> {
  for (const end = Date.now() + 180_000; !(await hasLoaded()); await pause(100)) {
    await answer(tested, 'anything')
    if (Date.now() > end) throw new Error('the index was not loaded within three minutes')
  }
}

process.once('exit', () => {
  for (const server of [tested, plain]) void server.kill().catch(() => {})
})
await plain.start()
for (let round = 0; round < rounds; round++) {
  await tested.start()
  await answer(tested, 'anything')
  await pause(Math.random() * 500)
  await answer(tested, QUERIES[round] ?? '')
  await tested.kill()
}
await tested.start()
await compareAll('after kills while it loads')
await untilLoaded()
await compareAll('loaded')

for (let round = 0; round < rounds; round++) {
  const hidden = round % 2 === 0
  for (const id of reviewIds.filter((_, i) => i % 97 === 0)) {
    await patchReview(service.sql, { projectId: service.project.id, env: 'live' }, id, { hidden })
  }
  await restartDatabase(async () => {
    // The index is behind and cannot follow: there must be no answer rather than an old one.
    const found = await answer(tested, QUERIES[round] ?? '')
    if (found !== 503) throw new Error(`without a database: ${JSON.stringify(found)}`)
    unavailable++
  })
  await compareAll('the database came back while the index was behind')
}
for (let round = 0; round < rounds; round++) {
  await tested.end()
  await tested.start()
  await answer(tested, 'anything')
  await pause(Math.random() * 1_000)
  await restartDatabase(async () => {})
  await compareAll('the database came back while the index was loading')
  await untilLoaded()
  await compareAll('loaded after the database came back')
}
console.log(`${compared} answers compared, none different; ${unavailable} without a database, all of them 503`)
await tested.end()
await plain.end()
await rm(home, { recursive: true, force: true })
await service.close()
