import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { authenticate } from '../../../server/sql/access/authenticate.ts'
import { createKey, isKeyActive, listKeys, revokeKey } from '../../../server/sql/access/keys.ts'
import { openTestDatabase, type TestDatabase } from '../../database.ts'
import { suite } from '../../suite.ts'
import { makeProject, sha256 } from '../fixtures.ts'

const test = suite('keys')
let db: TestDatabase

test.before(async () => {
  db = await openTestDatabase()
})
test.after(() => db.close())

async function makeKey(fields: { expiresInSeconds?: number } = {}) {
  const project = await makeProject(db.sql, { allowedOrigins: ['https://inn.example'] })
  const keyHash = sha256(randomUUID())
  const key = await createKey(db.sql, {
    projectId: project.id,
    env: 'test',
    kind: 'publishable',
    keyHash,
    hint: 'Zz09',
    ...fields,
  })
  if (!key) throw new Error('no key')
  return { project, key, keyHash }
}

/** By a value, since a distributed database refuses to move a column by an interval. */
async function moveWindow(keyId: string, seconds: number): Promise<void> {
  const [row] = await db.sql<{ moved: string }[]>`
    select (started_at - make_interval(secs => ${seconds}))::text as moved from rate_windows where key_id = ${keyId}`
  await db.sql`update rate_windows set started_at = ${row?.moved ?? ''}::text::timestamptz where key_id = ${keyId}`
}

test('a known key brings its project, environment, kind and revision', async () => {
  const { project, key, keyHash } = await makeKey()
  await db.sql`update environments set revision = 7, stamp = '00000000-0000-0000-0000-00000000000a' where project_id = ${project.id} and env = 'test'`
  const found = await authenticate(db.sql, keyHash)
  assert.equal(found, {
    keyId: key.id,
    kind: 'publishable',
    env: 'test',
    revision: '7:00000000-0000-0000-0000-00000000000a',
    requestsInWindow: 1,
    windowEndsInSeconds: 60,
    project,
  })
  assert.equal(project.allowedOrigins, ['https://inn.example'])
})

test('the list tells what a key is for and when it was last used', async () => {
  const { project } = await makeKey()
  const keyHash = sha256(randomUUID())
  const fields = { projectId: project.id, env: 'live', kind: 'secret', keyHash, hint: 'Zz10', name: 'shop' } as const
  const made = await createKey(db.sql, fields)
  const listed = async () => (await listKeys(db.sql, project.id)).find(({ id }) => id === made?.id)
  assert.equal([(await listed())?.name, (await listed())?.last_used_at], ['shop', null])
  await authenticate(db.sql, keyHash)
  const first = (await listed())?.last_used_at
  assert.ok(first && Math.abs(Date.now() - Date.parse(first)) < 600_000)
  await authenticate(db.sql, keyHash)
  assert.equal((await listed())?.last_used_at, first, 'once a minute is enough')
  await db.sql`update api_keys set last_used_at = now() - interval '2 minutes' where id = ${made?.id ?? ''}`
  await authenticate(db.sql, keyHash)
  assert.ok(((await listed())?.last_used_at ?? '') >= first)
  // While the clock was wrong, a use of years ahead was written down.
  await db.sql`update api_keys set last_used_at = now() + interval '4 years' where id = ${made?.id ?? ''}`
  await authenticate(db.sql, keyHash)
  assert.ok(Date.parse((await listed())?.last_used_at ?? '') < Date.now() + 600_000)
})

test('an unknown, a revoked and an expired key are not found', async () => {
  const { key, keyHash } = await makeKey()
  const expired = await makeKey({ expiresInSeconds: -1 })
  const valid = await makeKey({ expiresInSeconds: 60 })
  assert.is(await authenticate(db.sql, sha256('nobody')), undefined)
  assert.is(await authenticate(db.sql, expired.keyHash), undefined)
  assert.ok(await authenticate(db.sql, valid.keyHash))
  assert.ok(await authenticate(db.sql, keyHash))
  assert.is(await revokeKey(db.sql, key.id), true)
  assert.is(await authenticate(db.sql, keyHash), undefined)
  assert.is(await revokeKey(db.sql, key.id), false)
  assert.is(await revokeKey(db.sql, 'no uuid'), false)
})

test('a window lasts 60 s from its first request, and the next request begins another', async () => {
  const { key, keyHash } = await makeKey()
  await authenticate(db.sql, keyHash)
  await authenticate(db.sql, keyHash)
  await moveWindow(key.id, 50)
  const third = await authenticate(db.sql, keyHash)
  assert.is(third?.requestsInWindow, 3)
  assert.ok(third && third.windowEndsInSeconds >= 9 && third.windowEndsInSeconds <= 10)
  await moveWindow(key.id, 9.1)
  assert.is((await authenticate(db.sql, keyHash))?.windowEndsInSeconds, 1)
  await moveWindow(key.id, 1)
  const fresh = await authenticate(db.sql, keyHash)
  assert.is(fresh?.requestsInWindow, 1)
  assert.is(fresh?.windowEndsInSeconds, 60)
})

test('a window that begins in the future, after the clock was set back, is over', async () => {
  const { key, keyHash } = await makeKey()
  await authenticate(db.sql, keyHash)
  await authenticate(db.sql, keyHash)
  await moveWindow(key.id, -3600)
  const fresh = await authenticate(db.sql, keyHash)
  assert.is(fresh?.requestsInWindow, 1)
  assert.is(fresh?.windowEndsInSeconds, 60)
  assert.is((await authenticate(db.sql, keyHash))?.requestsInWindow, 2)
  // By as little as two statements may differ it stays, and never lasts longer than a window.
  await moveWindow(key.id, -3)
  const third = await authenticate(db.sql, keyHash)
  assert.is(third?.requestsInWindow, 3)
  assert.is(third?.windowEndsInSeconds, 60)
})

test('a key is active until it is revoked or expires', async () => {
  const { key } = await makeKey()
  assert.is(await isKeyActive(db.sql, key.id), true)
  await revokeKey(db.sql, key.id)
  assert.is(await isKeyActive(db.sql, key.id), false)
  const { key: expired } = await makeKey({ expiresInSeconds: -1 })
  assert.is(await isKeyActive(db.sql, expired.id), false)
})

test('no request is lost when many arrive at once', async () => {
  const { keyHash } = await makeKey()
  const answers = await Promise.all(Array.from({ length: 50 }, () => authenticate(db.sql, keyHash)))
  assert.equal(
    answers.map((answer) => answer?.requestsInWindow).sort((a, b) => Number(a) - Number(b)),
    Array.from({ length: 50 }, (_, i) => i + 1),
  )
})

test('keys that come together are answered each for itself', async () => {
  const one = await makeKey()
  const other = await makeKey()
  const hashes = [one.keyHash, sha256('nobody'), other.keyHash, one.keyHash, sha256('nobody'), other.keyHash]
  const answers = await Promise.all(hashes.map((hash) => authenticate(db.sql, hash)))
  assert.equal(
    answers.map((answer) => answer?.keyId),
    [one.key.id, undefined, other.key.id, one.key.id, undefined, other.key.id],
  )
  // Two statements may be under way, and either may count first.
  for (const { key } of [one, other]) {
    const places = answers.filter((answer) => answer?.keyId === key.id).map((answer) => answer?.requestsInWindow)
    assert.equal(places.sort(), [1, 2])
  }
})

test('keys count apart from each other', async () => {
  const one = await makeKey()
  const other = await makeKey()
  await authenticate(db.sql, one.keyHash)
  assert.is((await authenticate(db.sql, other.keyHash))?.requestsInWindow, 1)
})

test('a list shows keys of one project or of all, and never the key or its hash', async () => {
  const { project, key } = await makeKey()
  const other = await makeKey()
  assert.equal(await listKeys(db.sql, project.id), [key])
  assert.is(key.project, project.name)
  const all = await listKeys(db.sql)
  assert.ok(all.some(({ id }) => id === key.id) && all.some(({ id }) => id === other.key.id))
  assert.equal(Object.keys(key).sort(), [
    'created_at',
    'env',
    'expires_at',
    'hint',
    'id',
    'kind',
    'last_used_at',
    'name',
    'project',
    'revoked_at',
  ])
})

test('a key of a project that does not exist is not made', async () => {
  const key = { projectId: randomUUID(), env: 'live', kind: 'secret', keyHash: sha256('x'), hint: 'x' } as const
  assert.is(await createKey(db.sql, key), undefined)
})

/** A key that was made, expires and was revoked so many hours ago (a negative number: in so many hours). */
async function pastKey(hours: { made: number; expires?: number; revoked?: number }): Promise<string> {
  const { key } = await makeKey()
  const ago = (value: number | undefined) => (value === undefined ? null : new Date(Date.now() - value * 3_600_000))
  const { made, expires, revoked } = hours
  await db.sql`
    update api_keys set created_at = ${ago(made)}, expires_at = ${ago(expires)}, revoked_at = ${ago(revoked)}
    where id = ${key.id}`
  return key.id
}

test('keys of a day are forgotten an hour after they ended', async () => {
  const expired = await pastKey({ made: 26, expires: 2 })
  const revoked = await pastKey({ made: 3, expires: -21, revoked: 2 })
  const kept = [
    await pastKey({ made: 24.5, expires: 0.5 }),
    await pastKey({ made: 3, expires: -21 }),
    await pastKey({ made: 1, expires: -23, revoked: 0.5 }),
  ]
  await makeKey()
  const left = (await listKeys(db.sql)).map(({ id }) => id)
  assert.not(left.includes(expired))
  assert.not(left.includes(revoked))
  assert.ok(kept.every((id) => left.includes(id)))
})

test('keys that people made are never forgotten, however long ago they ended', async () => {
  const made = [
    await pastKey({ made: 10_000 }),
    await pastKey({ made: 10_000, revoked: 9_000 }),
    await pastKey({ made: 10_000, expires: 9_900 }),
    await pastKey({ made: 10_000, expires: 9_000, revoked: 9_999 }),
  ]
  await makeKey()
  const left = (await listKeys(db.sql)).map(({ id }) => id)
  assert.ok(made.every((id) => left.includes(id)))
})

test.run()
