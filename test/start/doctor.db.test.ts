import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { clockFinding } from '../../server/doctor/clock.ts'
import { diskFinding } from '../../server/doctor/disk.ts'
import { createDoctor, type DoctorDeps } from '../../server/doctor.ts'
import { EmbeddingUnavailable } from '../../server/embed/embedder.ts'
import type { Finding } from '../../src/contract/doctor.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { Garden } from '../search/planted.ts'
import { suite } from '../suite.ts'

const test = suite('doctor')
let database: TestDatabase
const CONFIG: DoctorDeps['config'] = {
  home: tmpdir(),
  host: '127.0.0.1',
  port: 8787,
  demo: false,
  console: false,
  allowance: {},
}
let garden: Garden

test.before(async () => {
  database = await openTestDatabase()
})
test.before.each(async () => {
  await database.sql`update installation set embedding_model_id = null`
  garden = await new Garden(database.sql).open('Lakeside')
  await database.sql`update installation set embedding_model_id = ${garden.modelId}`
})
test.after(() => database.close())

async function findings(
  changes: Partial<DoctorDeps> = {},
  longestLookMs?: number,
  thorough?: boolean,
): Promise<Finding[]> {
  return createDoctor(
    {
      sql: database.sql,
      config: CONFIG,
      embedder: garden.embedder,
      model: { name: 'planted', id: garden.modelId },
      clock: () => new Date(),
      ...changes,
    },
    longestLookMs,
  )(thorough)
}

const unwell = (all: Finding[]) => all.filter(({ status }) => status !== 'ok')

test('finds nothing wrong with a server that is well', async () => {
  const all = await findings()
  assert.equal(unwell(all), [])
  for (const check of [
    'database',
    'migrations',
    'clock',
    'queue',
    'model',
    'embedding',
    'disk',
    'origins',
    'network',
    'demo',
    'console',
  ]) {
    assert.ok(
      all.some((finding) => finding.check === check),
      check,
    )
  }
})

/** The one finding that a fault makes, which must say what to do. */
async function faultOf(changes: Partial<DoctorDeps>): Promise<Finding> {
  const found = unwell(await findings(changes))
  assert.is(found.length, 1, JSON.stringify(found))
  const [finding] = found
  if (!finding) throw new Error('no finding')
  assert.type(finding.hint, 'string')
  return finding
}

test('an embedding service that does not answer', async () => {
  const failing = { ...garden.embedder, embed: () => Promise.reject(new EmbeddingUnavailable('connection refused')) }
  const { check, status, message } = await faultOf({ embedder: failing })
  assert.equal([check, status], ['embedding', 'failure'])
  assert.match(message, /connection refused/)
})

test('an embedding service that limits requests, or fails, is not a matter of the settings', async () => {
  const hintAt = async (status: number) => {
    const embed = () => Promise.reject(new EmbeddingUnavailable(`answered ${status}`, { status }))
    // Of a model with a calibration the scores are not measured as well: that would only fail again.
    return (await faultOf({ embedder: { ...garden.embedder, calibration: 0.6, embed } })).hint ?? ''
  }
  assert.match(await hintAt(429), /limit of requests/)
  assert.match(await hintAt(502), /log of the embedding service/)
  assert.match(await hintAt(404), /PULLQUOTE_EMBEDDING_URL/)
})

test('an embedding service that a visitor would wait for', async () => {
  const embed: typeof garden.embedder.embed = async (...asked) => {
    await sleep(2_010)
    return garden.embedder.embed(...asked)
  }
  const { check, status, message } = await faultOf({ embedder: { ...garden.embedder, embed } })
  assert.equal([check, status], ['embedding', 'warning'])
  assert.match(message, /in 2\d\d\d ms/)
})

test('a slow embedding service has its scores measured where there is time, and elsewhere it is said where', async () => {
  const embed: typeof garden.embedder.embed = async (texts, _kind, signal) => {
    if (texts.length > 1) await sleep(600, undefined, { signal })
    return texts.map(() => new Float32Array(garden.embedder.dimensions).fill(1))
  }
  const slow = { ...garden.embedder, calibration: 0.6, embed }
  const scores = async (thorough: boolean) =>
    (await findings({ embedder: slow }, 500, thorough)).find(({ check }) => check === 'scores')
  assert.match((await scores(false))?.hint ?? '', /run pullquote doctor/)
  assert.match((await scores(true))?.message ?? '', /in a built-in test/)
})

test('another model than the one of the database', async () => {
  const other = await garden.model('other', 3)
  assert.is((await faultOf({ model: { name: 'other', id: other } })).check, 'model')
})

test('a model that changed under its name, which the length of its vectors does not show', async () => {
  await garden.plant({ slices: [['A quiet room.', 1]] })
  const failureAt = async (...vector: number[]) => {
    const embed = async (texts: readonly string[]) => texts.map(() => Float32Array.from(vector))
    const all = await findings({ embedder: { ...garden.embedder, calibration: 0.6, embed } })
    return all.find(({ status }) => status === 'failure')
  }
  assert.is(await failureAt(127, 0, 0), undefined)
  assert.is(await failureAt(127, 12, 12), undefined)
  const changed = await failureAt(40, 120, 0)
  assert.match(changed?.message ?? '', /other vectors than those stored/)
  assert.match(changed?.hint ?? '', /PULLQUOTE_EMBEDDING_CALIBRATION/)
})

test('a database that lets nothing be written', async () => {
  const { check, message } = await database.sql.begin('read only', (sql) => faultOf({ sql }))
  assert.match(`${check} ${message}`, /^database is read-only/)
})

test('a database that says nothing is told of in time, and the rest is looked at', async () => {
  const sql = new Proxy(database.sql, { apply: () => new Promise(() => {}) })
  const all = await findings({ sql }, 500)
  const silent = all.filter(({ message }) => message.includes('The database did not answer in time'))
  assert.ok(silent.some(({ check }) => check === 'database'))
  assert.ok(all.some(({ check, status }) => check === 'disk' && status === 'ok'))
})

test('clocks that differ', async () => {
  const finding = await faultOf({ clock: () => new Date(Date.now() - 3_600_000) })
  assert.match(finding.message, /differ by 3\d\d\d s/)
})

test('clocks that agree on a time before the last migration', async () => {
  const { sql } = database
  const [{ name } = { name: '' }] = await sql<{ name: string }[]>`select name from schema_migrations limit 1`
  await sql`update schema_migrations set applied_at = now() + interval '1 day' where name = ${name}`
  const { check, status, message } = await faultOf({})
  await sql`update schema_migrations set applied_at = now() where name = ${name}`
  assert.equal([check, status], ['clock', 'warning'])
  assert.match(message, 'the clock is slow now, or was fast then')
})

test('clocks that agree on 1970', () => {
  const early = new Date('1970-01-01T00:03:20Z')
  const { status, message } = clockFinding({ server: early, database: early, migrated: early })
  assert.is(status, 'warning')
  assert.match(message, '1970-01-01T00:03:20.000Z, and this service is younger')
})

test('a disk so full that the embedded database stores nothing any more is a failure, one that is nearly full a warning', () => {
  const statusOf = (bytes: number, isEmbedded: boolean) => diskFinding(bytes, '/srv/home', isEmbedded).status
  assert.equal(
    [51e6, 70e6, 2e9].map((bytes) => statusOf(bytes, true)),
    ['failure', 'warning', 'ok'],
  )
  assert.is(statusOf(51e6, false), 'warning', 'the database is elsewhere')
  assert.match(diskFinding(51e6, '/srv/home', true).message, /^51 MB free in \/srv\/home: 68 MB are needed/)
})

test('publishable keys without origins, and origins without TLS', async () => {
  const { sql } = database
  const { id } = garden.context.project
  await sql`insert into api_keys (project_id, env, kind, key_hash, hint)
    values (${id}, 'live', 'publishable', ${Buffer.alloc(32, 1)}, 'abcd')`
  assert.match((await faultOf({})).message, /Lakeside has publishable keys but no allowed origin/)
  await sql`update projects set name = 'Lakeside & Son''s'`
  assert.is((await faultOf({})).hint, "pullquote projects set 'Lakeside & Son'\\''s' --add-origin URL")
  await sql`update projects set name = 'Lakeside'`
  await sql`update projects set allowed_origins = '{http://localhost:3000,http://shop.example}'`
  assert.match((await faultOf({})).message, /without TLS: http:\/\/shop\.example$/)
})

test('of hundreds of projects with the same fault, the first are named and the rest counted', async () => {
  const { sql } = database
  await sql`insert into projects (name, allowed_origins)
    select 'Shop ' || n, '{http://shop.example}' from generate_series(1, 150) n`
  try {
    const found = unwell(await findings())
    assert.is(found.length, 21)
    assert.is(found.at(-1)?.message, '130 more projects with such findings')
  } finally {
    await sql`delete from projects where name like 'Shop %'`
  }
})

test('reviews that cannot be indexed', async () => {
  const id = await garden.plant({ slices: [['x', 0.5]] })
  await database.sql`insert into index_jobs (project_id, review_id, text_version, attempts, last_error)
    values (${garden.context.project.id}, ${id}, 1, 4, 'embedding_unavailable: 500')`
  assert.match((await faultOf({})).message, /1 have failed, one 4 times: embedding_unavailable: 500/)
})

test('reviews that are set aside', async () => {
  const { sql } = database
  const id = await garden.plant({ slices: [['x', 0.5]] })
  await sql`delete from index_jobs`
  await sql`insert into index_jobs (project_id, review_id, text_version, set_aside_at, last_error)
    values (${garden.context.project.id}, ${id}, 1, now(), 'refused with 400')`
  const aside = await faultOf({})
  assert.is(aside.check, 'set aside')
  assert.match(aside.message, /1 review failed twice and set aside; reason for the latest: refused with 400/)
  assert.match(aside.hint ?? '', 'pullquote reviews failed')
  await sql`delete from index_jobs`
})

test('a server open to the network without its address or TLS', async () => {
  assert.match((await faultOf({ config: { ...CONFIG, host: '0.0.0.0' } })).message, /PULLQUOTE_PUBLIC_URL is not set/)
  const plain = { ...CONFIG, host: '0.0.0.0', publicUrl: 'http://reviews.example' }
  assert.match((await faultOf({ config: plain })).message, /has no TLS/)
})

test('a port to which browsers send nothing, unless a proxy stands before it', async () => {
  assert.match((await faultOf({ config: { ...CONFIG, port: 6000 } })).message, /no request to port 6000/)
  const odd = { ...CONFIG, publicUrl: 'https://reviews.example:4190' }
  assert.match((await faultOf({ config: odd })).message, /no request to port 4190/)
  assert.equal(unwell(await findings({ config: { ...odd, port: 6000, publicUrl: 'https://reviews.example' } })), [])
})

test('a demo that may be public by accident: pages elsewhere query a server that names no public address', async () => {
  const { sql } = database
  const shown = { ...CONFIG, demoProject: 'Lakeside' }
  const demoOf = async (config: DoctorDeps['config']) =>
    (await findings({ config })).find(({ check }) => check === 'demo')
  await sql`update projects set allowed_origins = '{http://localhost:3000,http://127.0.0.1:8787}'`
  assert.is((await demoOf(shown))?.status, 'ok')
  await sql`update projects set allowed_origins = '{http://localhost:3000,https://localhost.example}'`
  const { check, message, hint } = await faultOf({ config: shown })
  assert.is(check, 'demo')
  assert.match(message, /^https:\/\/localhost\.example may query this server.*Lakeside to everyone/)
  assert.match(hint ?? '', 'PULLQUOTE_PUBLIC_URL')
  assert.is((await demoOf({ ...shown, publicUrl: 'https://reviews.example' }))?.message, '/demo is off')
  assert.match(
    (await demoOf({ ...shown, demo: true }))?.message ?? '',
    'Lakeside to everyone, since PULLQUOTE_DEMO is true',
  )
  assert.match((await faultOf({ config: { ...CONFIG, demoProject: 'Nowhere' } })).message, /does not exist: Nowhere/)
})

test('a console that is offered to others without TLS', async () => {
  const of = async (config: DoctorDeps['config']) =>
    (await findings({ config })).find(({ check }) => check === 'console')
  assert.is((await of(CONFIG))?.message, '/console is for this machine only')
  assert.is((await of({ ...CONFIG, host: '0.0.0.0' }))?.message, '/console is off')
  assert.is((await of({ ...CONFIG, console: true, publicUrl: 'https://reviews.example' }))?.status, 'ok')
  const open = await of({ ...CONFIG, host: '0.0.0.0', console: true })
  assert.is(open?.status, 'warning')
  assert.match(open?.hint ?? '', 'TLS')
})

test('reviews that wait for the next day, whose allowance is used up', async () => {
  const { sql } = database
  const { id } = garden.context.project
  await sql`with waiting as (insert into reviews (project_id, env, source, external_id, text, author_name, occurred_at)
      values (${id}, 'live', 'custom', 'waiting', 'Lovely.', 'Ada', now()) returning project_id, id, text_version)
    insert into index_jobs (project_id, review_id, text_version) select project_id, id, text_version from waiting`
  await sql`insert into embedding_usage (day, texts) values ((now() at time zone 'utc')::date, 9)`
  const withAllowance = (dailyEmbeddings: number) => ({ config: { ...CONFIG, allowance: { dailyEmbeddings } } })
  assert.equal(unwell(await findings(withAllowance(10))), [])
  const { check, message, hint } = await faultOf(withAllowance(9))
  assert.is(check, 'queue')
  assert.match(message, /^1 review is waiting, .*daily allowance of 9 texts is used up until 00:00 UTC/)
  assert.match(hint ?? '', 'PULLQUOTE_DAILY_EMBEDDINGS')
  await sql`delete from embedding_usage`
})

test('what cannot be looked at is a finding, and the rest is looked at', async () => {
  const all = await findings({ config: { ...CONFIG, home: '/does/not/exist' } })
  assert.equal(
    unwell(all).map(({ check }) => check),
    ['disk'],
  )
})

test.run()
