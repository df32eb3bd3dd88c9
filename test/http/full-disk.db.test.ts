import * as assert from 'uvu/assert'
import type { AppDeps } from '../../server/app-deps.ts'
import { LEAST_FREE_BYTES } from '../../server/db/home/free-space.ts'
import { fillUp, makeRoom, triggersOf } from '../full-database.ts'
import { suite } from '../suite.ts'
import { assertRefusal } from './answers.ts'
import { OPERATOR_TOKEN, openService, review, type TestService } from './service.ts'
import { openTransport } from './transport.ts'

const test = suite('a disk that is almost full')
const withTriggers = triggersOf(test)
let service: TestService
let free: number | undefined
/** How many more times there is room. */
let times = Number.POSITIVE_INFINITY
test.before(async () => {
  service = await openService()
})
test.after(() => service.close())

async function ask(method: string, path: string, body?: string, type = 'application/json', more = {}) {
  const deps: AppDeps = { ...service.deps, freeSpace: async () => (times-- > 0 ? free : 0) }
  const transport = await openTransport('app.fetch', deps)
  const authorization = `Bearer ${path.startsWith('/operator') ? OPERATOR_TOKEN : service.keys.secret}`
  const headers = { authorization, ...(body === undefined ? {} : { 'content-type': type }), ...more }
  return transport.send({ method, path, headers, ...(body === undefined ? {} : { body }) })
}
const rows = async () => (await service.deps.sql`select count(*)::int as count from reviews`)[0]?.count
const CSV = 'Text,Date,Author\nThe garden was lovely all week.,2026-01-05,Mara\n'

test('takes no pushes and no imports and says so, while reading goes on', async () => {
  free = LEAST_FREE_BYTES - 1
  const pushed = await ask('POST', '/v1/reviews', JSON.stringify(review('a')))
  assert.is(pushed.headers.get('retry-after'), '30')
  const { message } = await assertRefusal(pushed, 'service_unavailable', 'a push')
  assert.match(message, 'The disk of the server is full: 67 MB are free')
  const imported = await ask('POST', '/imports?file_name=a.csv', CSV, 'text/csv')
  assert.match((await assertRefusal(imported, 'service_unavailable', 'an import')).message, 'disk')
  assert.is(await rows(), 0)
  assert.is((await ask('GET', '/v1/reviews')).status, 200)
  assert.is((await ask('GET', '/v1/query')).status, 200)
})

test('with room again, or where the room cannot be told, both are stored', async () => {
  free = LEAST_FREE_BYTES
  assert.is((await ask('POST', '/v1/reviews', JSON.stringify(review('a')))).status, 200)
  free = undefined
  const imported = await ask('POST', '/imports?file_name=a.csv', CSV, 'text/csv')
  assert.is(imported.status, 200, await imported.clone().text())
  assert.is(await rows(), 2)
})

test('an import that it fills up says that the batches before are stored, and the same file continues it', async () => {
  const file = `id,date,text\n${Array.from({ length: 1_000 }, (_, i) => `${i},2026-01-05,Row ${i}.`).join('\n')}\n`
  const before = await rows()
  times = 1
  const stopped = await ask('POST', '/imports', file, 'text/csv')
  times = Number.POSITIVE_INFINITY
  assert.is(stopped.headers.get('retry-after'), '30')
  const { message } = await assertRefusal(stopped, 'service_unavailable', 'an import')
  assert.match(
    message,
    /are needed to store reviews\. The batches before that are stored: the same file again continues/,
  )
  const stored = (await rows()) - before
  assert.ok(stored > 0 && stored < 1_000, String(stored))
  assert.is((await ask('POST', '/imports', file, 'text/csv')).status, 200)
  assert.is((await rows()) - before, 1_000)
})

test('where an import reports its progress, a full disk is a warning in the log and no error of the server', async () => {
  const file = `id,date,text\n${Array.from({ length: 600 }, (_, i) => `p${i},2026-01-05,Row ${i}.`).join('\n')}\n`
  const levels: string[] = []
  const { log } = service.deps
  service.deps.log = { ...log, warn: () => levels.push('warn'), error: () => levels.push('error') }
  times = 1
  try {
    const answer = await ask('POST', '/imports', file, 'text/csv', { accept: 'application/x-ndjson' })
    assert.match(await answer.text(), /"code":"service_unavailable".*The batches before that are stored/)
    assert.equal(levels, ['warn'])
  } finally {
    times = Number.POSITIVE_INFINITY
    service.deps.log = log
  }
})

withTriggers('of the database itself, which only a failed statement tells, is told to the client too', async () => {
  const { sql } = service.deps
  await fillUp(sql, 'reviews')
  try {
    const pushed = await ask('POST', '/v1/reviews', JSON.stringify(review('b')))
    assert.is(pushed.headers.get('retry-after'), '30')
    const { message } = await assertRefusal(pushed, 'service_unavailable', 'a push')
    assert.match(message, 'The disk of the database is full. Nothing was written')
    assert.is((await ask('GET', '/v1/query')).status, 200)
  } finally {
    await makeRoom(sql, 'reviews')
  }
  assert.is((await ask('POST', '/v1/reviews', JSON.stringify(review('b')))).status, 200)
})

withTriggers('a wipe that fails after its first step says that some reviews are removed', async () => {
  const { sql } = service.deps
  const [last] = await sql<{ id: string }[]>`select id from reviews order by id desc limit 1`
  await sql.unsafe(`
    create function stays() returns trigger language plpgsql as $$ begin raise 'no room' using errcode = '53100'; end $$;
    create trigger stays before delete on reviews for each row when (old.id = '${last?.id}') execute function stays()`)
  const before = await rows()
  const wiped = await ask('POST', '/operator/wipe', JSON.stringify({ project: service.project.name, env: 'live' }))
  await sql.unsafe('drop trigger stays on reviews; drop function stays')
  const { message } = await assertRefusal(wiped, 'service_unavailable', 'a wipe')
  assert.match(message, 'The disk of the database is full. Some of the reviews are removed, the others are there. Try')
  assert.ok((await rows()) > 0 && (await rows()) < before)
})

test.run()
