import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { connect } from '../../server/db/connect.ts'
import type { Pool } from '../../server/deps.ts'
import { childArguments } from '../child.ts'
import { createPostgresDatabase } from '../database.ts'
import { suite } from '../suite.ts'
import { until } from '../waiting.ts'
import { many, PipelineFixture } from './pipeline.ts'

const test = suite('workers in processes of their own')
const script = await childArguments(join(import.meta.dirname, 'worker-process.ts'))
let database: Awaited<ReturnType<typeof createPostgresDatabase>>
let sql: Pool
let pipeline: PipelineFixture
let processes: WorkerProcess[] = []

test.before(async () => {
  database = await createPostgresDatabase()
  sql = connect({ url: database.url, max: 4 })
  pipeline = new PipelineFixture(sql)
})
test.before.each(() => pipeline.reset())
test.after.each(async () => {
  for (const { child } of processes) child.kill('SIGKILL')
  await pipeline.stopAll()
  processes = []
})
test.after(async () => {
  await sql.end({ timeout: 5 })
  await database.drop()
})

interface WorkerProcess {
  child: ChildProcess
  lines: string[]
  embedded(): string[]
  /** Resolves when the process has said so many lines that begin like this. */
  said(start: string, times?: number): Promise<true>
}

function startProcess(millisecondsACall: number, ...fault: 'hang'[]): WorkerProcess {
  const args = [...script, database.url, String(pipeline.modelId), String(millisecondsACall), ...fault]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  let rest = ''
  child.stdout.on('data', (data: Buffer) => {
    const parts = (rest + data.toString()).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
  })
  const self = {
    child,
    lines,
    embedded: () => lines.filter((line) => line.startsWith('embedded ')).map((line) => line.slice(9)),
    said: (start: string, times = 1) =>
      until(`"${start}" is said`, () => lines.filter((line) => line.startsWith(start)).length >= times || undefined),
  }
  processes.push(self)
  return self
}

async function pushMany(count: number, from = 0): Promise<void> {
  const rows = many(count, from)
  for (let i = 0; i < count; i += 100) await pipeline.push(rows.slice(i, i + 100))
}

async function everythingIndexedOnce(count: number): Promise<void> {
  const [row] = await sql`select
    (select count(*)::int from reviews where status = 'indexed') as indexed,
    (select count(*)::int from excerpts) as excerpts,
    (select count(distinct id)::int from excerpts) as ids,
    (select count(*)::int from index_jobs) as jobs`
  assert.equal(row, { indexed: count, excerpts: count, ids: count, jobs: 0 })
}

const queueIsEmpty = async () => (await sql`select 1 from index_jobs limit 1`).length === 0

test('two processes split the work and embed each text once', async () => {
  const two = [startProcess(30), startProcess(30)]
  // Both up before there is work, so that both have a chance.
  for (const process of two) await process.said('up')
  let pushed = 0
  await until('both have done something', async () => {
    await pushMany(500, pushed)
    pushed += 500
    return pushed >= 1_500 && two.every((process) => process.embedded().length > 0)
  })
  await until('the queue is empty', queueIsEmpty)
  await everythingIndexedOnce(pushed)
  const texts = () => two.flatMap((process) => process.embedded())
  await until('both have told of it', () => texts().length >= pushed)
  assert.is(texts().length, pushed)
  assert.is(new Set(texts()).size, pushed)
})

test('what a killed process held is indexed by another, all of it, once', async () => {
  await pushMany(300)
  const victim = startProcess(0, 'hang')
  // In the middle: something is saved, something is being embedded.
  await victim.said('began ', 3)
  await until('something is saved', async () => (await sql`select from excerpts limit 1`).length > 0)
  victim.child.kill('SIGKILL')
  await once(victim.child, 'exit')
  // PostgreSQL may still be committing what the victim had sent.
  await until('its transactions have ended', async () => {
    const running = await sql`
      select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`
    return running.length === 0
  })
  const [left] = await sql`select count(*)::int as n, count(lease_token)::int as leased from index_jobs`
  assert.ok(left?.leased > 0, 'the victim held nothing')
  const savedBefore = new Set((await sql`select text from excerpts`).map((row) => row.text))
  const heir = startProcess(5)
  await until('the queue is empty', queueIsEmpty)
  await everythingIndexedOnce(300)
  await heir.said('embedded ', left?.n)
  assert.equal(
    heir.embedded().filter((text) => savedBefore.has(text)),
    [],
    'what was saved is not embedded again',
  )
  assert.is(heir.embedded().length, left?.n)
})

test('killed again and again, nothing is lost', async () => {
  await pushMany(200)
  for (let i = 0; i < 3; i++) {
    const victim = startProcess(150)
    await victim.said('began ', 1 + i)
    victim.child.kill('SIGKILL')
    await once(victim.child, 'exit')
  }
  startProcess(5)
  await until('the queue is empty', queueIsEmpty)
  await everythingIndexedOnce(200)
})

test('a process that is asked to stop leaves no lease behind', async () => {
  await pushMany(300)
  const process = startProcess(200)
  await process.said('began ', 2)
  process.child.kill('SIGTERM')
  // Which comes after the last of what it said.
  const [code] = await once(process.child, 'close')
  assert.is(code, 0)
  const [left] = await sql`select count(lease_token)::int as leased, count(*)::int as n from index_jobs`
  assert.is(left?.leased, 0)
  const [saved] = await sql`select count(*)::int as n from excerpts`
  assert.is(saved?.n, process.embedded().length, 'what was embedded is saved')
  assert.is(saved?.n + left?.n, 300)
})

test('connections that the database ends in mid-work cost no review', async () => {
  await pushMany(400)
  const worker = pipeline.start({ sql: connect({ url: database.url, max: 4 }) })
  for (let i = 0; i < 8; i++) {
    await new Promise((resolve) => setTimeout(resolve, 40))
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name = 'pullquote'`.catch(() => {})
  }
  await until('the queue is empty', async () => {
    await sql`update index_jobs set run_at = now(), leased_until = now() where leased_until < now() + interval '25 seconds'`
    worker.nudge()
    return queueIsEmpty()
  })
  await everythingIndexedOnce(400)
})

test.run()
