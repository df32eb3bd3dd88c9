import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { type CommandKeyScope, commandKey } from '../../../src/cli/connection/command-key.ts'
import { ApiError } from '../../../src/client/errors.ts'
import type { BufferedRequest, Fetch } from '../../../src/client/fetch.ts'
import type { Operator } from '../../../src/client/operator.ts'
import { createTransport } from '../../../src/client/transport.ts'
import type { CreatedKey } from '../../../src/contract/key.ts'
import type { Project } from '../../../src/contract/project.ts'
import { exampleCreatedKey } from '../../client/example-answers.ts'
import { suite } from '../../suite.ts'
import { newHome } from '../run-cli.ts'

const test = suite('the key that commands share')

/** An installation: what keys it made, which of them work, and what was sent with them. */
function installation() {
  const active = new Set<string>()
  const made: CreatedKey[] = []
  const bodies: string[] = []
  const operator = {
    async createKey({ env, kind, project }) {
      const key = exampleCreatedKey({ id: `id-${made.length}`, key: `svc_sk_live_${made.length}`, env, kind, project })
      made.push(key)
      active.add(key.key)
      return key
    },
    async revokeKey(id) {
      active.delete(made.find((key) => key.id === id)?.key ?? '')
    },
  } satisfies Partial<Operator> as unknown as Operator
  const fetch = async (request: Request) => {
    const key = request.headers.get('authorization')?.slice('Bearer '.length) ?? ''
    if (!active.has(key)) return new Response(null, { status: 401 })
    bodies.push(await request.text())
    return new Response('{}')
  }
  const use = async (place: CommandKeyScope, by: Fetch = fetch) => {
    const { key, renew, release } = await commandKey(operator, place)
    const { call, stream } = createTransport({ fetch: by, baseUrl: 'http://x', bearer: key, renew })
    const request = { method: 'POST', path: '/' } as const
    const send = (body: string) => call({ ...request, body, schema: v.object({}) })
    const upload = async (body: string) => (await stream({ ...request, body: async () => Buffer.from(body) })).json()
    return { key, release, send, upload }
  }
  return { active, made, bodies, use }
}

const placeIn = (home: string): CommandKeyScope => ({
  home,
  url: undefined,
  project: { id: 'p-1', name: 'hotel' } as Project,
  env: 'live',
})
const onlyFile = (home: string) => {
  const [name, ...more] = readdirSync(join(home, 'command-keys'))
  assert.equal(more, [])
  return join(home, 'command-keys', name ?? '')
}

test('is made once and kept for its owner alone; each project, environment and server has its own', async () => {
  const { made, use } = installation()
  const place = placeIn(newHome())
  for (let command = 0; command < 3; command++) {
    const { key, release } = await use(place)
    assert.is(key, 'svc_sk_live_0')
    await release()
  }
  assert.is(statSync(onlyFile(place.home)).mode & 0o777, 0o600)
  assert.is(statSync(join(place.home, 'command-keys')).mode & 0o777, 0o700)
  assert.is((await use({ ...place, env: 'test' })).key, 'svc_sk_live_1')
  assert.is((await use({ ...place, url: 'https://reviews.example' })).key, 'svc_sk_live_2')
  assert.is((await use({ ...place, project: { ...place.project, id: 'p-2' } })).key, 'svc_sk_live_3')
  assert.is(made.length, 4)
})

test('commands that begin together agree on one', async () => {
  const { active, use } = installation()
  const place = placeIn(newHome())
  const commands = await Promise.all(Array.from({ length: 8 }, () => use(place)))
  for (const { send, release } of commands) {
    assert.equal(await send('x'), {})
    await release()
  }
  assert.equal([...active], [(await use(place)).key])
})

test('one that was revoked, or belongs to another database, is replaced and the request sent again', async () => {
  const { active, bodies, made, use } = installation()
  const place = placeIn(newHome())
  await use(place)
  active.clear()
  const { send, upload } = await use(place)
  assert.equal(await Promise.all([send('one'), upload('two')]), [{}, {}])
  assert.equal(bodies.sort(), ['one', 'two'])
  assert.equal(await send('three'), {})
  assert.is(made.length, 2)
  assert.is((await use(place)).key, 'svc_sk_live_1')
})

test('it is replaced as well for what is sent whole', async () => {
  const { active, bodies, use } = installation()
  const place = placeIn(newHome())
  await use(place)
  active.clear()
  const buffered = async ({ headers, body }: BufferedRequest) => {
    const isActive = active.has(headers.authorization?.slice('Bearer '.length) ?? '')
    if (isActive) bodies.push(body ?? '')
    const status = isActive ? 200 : 401
    return { status, ok: isActive, headers: new Headers(), text: async () => '{}' }
  }
  const never = () => Promise.reject(new Error('is sent whole'))
  const { send } = await use(place, Object.assign(never, { buffered }))
  assert.equal(await Promise.all([send('one'), send('two')]), [{}, {}])
  assert.equal(await send('three'), {})
  assert.equal([bodies.sort(), active.size], [['one', 'three', 'two'], 1])
})

test('one that is revoked while the command runs ends it', async () => {
  const { active, made, use } = installation()
  const place = placeIn(newHome())
  await use(place)
  const { send } = await use(place)
  await send('one')
  active.clear()
  const error = await send('two').catch((error: unknown) => error)
  assert.is(error instanceof ApiError && error.status, 401)
  assert.is(made.length, 1)
})

test('one that ends too soon, that others can read, or that is no key is not used', async () => {
  const { made, use } = installation()
  const place = placeIn(newHome())
  await use(place)
  const file = onlyFile(place.home)
  const kept = JSON.parse(readFileSync(file, 'utf8'))
  assert.ok(Math.abs(Date.parse(kept.until) - Date.now() - 12 * 3_600_000) < 60_000)
  const spoilt = [
    () => writeFileSync(file, JSON.stringify({ ...kept, until: new Date(Date.now() + 5 * 3_600_000).toISOString() })),
    () => chmodSync(file, 0o644),
    () => writeFileSync(file, '{"key":'),
  ]
  for (const spoil of spoilt) {
    spoil()
    const before = made.length
    await use(place)
    assert.is(made.length, before + 1)
    assert.is((await use(place)).key, `svc_sk_live_${before}`)
  }
})

test('nothing but keys is removed beside it, wherever the folder leads', async () => {
  const { use } = installation()
  const place = placeIn(newHome())
  const elsewhere = newHome()
  mkdirSync(elsewhere, { recursive: true })
  mkdirSync(place.home, { recursive: true })
  writeFileSync(join(elsewhere, 'passwd'), 'root')
  writeFileSync(join(elsewhere, `${'0'.repeat(32)}.json`), 'a key of a deleted project')
  symlinkSync(elsewhere, join(place.home, 'command-keys'))
  await use(place)
  assert.is(readFileSync(join(elsewhere, 'passwd'), 'utf8'), 'root')
  assert.is(existsSync(join(elsewhere, `${'0'.repeat(32)}.json`)), false)
})

if (process.getuid?.() === 0) {
  test("what root's command stores in another user's home is that user's", async () => {
    const { use } = installation()
    const place = placeIn(newHome())
    mkdirSync(place.home, { recursive: true })
    chownSync(place.home, 65_534, 65_534)
    await use(place)
    assert.equal(
      [join(place.home, 'command-keys'), onlyFile(place.home)].map((path) => statSync(path).uid),
      [65_534, 65_534],
    )
  })
}

test('without a home that can be written to, it is made for one command and revoked', async () => {
  const { active, use } = installation()
  const home = join(newHome(), 'file')
  writeFileSync(home, '')
  const { send, release } = await use(placeIn(home))
  assert.equal(await send('x'), {})
  await release()
  assert.is(active.size, 0)
  assert.not(existsSync(join(home, 'command-keys')))
})

test.run()
