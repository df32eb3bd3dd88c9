/**
 * A kill every few seconds: a server under load, a worker in mid-save, PostgreSQL, one-shot commands, first starts,
 * migrations, backups and restores. Whatever was acknowledged is compared, row by row, and the tables' invariants are
 * looked at; every start must heal by itself. Needs the built package; Linux.
 *
 *   npx tsx bench/kills/run.ts --kills 500 --minutes 60
 *   npx tsx bench/kills/run.ts --kills 500 --minutes 60 --database postgres://… --control COMMAND
 *   … --inject-loss yes     removes one acknowledged review behind the model's back: the run must fail
 *
 * `COMMAND kill` and `COMMAND restart` kill PostgreSQL and bring it back.
 */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { checkBackup } from '../../server/db/backup/read.ts'
import { connect } from '../../server/db/connect.ts'
import { openEmbedded } from '../../server/db/embedded/open-embedded.ts'
import type { Pool } from '../../server/deps.ts'
import { seeded } from '../corpus.ts'
import { flags, report } from '../measure.ts'
import { silent } from '../service.ts'
import { brokenInvariants } from '../soak/integrity.ts'
import { MainLane, OPERATOR_TOKEN } from './main-lane.ts'
import { makeOldDatabase, oldDatabaseFault } from './old-database.ts'
import { killAfter, ready, run } from './processes.ts'

const options = flags({
  kills: '500',
  minutes: '60',
  database: 'embedded',
  control: '',
  port: '18931',
  seed: '1',
  rate: '4',
  'verify-every': '40',
  'inject-loss': '',
})
const embedded = options.database === 'embedded'
const OLD_REVIEWS = 120
const random = seeded(Number(options.seed))
const upTo = (ms: number) => random() * ms
const folder = mkdtempSync(join(tmpdir(), 'pullquote-kills-'))
const began = Date.now()
const clock = () => `${((Date.now() - began) / 60_000).toFixed(1)} min`
const faults: string[] = []
const fault = (what: string) => {
  faults.push(what)
  if (faults.length <= 50) console.log(`${clock()}  FAULT ${what.slice(0, 600)}`)
}
const kills: Record<string, number> = {}
const killed = (kind: string) => {
  kills[kind] = (kills[kind] ?? 0) + 1
}
const total = () => Object.values(kills).reduce((sum, one) => sum + one, 0)
let starts = 0
let verifications = 0

const administrator = embedded ? undefined : postgres(options.database, { max: 1, onnotice() {} })
let serial = 0
async function newDatabase(): Promise<string | undefined> {
  if (!administrator) return undefined
  const name = `pullquote_kills_${process.pid}_${serial++}`
  await administrator.unsafe(`create database ${name}`)
  const url = new URL(options.database)
  url.pathname = `/${name}`
  return url.href
}
async function dropDatabase(url: string | undefined): Promise<void> {
  if (url !== undefined) await administrator?.unsafe(`drop database ${new URL(url).pathname.slice(1)} with (force)`)
}

/** Looks at a database that no server has open, or that others may look at beside it. */
async function inspect(home: string, url: string | undefined, look: (sql: Pool) => Promise<void>): Promise<void> {
  const opened = url === undefined ? await openEmbedded(home, silent) : undefined
  const sql = opened?.sql ?? connect({ url: url ?? '', max: 1 })
  try {
    await look(sql)
  } finally {
    await (opened ? opened.close() : sql.end({ timeout: 5 }))
  }
}

const lane = new MainLane({
  folder,
  port: Number(options.port),
  databaseUrl: await newDatabase(),
  seed: Number(options.seed),
  rate: Number(options.rate),
  fault,
})
const laneHome = lane.env.PULLQUOTE_HOME ?? ''
await lane.start()
const load = lane.load()
const oldHome = join(folder, 'old')
if (embedded) await inspect(oldHome, undefined, (sql) => makeOldDatabase(sql, OLD_REVIEWS))
let backup: string | undefined

/** A home, and on PostgreSQL a database, of its own for one round. */
async function aside(work: (env: Record<string, string>, home: string, url: string | undefined) => Promise<void>) {
  const home = join(folder, `aside-${serial++}`)
  const url = await newDatabase()
  const env = {
    PULLQUOTE_HOME: home,
    PULLQUOTE_OPERATOR_TOKEN: OPERATOR_TOKEN,
    ...(url === undefined ? {} : { DATABASE_URL: url }),
  }
  try {
    await work(env, home, url)
  } finally {
    rmSync(home, { recursive: true, force: true })
    await dropDatabase(url)
  }
}

const SIDE_PORT = Number(options.port) + 1
const SIDE_URL = `http://127.0.0.1:${SIDE_PORT}`
async function serveAside(kind: string, times: number, longest: number, env: Record<string, string>): Promise<void> {
  for (let i = 0; i < times; i++) {
    if (await killAfter(run(['serve', '--port', String(SIDE_PORT)], env), upTo(longest))) killed(kind)
  }
  const server = run(['serve', '--port', String(SIDE_PORT)], env)
  await ready(server, SIDE_URL)
  starts++
  for (let waits = 0; waits < 600; waits++, await pause(100)) {
    const answer = await fetch(`${SIDE_URL}/readyz`).then(
      (response) => response.json() as Promise<{ queue?: { queued: number; running: number } }>,
    )
    if (answer.queue && answer.queue.queued + answer.queue.running === 0) break
  }
  await killAfter(server, 0)
  killed('server')
}

/** Where nobody reaps a killed process at once, its successor believes for a while that it still runs. */
async function bringBack(): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await promisify(execFile)(options.control, ['restart'])
      return
    } catch (error) {
      if (tries === 15) throw error
      await pause(1_000)
    }
  }
}

const rounds: Record<string, { weight: number; round: () => Promise<void> }> = {
  server: {
    weight: 34,
    async round() {
      await pause(upTo(1_500))
      await lane.kill()
      killed('server')
      await lane.start()
      starts++
    },
  },
  'server while it starts': {
    weight: 14,
    async round() {
      await lane.kill()
      killed('server')
      for (let i = 0; i < 3; i++) {
        await lane.killStarting(upTo(3_000))
        killed('server while it starts')
      }
      await lane.start()
      starts++
    },
  },
  'worker in mid-save': {
    weight: 14,
    async round() {
      await lane.burst()
      await pause(upTo(400))
      await lane.kill()
      killed('worker in mid-save')
      await lane.start()
      starts++
    },
  },
  command: {
    weight: 14,
    async round() {
      await lane.kill()
      killed('server')
      for (let i = 0; i < 3; i++) if (await lane.killCommand(upTo(4_000))) killed('command')
      await lane.start()
      starts++
    },
  },
  'first start': {
    weight: 7,
    round: () =>
      aside(async (env, home, url) => {
        await serveAside('first start', 4, 6_000, env)
        await inspect(home, url, async (sql) => {
          const [row] = await sql<{ count: number }[]>`select count(*)::int as count from schema_migrations`
          if ((row?.count ?? 0) < 3) fault('a first start left migrations out')
        })
      }),
  },
  migration: {
    weight: 7,
    round: () =>
      aside(async (env, home, url) => {
        if (url === undefined) cpSync(oldHome, home, { recursive: true })
        else await inspect(home, url, (sql) => makeOldDatabase(sql, OLD_REVIEWS))
        await serveAside('migration', 4, 3_000, env)
        await inspect(home, url, async (sql) => {
          const wrong = await oldDatabaseFault(sql, OLD_REVIEWS)
          for (const what of [...(wrong ? [wrong] : []), ...(await brokenInvariants(sql))]) fault(`migration: ${what}`)
        })
      }),
  },
  backup: {
    weight: 6,
    async round() {
      const target = join(folder, 'backups', `${serial++}.jsonl.gz`)
      mkdirSync(join(folder, 'backups'), { recursive: true })
      for (let i = 0; i < 3; i++) {
        if (await killAfter(run(['backup', target, '--force', '--url', lane.url], lane.env), 300 + upTo(2_000)))
          killed('backup')
        if (existsSync(target)) await checkBackup(target).catch((error) => fault(`a killed backup is there: ${error}`))
      }
      const { code, output } = await run(['backup', target, '--force', '--url', lane.url], lane.env).ended
      if (code !== 0) fault(`a backup that was not killed ended with ${code}: ${output}`)
      else {
        await checkBackup(target)
        backup = target
      }
      for (const name of readdirSync(join(folder, 'backups')))
        if (join(folder, 'backups', name) !== backup) rmSync(join(folder, 'backups', name))
    },
  },
  restore: {
    weight: 6,
    async round() {
      const file = backup
      if (file === undefined) return rounds.backup?.round()
      const { rows } = await checkBackup(file)
      await aside(async (env, home, url) => {
        for (let i = 0; i < 3; i++) if (await killAfter(run(['restore', file], env), upTo(6_000))) killed('restore')
        const last = await run(['restore', file], env).ended
        if (last.code !== 0 && !last.output.includes('holds projects already')) {
          fault(`a restore after kills ended with ${last.code}: ${last.output}`)
        }
        await inspect(home, url, async (sql) => {
          const [row] = await sql<{ count: number }[]>`select count(*)::int as count from reviews`
          if (row?.count !== rows.reviews) fault(`restored ${row?.count} reviews of ${rows.reviews}`)
        })
      })
    },
  },
  ...(options.control === ''
    ? {}
    : {
        PostgreSQL: {
          weight: 8,
          async round() {
            await promisify(execFile)(options.control, ['kill'])
            killed('PostgreSQL')
            await pause(upTo(1_500))
            await bringBack()
            for (const end = Date.now() + 60_000; ; await pause(200)) {
              const answer = await fetch(`${lane.url}/readyz`).catch(() => undefined)
              await answer?.arrayBuffer()
              if (answer?.status === 200) break
              if (Date.now() > end) throw new Error('the server did not find PostgreSQL again within a minute')
            }
          },
        },
      }),
}

function chosen(): string {
  let place = upTo(Object.values(rounds).reduce((sum, { weight }) => sum + weight, 0))
  for (const [name, { weight }] of Object.entries(rounds)) {
    place -= weight
    if (place < 0) return name
  }
  return 'server'
}

async function verify(loss = false): Promise<void> {
  await lane.verify(loss)
  await lane.kill()
  killed('server')
  await inspect(laneHome, lane.env.DATABASE_URL, async (sql) => {
    for (const broken of await brokenInvariants(sql)) fault(broken)
  })
  await lane.start()
  starts++
  verifications++
  lane.resume()
}

let next = Number(options['verify-every'])
while (total() < Number(options.kills) && Date.now() - began < Number(options.minutes) * 60_000) {
  const name = chosen()
  try {
    await rounds[name]?.round()
    if (total() >= next) {
      await verify()
      next = total() + Number(options['verify-every'])
      console.log(`${clock()}  ${total()} kills, ${faults.length} faults  ${JSON.stringify(kills)}`)
    }
  } catch (error) {
    fault(`${name}: ${error}`)
    // So that one bad start is one fault, and the run goes on.
    await lane.kill().catch(() => {})
    await lane.start().catch((again: unknown) => fault(`the start after it: ${again}`))
  }
}
await verify(options['inject-loss'] !== '').catch((error: unknown) => fault(`the last look: ${error}`))
lane.stopLoad()
await load
await lane.kill().catch(() => {})
await dropDatabase(lane.env.DATABASE_URL)
await administrator?.end()
rmSync(folder, { recursive: true, force: true })

report(`${embedded ? 'embedded database' : 'PostgreSQL'}: ${total()} kills in ${clock()}`, {
  ...kills,
  'starts that were awaited': starts,
  'every row compared': `${verifications} times`,
  'acknowledged operations': lane.counts.operations,
  pushes: lane.counts.pushes,
  'patches and deletes': lane.counts.patches + lane.counts.deletes,
  'requests repeated after a kill': lane.counts.repeats,
  faults: faults.length,
})
for (const what of faults.slice(0, 50)) console.log(`  FAULT ${what.slice(0, 600)}`)
process.exit(faults.length > 0 ? 1 : 0)
