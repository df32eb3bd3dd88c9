/**
 * How long other requests wait while reviews are indexed that say one thing over and over, up to their greatest length.
 * Each shape is pushed twenty times at once to a server of its own, while this process asks for `/healthz` every 15 ms and
 * for a search that no cache answers, and beside both a bare server (bare-server.ts), which can do nothing slowly (for a
 * search, one that asks PostgreSQL `select 1`). Of each wait is taken off what the bare server took meanwhile and what the
 * server's threads were ready and had no processor: on a machine with other work that is most of it. The same is measured before, with nothing to do.
 * Exits with 1 when a request waited, or a turn of the event loop computed, for more than 200 ms. Linux.
 *
 *   npx tsx bench/fuzz/stall-by-text.ts --database embedded|postgres://… --checkout DIR
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { REVIEW_TEXT_LENGTH } from '../../src/contract/limits.ts'
import { flags, report } from '../measure.ts'
import { openDatabase } from './database.ts'
import { startBareServer, startServer } from './processes.ts'
import { ORIGIN } from './requests.ts'
import { setUp } from './set-up.ts'

const given = flags({ database: 'embedded', checkout: join(import.meta.dirname, '../..'), only: '' })

const TARGET_MS = 200
const POLL_MS = 15
const REVIEWS = 20
const MOST_BYTES = 1_000_000
const IDLE_MS = 4_000

/** What a text may repeat, by name; what stands before and after it is a letter. */
const SHAPES: Record<string, string> = {
  'line breaks': '\n',
  'carriage returns': '\r',
  'line separators': '\u2028',
  spaces: ' ',
  tabs: '\t',
  'wide spaces': '\u3000',
  'zero-width spaces': '\u200b',
  'full stops': '.',
  'Arabic question marks': '؟',
  'wide question marks': '？',
  'wide commas': '，',
  quotes: '"',
  apostrophes: "'",
  parentheses: ')',
  dashes: '-',
  'euro signs': '€',
  digits: '0',
  'the letter a': 'a',
  'the letter ß': 'ß',
  'Han characters': '中',
  katakana: 'カ',
  Hangul: '한',
  Hebrew: 'א',
  Arabic: 'العربية ',
  Thai: 'ภาษาไทย',
  Khmer: 'ខ្មែរ',
  Devanagari: 'क्ष',
  emoji: '😀',
  'families of emoji': '👨‍👩‍👧‍👦',
  'flags of regions': '🇩🇪',
  'combining marks': '\u0301',
  'marks on spaces': ' \u0301',
  'zero-width joiners': '\u200d',
  'variation selectors': '\ufe0f',
  'HTML codes': '&amp;',
  'a mixture of ends': '.\n؟ "a) 中。😀 ',
  'a mixture of words': 'Mr. Ab cd - and 1:2, ',
  'short sentences': 'I like it. ',
  'unknown words': 'xqzvbk plrtw ',
}

const home = await mkdtemp(join(tmpdir(), 'pullquote-stall-'))
const database = await openDatabase(given.database)
const token = randomBytes(16).toString('hex')
const server = await startServer(
  given.checkout,
  {
    PULLQUOTE_HOME: join(home, 'data'),
    PULLQUOTE_CONFIG: '',
    PULLQUOTE_PORT: '0',
    PULLQUOTE_OPERATOR_TOKEN: token,
    DATABASE_URL: database?.url ?? '',
  },
  join(home, 'server.log'),
  () => {},
)
const { keys, bystander } = await setUp(server.url, token)
const bare = await startBareServer(undefined)
const bareWithDatabase = await startBareServer(database?.url)
const agent = new Agent({ keepAlive: true })

/** Status, milliseconds and body of one request. */
function ask(url: string, headers: Record<string, string> = {}): Promise<{ status: number; ms: number; body: string }> {
  const from = performance.now()
  return new Promise((done, fail) => {
    const sent = request(url, { agent, headers }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        body += chunk
      })
      response.on('end', () => done({ status: response.statusCode ?? 0, ms: performance.now() - from, body }))
    })
    sent.on('error', fail).end()
  })
}

/** Milliseconds that threads of the server were ready and had no processor, all together, so far. */
async function queuedMs(): Promise<number> {
  let sum = 0
  for (const thread of await readdir(`/proc/${server.child.pid}/task`)) {
    const told = await readFile(`/proc/${server.child.pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0 0 0')
    sum += Number(told.split(' ')[1])
  }
  return sum / 1e6
}

interface Waits {
  /** As the clock on the wall has it. */
  wall: number
  /** Without what the machine kept them waiting. */
  own: number
}

/** The longest waits while `busy` holds. */
async function longest(
  url: () => string,
  bareUrl: string,
  headers: Record<string, string>,
  busy: () => boolean,
): Promise<Waits> {
  const waits = { wall: 0, own: 0 }
  while (busy()) {
    const queued = await queuedMs()
    let answered = false
    const answer = ask(url(), headers).finally(() => {
      answered = true
    })
    let bareMs = 0
    while (!answered) {
      bareMs = Math.max(bareMs, (await ask(bareUrl)).ms)
      await pause(5)
    }
    const { status, ms } = await answer
    if (status !== 200) throw new Error(`${url()} answered ${status}`)
    waits.wall = Math.max(waits.wall, ms)
    waits.own = Math.max(waits.own, ms - Math.max(bareMs, (await queuedMs()) - queued))
    await pause(POLL_MS)
  }
  return waits
}

let turn = 0
async function watch(work: () => Promise<unknown>) {
  let busy = true
  await server.longestTurn()
  const visitorsUrl = () => `${server.url}/v1/query?q=terrace&limit=3&key=${bystander[turn++ % bystander.length]}`
  const watched = Promise.all([
    longest(
      () => `${server.url}/healthz`,
      bare.url,
      {},
      () => busy,
    ),
    longest(visitorsUrl, bareWithDatabase.url, { origin: ORIGIN, 'cache-control': 'no-cache' }, () => busy),
  ])
  const from = performance.now()
  await work().finally(() => {
    busy = false
  })
  const seconds = (performance.now() - from) / 1000
  const [health, query] = await watched
  return { health, query, turnMs: await server.longestTurn(), seconds }
}

async function push(name: string, unit: string): Promise<void> {
  const inside = REVIEW_TEXT_LENGTH - 12
  const text = `a${unit.repeat(Math.ceil(inside / unit.length)).slice(0, inside)}b`.replace(/\p{Cs}/gu, 'x')
  const count = Math.min(REVIEWS, Math.floor(MOST_BYTES / (Buffer.byteLength(JSON.stringify(text)) + 200)))
  const reviews = Array.from({ length: count }, (_, n) => ({
    external_id: `${name} ${n}`,
    source: 'google',
    text,
    author_name: 'Mara',
    occurred_at: '2026-01-05T10:00:00Z',
  }))
  const headers = { authorization: `Bearer ${keys.secret[0]}`, 'content-type': 'application/json' }
  const answer = await fetch(`${server.url}/v1/reviews`, { method: 'POST', headers, body: JSON.stringify(reviews) })
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`)
  do await pause(50)
  while (!(await ask(`${server.url}/readyz`)).body.includes('"queued":0'))
}

const rounded = ({ wall, own }: Waits) => `${Math.round(wall)} (${Math.max(0, Math.round(own))})`
const lines: Record<string, string> = {}
const failed: string[] = []
const figures = ({ health, query, turnMs, seconds }: Awaited<ReturnType<typeof watch>>) =>
  `${rounded(health)}, ${rounded(query)}, ${Math.round(turnMs)} in ${seconds.toFixed(1)} s`

await push('warm-up', 'A warm room. ')
lines['nothing to do'] = figures(await watch(() => pause(IDLE_MS)))
for (const [name, unit] of Object.entries(SHAPES)) {
  if (given.only !== '' && !name.includes(given.only)) continue
  const seen = await watch(() => push(name, unit))
  lines[name] = figures(seen)
  console.log(`${name}: ${lines[name]}`)
  if (Math.max(seen.health.own, seen.query.own, seen.turnMs) > TARGET_MS) failed.push(name)
}
report(
  `longest wait of /healthz and of an uncached query in ms (without the machine's own), longest turn; target ${TARGET_MS}`,
  lines,
)
console.log(failed.length === 0 ? '\nnobody waited longer' : `\ntoo long: ${failed.join(', ')}`)
await server.close()
bare.child.kill()
bareWithDatabase.child.kill()
agent.destroy()
await database?.drop()
await rm(home, { recursive: true, force: true })
process.exitCode = failed.length === 0 ? 0 : 1
