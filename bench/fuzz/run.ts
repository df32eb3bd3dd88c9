/**
 * Hostile requests from a seed, against a server of its own on the loopback interface: `npm run bench:fuzz -- --count N
 * --seconds S --seed X --database embedded|postgres://… --checkout DIR`. Every operation of /openapi.json with every kind
 * of access, bytes that are no HTTP, and the largest of each kind. It ends with exit code 1 when an answer is a 500 or not
 * of the contract, when a request keeps a bystander waiting for more than 200 ms, or when memory or handles stay behind.
 * `--checkout` takes the server from another checkout, with node_modules of its own or a link to them. Linux.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import { flags, report } from '../measure.ts'
import { openDatabase } from './database.ts'
import { readDescription } from './description.ts'
import { Findings } from './findings.ts'
import { makeHeavy } from './heavy.ts'
import { createSender } from './http.ts'
import { Journal } from './journal.ts'
import { judged } from './judge.ts'
import { confirmed, learn, settled, type What } from './outcome.ts'
import { type ServerHandle, startBareServer, startBystander, startServer } from './processes.ts'
import { Random } from './random.ts'
import { makeRaw, sendRaw } from './raw.ts'
import { type Known, makeRequest } from './requests.ts'
import { setUp } from './set-up.ts'
import { hold, STRANGERS } from './strangers.ts'

const given = flags({
  count: '20000',
  seconds: '900',
  seed: '1',
  database: 'embedded',
  checkout: join(import.meta.dirname, '../..'),
  concurrency: '16',
})
const count = Number(given.count)
const seed = Number(given.seed)

const WARM_UP = 300
const RAW_SHARE = 0.15
const MOST_HEAP_GROWTH = 64e6
const MOST_HANDLES = 20
const MOST_STRANGERS_BYTES = 250e6
const MOST_SUSPECTS = 40
const CONFIRM_MS = 120_000

const home = await mkdtemp(join(tmpdir(), 'pullquote-fuzz-'))
const log = join(home, 'server.log')
const database = await openDatabase(given.database)
const findings = new Findings()
const journal = new Journal<What>()
const known: Known = { ids: [], cursors: [], imports: [] }
const tally = new Map<string, number>()
let driven = 0
let slowest = { worstMs: 0, asked: 0 }
let watching = false
let lastStall = { at: 0, ms: 0 }
/** While strangers hold bodies: the longest that they kept others waiting, of what is over 200 ms. */
let besideStrangers = { watching: false, worstMs: 0 }
/** After the warm-up, before the largest requests, and at the end. */
const measures: Measure[] = []

function stalled(from: number, to: number, ms: number): void {
  if (besideStrangers.watching) besideStrangers.worstMs = Math.max(besideStrangers.worstMs, ms)
  if (!watching) return
  lastStall = { at: to, ms }
  journal.suspect(from, to, ms)
}

const token = randomBytes(16).toString('hex')
const env: Record<string, string> = {
  PULLQUOTE_HOME: join(home, 'data'),
  PULLQUOTE_CONFIG: '',
  PULLQUOTE_PORT: '0',
  PULLQUOTE_OPERATOR_TOKEN: token,
  PULLQUOTE_CACHE_BYTES: String(4 * 1024 * 1024),
  ...(database ? { DATABASE_URL: database.url } : { DATABASE_URL: '' }),
}
const server = await startServer(given.checkout, env, log, (message) => {
  if (message.kind !== 'stall') return
  if (watching) tallied(`turns of the event loop over 200 ms of processor time`)
  stalled(message.from, message.to, message.processorMs)
})
server.child.on('exit', (code, signal) => {
  findings.add('the server ended', `exit code ${code}, signal ${signal}; its log: ${log}`)
  finish()
})
const { keys, bystander: bystanderKeys } = await setUp(server.url, token)
const description = readDescription(await (await fetch(`${server.url}/openapi.json`)).json())
const bare = await startBareServer(database?.url)
const bystander = startBystander(server, bare.url, bystanderKeys, (message) => {
  if (message.kind === 'count') slowest = message
  else if (message.kind === 'bad' && watching) findings.add(`a bystander got ${message.status}`, 'GET /v1/query')
  else if (message.kind === 'slow') {
    if (watching) tallied('times a bystander waited 200 ms longer than at a bare server')
    stalled(message.from, message.to, message.ms - message.bareMs)
  }
})
const sender = createSender(server.url, Number(given.concurrency))

function tallied(what: string): void {
  tally.set(what, (tally.get(what) ?? 0) + 1)
}

function make(number: number): What {
  const random = new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b))
  return random.chance(RAW_SHARE)
    ? { raw: makeRaw(random, keys) }
    : { sent: makeRequest(random, description, keys, known) }
}

/** One request and the judgement of its answer. */
async function drive(number: number, what: What): Promise<void> {
  driven++
  const entry = journal.begin(number, what)
  const fault = await perform(what)
  entry.to = Date.now()
  if (fault) findings.add(`${labelOf(what)}: ${fault}`, `request ${number} (seed ${seed}): ${shown(what)}`)
}

async function perform(what: What): Promise<string | undefined> {
  if (what.raw) {
    tallied('on a raw socket')
    return sendRaw(what.raw, server.url)
  }
  const { sent } = what
  const answer = await sender.send(sent)
  if (typeof answer === 'string') {
    // The parser ends the connection over a request that it refuses while that is still being sent.
    if (answer === 'broken off' && sent.statuses === undefined) return undefined
    return answer
  }
  tallied(`status ${answer.status}`)
  learn(answer, known)
  return judged(answer, sent.method, sent.statuses)
}

async function inParallel(from: number, to: number, makeOne: (number: number) => What): Promise<void> {
  let next = from
  const lane = async () => {
    while (next < to && Date.now() < end) {
      const number = next++
      await drive(number, makeOne(number))
    }
  }
  await Promise.all(Array.from({ length: Number(given.concurrency) }, lane))
}

const started = Date.now()
const end = started + Number(given.seconds) * 1000
await inParallel(0, WARM_UP, make)
await settled(server.url)
measures.push(await measured())
watching = true
await inParallel(WARM_UP, count, make)
measures.push(await measured())
const heavyCount = Math.max(66, Math.floor(count / 400))
const seconds = () => Math.round((Date.now() - started) / 1000)
console.log(`${seconds()} s: ${driven} of ${count} requests sent; now ${heavyCount} of the largest`)
const heavyRandom = new Random(seed)
for (let turn = 0; turn < heavyCount && Date.now() < end + 120_000; turn += 2) {
  await Promise.all([turn, turn + 1].map((n) => drive(count + n, { sent: makeHeavy(heavyRandom, keys, n) })))
}
await settled(server.url)
watching = false
console.log(`${seconds()} s: strangers hold bodies`)
for (const strangers of STRANGERS) await holdAndWatch(strangers)
await pause(6_000)
await settled(server.url)
measures.push(await measured())
judgeGrowth()
console.log(`${seconds()} s: looking for who kept others waiting`)
await confirmSuspects()
finish()

async function holdAndWatch(strangers: (typeof STRANGERS)[number]): Promise<void> {
  const calm = await server.residentBytes()
  let most = calm
  const held = async () => {
    besideStrangers = { watching: true, worstMs: 0 }
    await hold(server.url, strangers, async () => {
      most = Math.max(most, await server.residentBytes())
    })
    // As long as a bystander's answer may take to tell of it.
    await pause(500)
    besideStrangers.watching = false
    return besideStrangers.worstMs
  }
  const first = await held()
  // As with a suspect: only what shows twice is theirs.
  const worstMs = first > 0 ? Math.min(first, await held()) : 0
  if (worstMs > 0) {
    findings.add(`strangers on ${strangers.path} keep others waiting for more than 200 ms`, `${Math.round(worstMs)} ms`)
  }
  tally.set(
    `ms that ${strangers.sockets} strangers on ${strangers.path} kept others waiting, if over 200`,
    Math.round(worstMs),
  )
  const grown = Math.round((most - calm) / 1e6)
  tally.set(`MB of memory for ${strangers.sockets} strangers on ${strangers.path}`, grown)
  if (most - calm > MOST_STRANGERS_BYTES) {
    findings.add(
      `${strangers.sockets} sockets without a key take ${grown} MB on ${strangers.path}`,
      `of ${strangers.bytes} bytes each`,
    )
  }
}

type Measure = Awaited<ReturnType<ServerHandle['measure']>> & { searchBytes: number }

async function measured(): Promise<Measure> {
  const told = await fetch(`${server.url}/readyz`).then((answer) => answer.json())
  const { search_memory } = v.parse(v.looseObject({ search_memory: v.looseObject({ bytes: v.number() }) }), told)
  return { ...(await server.measure()), searchBytes: search_memory.bytes }
}

function judgeGrowth(): void {
  const [before, after] = [measures[0], measures.at(-1)]
  if (!before || !after) return
  // Vectors that are searched in memory are there on purpose, within a budget of their own.
  const kept = after.searchBytes - before.searchBytes
  const grown = after.heapBytes - before.heapBytes - kept
  if (grown > MOST_HEAP_GROWTH) {
    findings.add(
      `the heap grew by ${Math.round(grown / 1e6)} MB`,
      `from ${before.heapBytes} to ${after.heapBytes} bytes, ${kept} of them for vectors that are searched in memory`,
    )
  }
  if (after.handles - before.handles > MOST_HANDLES) {
    findings.add('handles stay open', `${before.handles} at the start, ${after.handles} at the end`)
  }
}

/** Each suspect alone, twice: only what keeps the bystander waiting both times is to blame. */
async function confirmSuspects(): Promise<void> {
  const suspects = journal.suspects()
  tally.set('suspected of keeping others waiting', suspects.length)
  const until = Date.now() + CONFIRM_MS
  let tried = 0
  for (const { entry, worstMs } of suspects.slice(0, MOST_SUSPECTS)) {
    if (Date.now() > until) break
    tried++
    const ms = await confirmed(entry.what, tried, {
      perform,
      settled: () => settled(server.url),
      stall: () => lastStall,
      watch,
    })
    if (ms === undefined) continue
    const what = `${labelOf(entry.what)}: keeps others waiting for more than 200 ms`
    findings.add(
      what,
      `${Math.round(ms)} ms alone, ${Math.round(worstMs)} ms in the run; request ${entry.number} (seed ${seed}): ${shown(entry.what)}`,
    )
  }
  tally.set('of these tried alone', tried)
}

function watch(on: boolean): void {
  watching = on
}

function labelOf(what: What): string {
  return what.raw ? `raw, ${what.raw.name}` : what.sent.operation
}

function shown({ raw, sent }: What): string {
  if (raw)
    return raw.parts
      .map((part) =>
        typeof part === 'number' ? `(${part} ms)` : JSON.stringify(part.subarray(0, 300).toString('latin1')),
      )
      .join(' ')
  const { method, target, body, access } = sent
  return `${method} ${target.slice(0, 400)} (${target.length}) access ${access}, body ${body?.length ?? 'none'}: ${JSON.stringify(body?.subarray(0, 400).toString('latin1') ?? '')}`
}

function figures(): Record<string, string> {
  const each = (of: (one: (typeof measures)[number]) => number) => measures.map((one) => Math.round(of(one))).join(', ')
  return {
    'heap before, before the largest, and after, MB': each(({ heapBytes }) => heapBytes / 1e6),
    'of that vectors searched in memory, MB': each(({ searchBytes }) => searchBytes / 1e6),
    'resident, MB': each(({ rssBytes }) => rssBytes / 1e6),
    handles: each(({ handles }) => handles),
  }
}

function finish(): void {
  void (async () => {
    bystander.kill()
    bare.child.kill()
    sender.close()
    server.child.removeAllListeners('exit')
    const ended = server.child.exitCode !== null || server.child.signalCode !== null
    const late = setTimeout(() => findings.add('the server does not stop', '20 s after it was told to'), 19_000)
    if (!ended) await server.close()
    clearTimeout(late)
    await database?.drop()
    report(`Hostile requests, seed ${seed}, ${given.database === 'embedded' ? 'embedded' : 'PostgreSQL'}`, {
      seconds: seconds(),
      'requests sent': driven,
      'requests of the bystander': slowest.asked,
      'longest that it waited beyond a bare server, ms': Math.round(slowest.worstMs),
      ...figures(),
      ...Object.fromEntries([...tally].sort(([a], [b]) => a.localeCompare(b))),
    })
    findings.print()
    console.log(
      findings.size === 0 ? '\nnothing found' : `\n${findings.size} kinds of findings; the server's log: ${log}`,
    )
    if (findings.size === 0) await rm(home, { recursive: true, force: true })
    process.exit(findings.size === 0 ? 0 : 1)
  })()
}
