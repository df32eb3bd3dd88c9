/**
 * Two hundred projects that are asked in turn while memory has room for ten: every search finds its index put away, begins to
 * load it, and is answered by the database meanwhile. Beside the same searches without memory, with room for all, and asked
 * as visitors come (a few projects by most). All must answer the same, and memory may exceed its budget by the
 * two pages of an index that is being loaded, no more.
 *
 *   npx tsx bench/search/projects-in-turn.ts --database postgres://postgres@127.0.0.1/postgres
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { listProjects } from '../../server/sql/projects/projects.ts'
import { QUERIES } from '../corpus.ts'
import { copyProject } from '../ingest/copy-project.ts'
import { pushAll, pushBodies } from '../ingest/fill.ts'
import { flags, median, quantile, report } from '../measure.ts'
import { type BenchService, makeKeys, openBenchService, requester } from '../service.ts'

const options = flags({
  database: 'embedded',
  projects: '200',
  reviews: '500',
  room: '10',
  rounds: '3',
  clients: '4',
  unmeasured: '6',
})
const count = Number(options.projects)
const rounds = Number(options.rounds)
const first = await openBenchService(options.database, { searchMemory: true })
await pushAll(first, pushBodies(Number(options.reviews)), 4)
await first.worker.stop()
await copyProject(first, { copies: count, full: count, few: 0 })
const { sql, database } = first
await sql`vacuum analyze`
const projects = (await listProjects(sql)).filter(({ name }) => name.startsWith('copy '))
const keys: string[][] = []
for (const project of projects) keys.push(await makeKeys(sql, project, 2))

async function ask(service: BenchService, place: number, q: string): Promise<string> {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-cache' }
  const request = requester(service.fetch, keys[place] ?? [])
  const response = await request('/v1/query', { method: 'POST', headers, body: JSON.stringify({ q }) })
  if (response.status !== 200) throw new Error(await response.text())
  const { results } = (await response.json()) as { results: { excerpt_id: string; score: number }[] }
  return JSON.stringify(results.map(({ excerpt_id, score }) => [excerpt_id, score]))
}

/** What one project takes. */
await ask(first, 0, 'anything')
while (first.memory && first.memory.state().loaded < 1) await sleep(20)
const bytes = first.memory?.state().bytes ?? 0
await first.memory?.stop()

const inTurn = (i: number) => i % count
/** Of the first project as many as of the second and third together, and so on. */
const asVisitors = (i: number) => Math.floor(count ** (((i * 7_919) % 1_000) / 1_000)) - 1
const expected = new Map<string, string>()

async function measure(name: string, budget: number, placeOf: (i: number) => number): Promise<void> {
  const service = await openBenchService(database, { searchMemory: budget, keys: 1 })
  await service.worker.stop()
  // At first every index is new, and the loads of those that came together wait for each other.
  const unmeasured = count * Number(options.unmeasured)
  let next = -unmeasured
  const total = count * rounds
  const waits: number[] = []
  let different = 0
  let most = 0
  let began = performance.now()
  let processor = process.cpuUsage()
  let before = 0
  const fromMemory = () => (service.memory?.state().inline ?? 0) + (service.memory?.state().threaded ?? 0)
  const client = async () => {
    for (let i = next++; i < total; i = next++) {
      if (i === 0) {
        began = performance.now()
        processor = process.cpuUsage()
        before = fromMemory()
      }
      const place = placeOf(i + unmeasured)
      const q = QUERIES[(i + unmeasured) % QUERIES.length] ?? ''
      const start = performance.now()
      const answer = await ask(service, place, q)
      if (i >= 0) waits.push(performance.now() - start)
      const key = `${place} ${q}`
      if (!expected.has(key)) expected.set(key, answer)
      if (expected.get(key) !== answer) different++
      const state = service.memory?.state()
      most = Math.max(most, state?.bytes ?? 0)
    }
  }
  await Promise.all(Array.from({ length: Number(options.clients) }, client))
  const seconds = (performance.now() - began) / 1000
  const used = process.cpuUsage(processor)
  const state = service.memory?.state()
  report(name, {
    'an answer': `p50 ${median(waits).toFixed(1)} ms, p99 ${quantile(waits, 0.99).toFixed(1)} ms`,
    'answers a second': (total / seconds).toFixed(0),
    'processor time of this process an answer': `${((used.user + used.system) / 1000 / total).toFixed(1)} ms`,
    'answered from memory': `${(((fromMemory() - before) / total) * 100).toFixed(0)} %`,
    'different answers': different,
    'most memory, of the budget': budget ? `${((most / budget) * 100).toFixed(0)} %` : '',
    'refused, threads lost': state ? `${state.refused}, ${state.threads_lost}` : '',
  })
  await service.memory?.stop()
}

console.log(`${count} projects of ${options.reviews} reviews, ${(bytes / 1e6).toFixed(2)} MB each in memory`)
const room = bytes * Number(options.room) + bytes / 2
await measure('without memory, in turn', 0, inTurn)
await measure(`room for ${options.room}, in turn`, room, inTurn)
await measure('room for all, in turn', bytes * (count + 10), inTurn)
await measure('without memory, as visitors come', 0, asVisitors)
await measure(`room for ${options.room}, as visitors come`, room, asVisitors)
await first.database.close()
process.exit(0)
