/**
 * Hours of mixed load on servers that are killed and restarted under way: pushes, changes, hides, deletes, reads and
 * queries, against a model of what was acknowledged. Ends with every row compared, the tables' invariants checked, and
 * the memory and open handles of a server that ran throughout. Needs the built package; Linux (reads /proc).
 *
 *   npx tsx bench/soak/run.ts --minutes 120                                  one server, embedded database
 *   npx tsx bench/soak/run.ts --minutes 120 --database postgres://…          two servers, one of which is killed
 *   npx tsx bench/soak/run.ts --existing postgres://…                       the same on an empty database that stays, such as a
 *                                                                            distributed one
 *   … --control COMMAND   `COMMAND kill` and `COMMAND restart` kill PostgreSQL, or one server of a cluster, and bring it back:
 *                         each eighth disturbance, or `--database-kills 2` each second one
 *   … --projects 4        each of the four streams has a project of its own
 *
 * The embedded server is killed in the first half only, so that the second half shows whether it grows.
 */
import { execFile } from 'node:child_process'
import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import * as v from 'valibot'
import { connect } from '../../server/db/connect.ts'
import { openEmbedded } from '../../server/db/embedded/open-embedded.ts'
import { reviews, seeded } from '../corpus.ts'
import { flags, median, report } from '../measure.ts'
import { openBenchDatabase, silent } from '../service.ts'
import { brokenInvariants } from './integrity.ts'
import { createLoad, type LoadCounts } from './load.ts'
import { differences, type Slot, type StoredRow } from './model.ts'
import { type ServerUnderLoad, serverUnderLoad } from './servers.ts'

const options = flags({
  minutes: '120',
  database: 'embedded',
  existing: '',
  control: '',
  rate: '8',
  projects: '1',
  slots: '4000',
  'fault-minutes': '4',
  'database-kills': '8',
  port: '18787',
  seed: '1',
  samples: '',
})
const STREAMS = 4
const SAMPLE_MS = 10_000
const OPERATOR_TOKEN = 'the-operator-of-this-load-test'
const minutes = Number(options.minutes)
const embedded = options.existing === '' && options.database === 'embedded'
const home = mkdtempSync(join(tmpdir(), 'pullquote-soak-'))
const database = embedded || options.existing ? undefined : await openBenchDatabase(options.database)
const url = options.existing || database?.url

const servers = (embedded ? ['only'] : ['steady', 'killed']).map((name, i) =>
  serverUnderLoad(name, Number(options.port) + i, {
    PULLQUOTE_HOME: join(home, name),
    PULLQUOTE_OPERATOR_TOKEN: OPERATOR_TOKEN,
    ...(url ? { DATABASE_URL: url } : {}),
  }),
)
const steady = servers[0] as ServerUnderLoad
const killed = servers.at(-1) as ServerUnderLoad
await Promise.all(servers.map((server) => server.start()))

async function operator(path: string, body: object): Promise<unknown> {
  const response = await fetch(steady.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}
const projects = Math.min(STREAMS, Number(options.projects))
for (let n = 0; n < projects; n++) await operator('/operator/projects', { name: `soak ${n}`, plan: 'paid' })
const keys: string[] = []
for (let i = 0; i < STREAMS; i++) {
  const made = await operator('/operator/keys', { project: `soak ${i % projects}`, kind: 'secret', env: 'live' })
  keys.push(v.parse(v.object({ key: v.string() }), made).key)
}

const random = seeded(Number(options.seed))
const slots: Slot[] = Array.from({ length: Number(options.slots) }, (_, i) => ({
  key: `${['google', 'yelp', 'custom'][i % 3]}/soak-${i}`,
  row: undefined,
  busy: false,
  changedAt: 0,
}))
const byId = new Map<string, Slot>()
const counts: LoadCounts = {
  operations: 0,
  pushes: 0,
  patches: 0,
  deletes: 0,
  queries: 0,
  reads: 0,
  repeats: 0,
  unavailable: 0,
  results: 0,
}
const faults: string[] = []
const fault = (what: string) => {
  faults.push(what)
  if (faults.length <= 50) console.log(`${clock()}  FAULT ${what.slice(0, 500)}`)
}
const began = Date.now()
const clock = () => `${((Date.now() - began) / 60_000).toFixed(1)} min`
const end = began + minutes * 60_000
const going = () => Date.now() < end

const streams = Array.from({ length: STREAMS }, async (_, n) => {
  const step = createLoad({
    slots: slots.filter((_, i) => i % STREAMS === n),
    byId,
    reviews: reviews(Number(options.seed) + n),
    random,
    urls: () => (servers[Math.floor(random() * servers.length)] as ServerUnderLoad).url,
    key: () => keys[n] ?? '',
    counts,
    fault,
  })
  while (going()) {
    const started = Date.now()
    await step()
    await pause(Math.max(0, (1000 * STREAMS) / Number(options.rate) - (Date.now() - started)))
  }
})

interface Sample {
  server: string
  minute: number
  megabytes: number
  handles: number
  upSeconds: number
}
const samples: Sample[] = []
const sampling = (async () => {
  if (options.samples) writeFileSync(options.samples, 'server,minute,megabytes,handles,up_seconds,operations\n')
  for (; going(); await pause(SAMPLE_MS)) {
    for (const server of servers) {
      const now = await server.resources()
      if (!now) continue
      const sample = { server: server.name, minute: (Date.now() - began) / 60_000, ...now }
      samples.push(sample)
      const line = [sample.minute.toFixed(2), now.megabytes.toFixed(1), now.handles, now.upSeconds.toFixed(0)]
      if (options.samples) {
        appendFileSync(options.samples, `${[server.name, ...line, counts.operations].join(',')}\n`)
      }
    }
  }
})()

const done = { kills: 0, restarts: 0, slowestEnd: 0, databaseKills: 0 }
async function disturb(turn: number): Promise<void> {
  if (options.control && turn % Number(options['database-kills']) === Number(options['database-kills']) >> 1) {
    await promisify(execFile)(options.control, ['kill'])
    await pause(3_000)
    await promisify(execFile)(options.control, ['restart'])
    done.databaseKills++
  } else if (turn % 3 === 2) {
    const { seconds, code } = await killed.end()
    if (code !== 0) fault(`SIGTERM ended ${killed.name} with ${code}`)
    if (seconds > 11) fault(`SIGTERM took ${seconds.toFixed(1)} s`)
    done.slowestEnd = Math.max(done.slowestEnd, seconds)
    done.restarts++
    await killed.start()
  } else {
    await killed.kill()
    done.kills++
    await pause(random() * 3_000)
    await killed.start()
  }
}
const disturbing = (async () => {
  const lastFault = embedded ? began + minutes * 30_000 : end - 30_000
  for (let turn = 0; ; turn++) {
    await pause(Number(options['fault-minutes']) * 60_000 * (0.5 + random()))
    if (Date.now() > lastFault) return
    await disturb(turn).catch((error: unknown) => fault(String(error)))
    console.log(`${clock()}  ${JSON.stringify({ ...done, ...counts, rows: slots.filter(({ row }) => row).length })}`)
  }
})()
await Promise.all([...streams, sampling, disturbing])

const page = v.object({ reviews: v.array(v.looseObject({})), next_cursor: v.nullable(v.string()) })
const storedRow = v.object({
  id: v.string(),
  external_id: v.string(),
  source: v.string(),
  text: v.string(),
  rating: v.nullable(v.number()),
  author_name: v.nullable(v.string()),
  hidden: v.boolean(),
  metadata: v.record(v.string(), v.string()),
  status: v.string(),
})
async function list(parameters: string): Promise<StoredRow[]> {
  const rows: StoredRow[] = []
  for (const key of keys.slice(0, projects)) rows.push(...(await listOf(key, parameters)))
  return rows
}
async function listOf(key: string, parameters: string): Promise<StoredRow[]> {
  const rows: StoredRow[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path = `/v1/reviews?limit=100${parameters}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`
    const response = await fetch(steady.url + path, { headers: { authorization: `Bearer ${key}` } })
    const answer = v.parse(page, await response.json())
    rows.push(...answer.reviews.map((row) => v.parse(storedRow, row)))
    cursor = answer.next_cursor
  }
  return rows
}

// A killed server's leases run out by themselves.
const drained = Date.now() + 300_000
for (let waiting = 1; waiting > 0 && Date.now() < drained; await pause(500)) {
  waiting = (await list('&indexed=false')).length
}
for (const difference of differences(slots, await list(''))) fault(difference)
for (const server of servers) {
  const { code } = await server.end()
  if (code !== 0) fault(`${server.name} ended with ${code}`)
}
const reopened = embedded ? await openEmbedded(join(home, 'only'), silent) : undefined
const sql = reopened?.sql ?? connect({ url: url ?? '', max: 1 })
for (const broken of await brokenInvariants(sql)) fault(broken)
await (reopened ? reopened.close() : sql.end({ timeout: 5 }))
await database?.close()
await rm(home, { recursive: true, force: true })

/** The steady server after its first minutes, when its caches have filled: an early and a late part of the same life. */
const from = embedded ? minutes * 0.55 : minutes * 0.15
const life = samples.filter(({ server, minute }) => server === steady.name && minute > from)
const early = life.slice(0, Math.floor(life.length / 4))
const late = life.slice(-Math.floor(life.length / 4))
const of = (part: Sample[], what: 'megabytes' | 'handles') => median(part.map((sample) => sample[what]))
const growth = of(late, 'megabytes') / of(early, 'megabytes')
const moreHandles = of(late, 'handles') - of(early, 'handles')
if (growth > 1.15) fault(`memory grew by ${((growth - 1) * 100).toFixed(0)} %`)
if (moreHandles > 10) fault(`${moreHandles} more open handles`)

report(`${minutes} minutes of mixed load, ${embedded ? 'embedded database' : 'PostgreSQL, two servers'}`, {
  ...counts,
  'rows at the end': slots.filter(({ row }) => row).length,
  'kills / restarts / database kills': `${done.kills} / ${done.restarts} / ${done.databaseKills}`,
  'slowest end after SIGTERM': `${done.slowestEnd.toFixed(1)} s`,
  'memory, early and late': `${of(early, 'megabytes').toFixed(0)} MB, ${of(late, 'megabytes').toFixed(0)} MB (${growth.toFixed(2)} ×)`,
  'open handles, early and late': `${of(early, 'handles')}, ${of(late, 'handles')}`,
  faults: faults.length,
})
for (const what of faults.slice(0, 50)) console.log(`  FAULT ${what.slice(0, 500)}`)
process.exitCode = faults.length > 0 ? 1 : 0
