/**
 * A server of a Citus cluster is lost under load and comes back: what clients of its projects are answered meanwhile, what
 * those of the other server's are, and whether anything acknowledged is gone. Needs the built package; Linux.
 *
 *   npx tsx bench/cluster/lost-server.ts --database postgres://… --control COMMAND
 *
 * The address is of an empty, distributed database on a coordinator. `COMMAND lose PORT` makes the server on that port die or
 * fall silent, `COMMAND find PORT` brings it back.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import * as v from 'valibot'
import { projectsByServer } from '../../server/db/cluster.ts'
import { connect } from '../../server/db/connect.ts'
import { reviews } from '../corpus.ts'
import { flags, median } from '../measure.ts'
import { serverUnderLoad } from '../soak/servers.ts'

const options = flags({
  database: '',
  control: '',
  projects: '3',
  outage: '45',
  around: '15',
  rounds: '2',
  port: '18797',
  env: '',
})
const TOKEN = 'the-operator-of-this-trial'
const extra = Object.fromEntries(options.env.split(',').flatMap((pair) => (pair ? [pair.split('=')] : [])))
const home = mkdtempSync(join(tmpdir(), 'pullquote-lost-'))
const settings = { PULLQUOTE_HOME: home, PULLQUOTE_OPERATOR_TOKEN: TOKEN, DATABASE_URL: options.database, ...extra }
const server = serverUnderLoad('only', Number(options.port), settings)
await server.start()

async function operator(path: string, body: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

const sql = connect({ url: options.database, max: 1 })
const placed = await projectsOnEach(Number(options.projects))
const [[lost, losing = []] = [0], [, staying = []] = []] = placed
const [node] = await sql<{ port: number }[]>`select nodeport as port from pg_dist_node where groupid = ${lost}`
const control = (what: string) => promisify(execFile)(options.control, [what, String(node?.port)])

async function projectsOnEach(count: number) {
  for (let n = 0; ; n++) {
    const servers = [...(await projectsByServer(sql))]
    if (servers.length > 1 && servers.every(([, ids]) => ids.length >= count)) {
      return servers.map(([at, ids]) => [at, ids.slice(0, count)] as const)
    }
    await operator('/operator/projects', { name: `trial ${n}`, plan: 'paid' })
  }
}

interface Answer {
  side: 'lost' | 'other'
  phase: string
  kind: string
  at: number
  ms: number
  status: string
}
const answers: Answer[] = []
const acknowledged = new Map<string, Set<string>>()
const indexed: { phase: string; seconds: number; side: string }[] = []
let phase = 'before'
let going = true
const listed = v.object({
  reviews: v.array(v.looseObject({ id: v.string(), external_id: v.string(), status: v.string() })),
  next_cursor: v.nullish(v.string()),
})

async function ask(side: Answer['side'], kind: string, key: string, path: string, body?: string) {
  const begun = { at: performance.now(), phase }
  const response = await fetch(server.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(60_000),
    ...(body === undefined ? {} : { body }),
  }).catch((error: unknown) => (error instanceof Error ? error.name : 'failed'))
  const text = typeof response === 'string' ? '' : await response.text().catch(() => '')
  let status = typeof response === 'string' ? response : String(response.status)
  if (typeof response !== 'string' && response.status === 503 && !response.headers.has('retry-after'))
    status = '503 without Retry-After'
  if (status !== '200' && status !== '503') console.log(`  ${side} ${kind} ${status} ${text.slice(0, 200)}`)
  answers.push({ side, kind, ...begun, ms: performance.now() - begun.at, status })
  if (status !== '200') await pause(500)
  return status === '200' ? text : undefined
}

async function write(side: Answer['side'], project: string, key: string, seed: number) {
  const source = reviews(seed)
  const mine = acknowledged.get(project) ?? new Set()
  acknowledged.set(project, mine)
  for (let n = 0; going; n++) {
    const batch = Array.from({ length: 3 }, (_, i) => ({ ...source.next().value, external_id: `${seed}-${n}-${i}` }))
    const pushedAt = performance.now()
    const pushedIn = phase
    const text = await ask(side, 'push', key, '/v1/reviews', JSON.stringify(batch))
    if (text !== undefined) {
      for (const { external_id } of batch) mine.add(external_id)
      const [first] = v.parse(listed, JSON.parse(text)).reviews
      for (let status = first?.status; n % 5 === 0 && going && status !== undefined; await pause(300)) {
        const row = await ask(side, 'get', key, `/v1/reviews/${first?.id}`)
        if (row && v.parse(v.object({ status: v.string() }), JSON.parse(row)).status === 'indexed') {
          indexed.push({ side, phase: pushedIn, seconds: (performance.now() - pushedAt) / 1000 })
          break
        }
      }
    }
    await pause(200)
  }
}

async function search(side: Answer['side'], key: string, seed: number) {
  for (let n = 0; going; n++) {
    await ask(side, 'query', key, `/v1/query?q=${encodeURIComponent(`quiet room ${seed} ${n}`)}`)
    await pause(200)
  }
}

const load: Promise<void>[] = []
const keys = new Map<string, string>()
for (const [side, ids] of [
  ['lost', losing],
  ['other', staying],
] as const) {
  for (const [i, id] of ids.entries()) {
    const [row] = await sql<{ name: string }[]>`select name from projects where id = ${id}`
    const made = await operator('/operator/keys', { project: row?.name, kind: 'secret', env: 'live' })
    const { key } = v.parse(v.object({ key: v.string() }), made)
    keys.set(id, key)
    load.push(write(side, id, key, i + (side === 'lost' ? 1 : 101)), search(side, key, i))
  }
}
const recovered: string[] = []
await pause(Number(options.around) * 1_000)
for (let round = 0; round < Number(options.rounds); round++) {
  phase = 'lost'
  await control('lose')
  await pause(Number(options.outage) * 1_000)
  phase = 'after'
  const back = performance.now()
  await control('find')
  await pause(Number(options.around) * 1_000)
  const first = (kind: string) => {
    const answer = answers.find(
      (one) =>
        one.side === 'lost' &&
        one.kind === kind &&
        one.status === '200' &&
        one.at + one.ms > back + 50 &&
        one.at > back,
    )
    return answer ? `${((answer.at + answer.ms - back) / 1000).toFixed(1)} s` : 'none'
  }
  recovered.push(`push ${first('push')}, query ${first('query')}`)
}
phase = 'end'
await pause(5_000)
going = false
await Promise.all(load)

for (const side of ['lost', 'other'] as const) {
  for (const when of ['before', 'lost', 'after']) {
    for (const kind of ['push', 'query', 'get']) {
      const those = answers.filter((one) => one.side === side && one.phase === when && one.kind === kind)
      const by = new Map<string, number[]>()
      for (const { status, ms } of those) by.set(status, [...(by.get(status) ?? []), ms])
      const words = [...by].map(([status, ms]) => {
        const most = ms.sort((a, b) => a - b)
        const at = (share: number) =>
          ((most[Math.min(most.length - 1, Math.floor(most.length * share))] ?? 0) / 1000).toFixed(2)
        return `${status}: ${ms.length} (median ${at(0.5)} s, 95 % ${at(0.95)}, most ${at(1)})`
      })
      console.log(`${side.padEnd(6)} ${when.padEnd(7)} ${kind.padEnd(6)} ${words.join('; ')}`)
    }
    const took = indexed.filter((one) => one.side === side && one.phase === when).map(({ seconds }) => seconds)
    if (took.length > 0)
      console.log(
        `${side.padEnd(6)} ${when.padEnd(7)} indexed in ${median(took).toFixed(1)} s (median of ${took.length}), ${Math.max(...took).toFixed(1)} at most`,
      )
  }
}
for (const [round, words] of recovered.entries()) console.log(`after return ${round + 1}: first answer 200 to ${words}`)
await pause(10_000)
let gone = 0
let all = 0
for (const [project, ids] of acknowledged) {
  const there = new Set<string>()
  for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined; ) {
    const path = `/v1/reviews?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`
    const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${keys.get(project)}` } })
    const page = v.parse(listed, await response.json())
    for (const row of page.reviews) there.add(row.external_id)
    cursor = page.next_cursor
  }
  all += ids.size
  for (const id of ids) if (!there.has(id)) gone++
}
console.log(`${all} reviews acknowledged, ${gone} of them gone`)
await server.end()
await sql.end({ timeout: 5 })
process.exitCode = gone > 0 ? 1 : 0
