/** Routes of the operator: projects, keys, wiping. */
import { readdirSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { parseKey } from '../../src/contract/key.ts'
import { setAsideResponse } from '../../src/contract/set-aside.ts'
import { assertConventions, assertRateLimitHeaders, assertRefusal } from '../http/answers.ts'
import { OPERATOR_TOKEN, ORIGIN, openService, review } from '../http/service.ts'
import { serviceOnTransports } from '../http/service-on-transports.ts'
import { openTransport, TRANSPORTS } from '../http/transport.ts'
import { suite } from '../suite.ts'
import { makeTemporaryFolder } from '../temporary-folder.ts'

const project = v.strictObject({
  id: v.pipe(v.string(), v.uuid()),
  name: v.string(),
  plan: v.string(),
  origins: v.array(v.string()),
  similarity_floor: v.number(),
  min_rating: v.number(),
  excerpts: v.string(),
  reviews: v.strictObject({ live: v.number(), test: v.number() }),
  review_limit: v.number(),
  created_at: v.pipe(v.string(), v.isoTimestamp()),
})
const createdKey = v.looseObject({
  id: v.string(),
  key: v.string(),
  kind: v.string(),
  env: v.string(),
  project: v.string(),
})
const keyList = v.object({
  keys: v.array(
    v.strictObject({
      id: v.string(),
      kind: v.string(),
      env: v.string(),
      project: v.string(),
      name: v.nullable(v.string()),
      hint: v.string(),
      created_at: v.string(),
      last_used_at: v.nullable(v.string()),
      expires_at: v.nullable(v.string()),
      revoked_at: v.nullable(v.string()),
    }),
  ),
})

const test = suite('operator routes')

const { service, transports } = serviceOnTransports(test)

for (const name of TRANSPORTS) {
  const call = (method: string, path: string, body?: unknown, token = OPERATOR_TOKEN) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    return transports[name].send({
      method,
      path,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }
  const unique = (title: string) => `${title} ${name} ${Math.random()}`
  const make = async (body: object) => {
    const response = await call('POST', '/operator/projects', body)
    assert.is(response.status, 201, await response.clone().text())
    assertConventions(response, 'create')
    assertRateLimitHeaders(response, undefined, 'create')
    return v.parse(project, await response.json())
  }

  test(`${name}: a backup leaves no file while it is sent, so that a server that is killed leaves none`, async () => {
    const { TMPDIR } = process.env
    const folder = makeTemporaryFolder()
    process.env.TMPDIR = folder
    try {
      const answer = await call('GET', '/operator/backup')
      assert.is(answer.status, 200)
      assert.equal(readdirSync(folder), [])
      assert.equal([...gunzipSync(await answer.arrayBuffer()).subarray(0, 1)], [...Buffer.from('{')])
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = TMPDIR
    }
  })

  test(`${name}: reviews that were set aside are listed with the reason, and tried again when asked`, async () => {
    const { sql } = service.deps
    const made = await make({ name: unique('Aside') })
    const [stored] = await sql<{ id: string }[]>`
      insert into reviews (project_id, env, source, external_id, author_name, text, status, occurred_at)
      values (${made.id}, 'live', 'custom', 'bad', 'A', 'poison', 'indexing', now()) returning id`
    await sql`insert into index_jobs (project_id, review_id, text_version, attempts, faults, set_aside_at, run_at, last_error)
      values (${made.id}, ${stored?.id ?? ''}, 1, 2, 2, now(), 'infinity', 'refused with 400')`
    const path = `/operator/set-aside?project=${encodeURIComponent(made.name)}`
    const answer = await call('GET', path)
    const { total, reviews } = v.parse(setAsideResponse, await answer.json())
    assert.is(total, 1)
    assert.equal(
      reviews.map(({ external_id, env, reason }) => ({ external_id, env, reason })),
      [{ external_id: 'bad', env: 'live', reason: 'refused with 400' }],
    )
    const other = await make({ name: unique('Other') })
    assert.equal(await (await call('POST', '/operator/set-aside/retry', { project: other.name })).json(), { queued: 0 })
    assert.equal(await (await call('POST', '/operator/set-aside/retry', { project: made.name })).json(), { queued: 1 })
    assert.is(v.parse(setAsideResponse, await (await call('GET', path)).json()).total, 0)
    assert.is((await call('GET', '/operator/set-aside?project=nobody')).status, 404)
    assert.is((await call('GET', '/operator/set-aside?limit=0')).status, 422)
    assert.is((await call('POST', '/operator/set-aside/retry', { projects: 'x' })).status, 422)
  })

  test(`${name}: only the operator token opens these routes`, async () => {
    for (const [method, path] of [
      ['GET', '/operator/projects'],
      ['POST', '/operator/projects'],
      ['GET', '/operator/projects/hotel'],
      ['PATCH', '/operator/projects/hotel'],
      ['DELETE', '/operator/projects/hotel'],
      ['GET', '/operator/keys'],
      ['POST', '/operator/keys'],
      ['DELETE', '/operator/keys/x'],
      ['POST', '/operator/wipe'],
      ['GET', '/operator/set-aside'],
      ['POST', '/operator/set-aside/retry'],
    ] as const) {
      for (const token of [
        service.keys.secret,
        service.keys.publishable,
        `${OPERATOR_TOKEN}x`,
        OPERATOR_TOKEN.slice(1),
      ]) {
        await assertRefusal(await call(method, path, undefined, token), 'unauthorized', `${method} ${path}`)
      }
    }
    await assertRefusal(await call('GET', '/v1/reviews'), 'unauthorized', 'the token is no API key')
  })

  test(`${name}: a project is made with defaults, read by name and id, set and deleted`, async () => {
    const title = unique('Hôtel & Spa/100%')
    const made = await make({ name: title })
    assert.equal(made, {
      ...made,
      name: title,
      plan: 'free',
      origins: [],
      similarity_floor: 0.66,
      min_rating: 4,
      excerpts: 'all',
      reviews: { live: 0, test: 0 },
      review_limit: 5_000,
    })
    const path = `/operator/projects/${encodeURIComponent(title)}`
    for (const one of [path, `/operator/projects/${made.id}`]) {
      assert.equal(v.parse(project, await (await call('GET', one)).json()), made)
    }
    const changes = {
      plan: 'paid',
      origins: [ORIGIN, ORIGIN],
      similarity_floor: 0.5,
      min_rating: 2,
      excerpts: 'no_complaints',
    }
    const set = v.parse(project, await (await call('PATCH', path, changes)).json())
    assert.equal(set, { ...made, ...changes, origins: [ORIGIN], review_limit: 100_000 })
    assert.is((await call('DELETE', path)).status, 204)
    await assertRefusal(await call('GET', path), 'not_found', 'deleted')
    await assertRefusal(await call('DELETE', path), 'not_found', 'deleted')
  })

  test(`${name}: bad settings are named`, async () => {
    for (const [body, path] of [
      [{}, 'name'],
      [{ name: '' }, 'name'],
      [{ name: '..' }, 'name'],
      [{ name: 'x'.repeat(101) }, 'name'],
      [{ name: 'a', plan: 'gold' }, 'plan'],
      [{ name: 'a', similarity_floor: 1.1 }, 'similarity_floor'],
      [{ name: 'a', min_rating: 0 }, 'min_rating'],
      [{ name: 'a', excerpts: 'none' }, 'excerpts'],
      [{ name: 'a', origins: 'https://a.example' }, 'origins'],
      [{ name: 'a', floor: 0.5 }, 'floor'],
      ...[
        '*',
        'https://*.a.example',
        'https://a.example/',
        'https://A.example',
        'a.example',
        'https://a.example:443',
        'null',
      ].map((origin) => [{ name: 'a', origins: [ORIGIN, origin] }, 'origins.1'] as const),
    ] as const) {
      const error = await assertRefusal(await call('POST', '/operator/projects', body), 'validation_failed', path)
      assert.equal(
        error.details?.map((detail) => detail.path),
        [path],
        JSON.stringify(body),
      )
    }
  })

  test(`${name}: a name is taken once`, async () => {
    const title = unique('taken')
    const other = await make({ name: unique('other') })
    await make({ name: title })
    const again = await assertRefusal(
      await call('POST', '/operator/projects', { name: title }),
      'validation_failed',
      'POST',
    )
    assert.equal(
      again.details?.map((detail) => detail.path),
      ['name'],
    )
    const response = await call('PATCH', `/operator/projects/${other.id}`, { name: title })
    await assertRefusal(response, 'validation_failed', 'PATCH')
  })

  test(`${name}: a key is shown once, works, is listed without itself and stops working when revoked`, async () => {
    const { name: title } = await make({ name: unique('keys') })
    const response = await call('POST', '/operator/keys', {
      project: title,
      kind: 'secret',
      env: 'test',
      name: ' shop ',
    })
    assert.is(response.status, 201)
    const made = v.parse(createdKey, await response.json())
    assert.equal(parseKey(made.key), { kind: 'secret', env: 'test' })
    assert.is(made.project, title)
    assert.is((await call('GET', '/v1/reviews', undefined, made.key)).status, 200)

    const text = await (await call('GET', `/operator/keys?project=${encodeURIComponent(title)}`)).text()
    assert.not.match(text, made.key)
    const { keys } = v.parse(keyList, JSON.parse(text))
    assert.equal(
      keys.map((key) => [key.id, key.name, key.hint, key.last_used_at !== null, key.revoked_at]),
      [[made.id, 'shop', made.key.slice(-4), true, null]],
    )
    const [stored] = await service.database.sql`select key_hash::text as hash from api_keys where id = ${made.id}`
    assert.is(stored?.hash.length, 66)

    assert.is((await call('DELETE', `/operator/keys/${made.id}`)).status, 204)
    await assertRefusal(await call('DELETE', `/operator/keys/${made.id}`), 'not_found', 'revoked twice')
    await assertRefusal(await call('DELETE', '/operator/keys/none'), 'not_found', 'no id')
    await assertRefusal(await call('GET', '/v1/reviews', undefined, made.key), 'unauthorized', 'revoked')
  })

  test(`${name}: a key may expire`, async () => {
    const body = { project: 'hotel', kind: 'secret', env: 'live', expires_in_seconds: 60 }
    const made = v.parse(createdKey, await (await call('POST', '/operator/keys', body)).json())
    assert.is((await call('GET', '/v1/reviews', undefined, made.key)).status, 200)
    await service.database.sql`update api_keys set expires_at = now() - interval '1 second' where id = ${made.id}`
    await assertRefusal(await call('GET', '/v1/reviews', undefined, made.key), 'unauthorized', 'expired')
  })

  test(`${name}: keys of no project, kind or environment are refused`, async () => {
    const good = { project: 'hotel', kind: 'secret', env: 'live' }
    await assertRefusal(await call('POST', '/operator/keys', { ...good, project: 'none' }), 'not_found', 'project')
    for (const change of [{ kind: 'public' }, { env: 'prod' }, { expires_in_seconds: 0 }, { scope: 'all' }]) {
      const error = await assertRefusal(
        await call('POST', '/operator/keys', { ...good, ...change }),
        'validation_failed',
        'key',
      )
      assert.equal(
        error.details?.map((detail) => detail.path),
        Object.keys(change),
      )
    }
    await assertRefusal(await call('GET', '/operator/keys?project=none'), 'not_found', 'list')
    await assertRefusal(await call('GET', '/operator/keys?env=live'), 'validation_failed', 'list')
  })

  test(`${name}: wiping one environment leaves the other`, async () => {
    const made = await make({ name: unique('wiped') })
    const keys: string[] = []
    for (const env of ['live', 'test']) {
      const body = { project: made.name, kind: 'secret', env }
      keys.push(v.parse(createdKey, await (await call('POST', '/operator/keys', body)).json()).key)
    }
    for (const key of keys) await call('POST', '/v1/reviews', [review('a'), review('b')], key)
    const wiped = await call('POST', '/operator/wipe', { project: made.name, env: 'test' })
    assert.equal(await wiped.json(), { deleted: 2 })
    const after = v.parse(project, await (await call('GET', `/operator/projects/${made.id}`)).json())
    assert.equal(after.reviews, { live: 2, test: 0 })
  })
}

test('an installation has room for one free project', async () => {
  const free = await openService()
  await free.database.sql`update projects set plan = 'free'`
  const transport = await openTransport('app.fetch', free.deps)
  const send = (body: object) =>
    transport.send({
      method: 'POST',
      path: '/operator/projects',
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const error = await assertRefusal(await send({ name: 'second' }), 'validation_failed', 'second free project')
  assert.equal(
    error.details?.map((detail) => detail.path),
    ['plan'],
  )
  assert.match(error.details?.[0]?.message ?? '', /--plan paid.*PULLQUOTE_DEFAULT_PLAN=paid/)
  assert.is((await send({ name: 'second', plan: 'paid' })).status, 201)
  await free.close()
})

test('the operator decides on the plan of new projects, their number and how many reviews fit', async () => {
  const own = await openService()
  await own.database.sql`delete from projects`
  const deps = { ...own.deps, projects: { defaultPlan: 'paid', max: 2 }, allowance: { reviewsPerProject: { paid: 7 } } }
  const transport = await openTransport('app.fetch', { ...deps, projects: { defaultPlan: 'paid' as const, max: 2 } })
  const send = (name: string) =>
    transport.send({
      method: 'POST',
      path: '/operator/projects',
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    })
  const made = v.parse(project, await (await send('one')).json())
  assert.equal([made.plan, made.review_limit], ['paid', 7])
  assert.is((await send('two')).status, 201)
  const error = await assertRefusal(await send('three'), 'validation_failed', 'third project')
  assert.match(error.details?.[0]?.message ?? '', /room for 2 projects \(PULLQUOTE_MAX_PROJECTS\)/)
  await own.close()
})

test.run()
