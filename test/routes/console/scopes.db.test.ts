/** What the console's routes refuse: other projects, other sessions, bad input. */
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { createFindBestCosines } from '../../../server/search/best-cosine.ts'
import { createExplain } from '../../../server/search/explain.ts'
import { assertRefusal } from '../../http/answers.ts'
import { openService, review, type TestService } from '../../http/service.ts'
import { openTransport, type Transport } from '../../http/transport.ts'
import { hashedEmbedder } from '../../search/hashed-embedder.ts'
import { suite } from '../../suite.ts'
import { operatorCall, signIn, type Visitor } from './signed-in.ts'

const test = suite('what the console refuses')
let service: TestService
let transport: Transport
let owner: Visitor
let project = ''

const embedder = hashedEmbedder()
const settings = v.looseObject({ revision: v.number(), similarity_floor: v.number(), origins: v.array(v.string()) })

test.before(async () => {
  service = await openService({ console: { access: 'everyone' } })
  const { sql } = service.database
  const deps = {
    ...service.deps,
    explain: createExplain({ sql, embedder, modelId: 1 }),
    insights: { nearest: createFindBestCosines({ sql, embedder, modelId: 1 }), counting: true },
  }
  transport = await openTransport('socket', deps)
  project = (await service.makeProject('mine')).id
  owner = await signIn(transport, { project: 'mine' })
})
test.after(async () => {
  await transport.close()
  await service.close()
})

const ID = '3f0c9a4e-8f55-4d0b-9a54-0f6f5b1f7f10'
const ROUTES: [method: string, path: string, body?: object][] = [
  ['GET', ''],
  ['PATCH', '', { revision: 0, min_rating: 1 }],
  ['GET', '/health'],
  ['POST', '/page', { url: 'https://example.com' }],
  ['POST', '/live/search', { q: 'fan' }],
  ['POST', '/live/explain', { q: 'fan', review: ID }],
  ['POST', '/live/try', { similarity_floor: 0.5, min_rating: 1, excerpts: 'all' }],
  ['GET', '/live/asked'],
  ['GET', '/live/reviews'],
  ['PATCH', `/live/reviews/${ID}`, { hidden: true }],
  ['GET', `/live/reviews/${ID}/excerpts`],
  ['PATCH', `/live/reviews/${ID}/excerpts/${ID}`, { hidden: true }],
  ['POST', '/live/imports', []],
  ['GET', `/live/imports/${ID}/errors.csv`],
  ['POST', '/live/key'],
]

test('an owner reaches no other project, by no route; and nobody without a session reaches any', async () => {
  for (const [method, path, body] of ROUTES) {
    const other = `projects/${service.project.id}${path}`
    await assertRefusal(await owner.send(method, other, body), 'not_found', `${method} ${path}`)
    const headers = { cookie: '' }
    const own = `projects/${project}${path}`
    await assertRefusal(await owner.send(method, own, body, headers), 'unauthorized', `${method} ${path}`)
    if (method !== 'GET') {
      const foreign = { origin: 'https://attacker.example' }
      await assertRefusal(await owner.send(method, own, body, foreign), 'forbidden', `${method} ${path}`)
    }
  }
  assert.is((await service.database.sql`select from api_keys where name = 'tag of the console'`).length, 0)
})

test('an owner makes no project, the operator does', async () => {
  const body = { name: 'second' }
  await assertRefusal(await owner.send('POST', 'projects', body), 'forbidden', 'an owner')
  const operator = await signIn(transport)
  assert.is((await operator.send('POST', 'projects', body)).status, 201)
})

test('a project or environment that is none is 404, and so is a review of another environment', async () => {
  await assertRefusal(await owner.send('GET', `projects/${project}/prod/reviews`), 'not_found', 'environment')
  await assertRefusal(await owner.send('GET', 'projects/none/live/reviews'), 'not_found', 'project')
  const key = await service.makeKey({ ...service.project, id: project }, 'secret', 'test')
  const pushed = await transport.send({
    method: 'POST',
    path: '/v1/reviews',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify([review('a')]),
  })
  const [{ id }] = v.parse(
    v.object({ reviews: v.tuple([v.looseObject({ id: v.string() })]) }),
    await pushed.json(),
  ).reviews
  await assertRefusal(
    await owner.send('PATCH', `projects/${project}/live/reviews/${id}`, { hidden: true }),
    'not_found',
    'live',
  )
  assert.is((await owner.send('PATCH', `projects/${project}/test/reviews/${id}`, { hidden: true })).status, 204)
})

test('bad input is named and changes nothing', async () => {
  for (const [method, path, body] of [
    ['PATCH', '', { min_rating: 1 }],
    ['PATCH', '', { revision: 0, min_rating: 6 }],
    ['PATCH', '', { revision: 0, plan: 'paid' }],
    ['PATCH', '', { revision: 0, name: 'other' }],
    ['PATCH', '', { revision: 0, add_origin: 'https://*.example.com' }],
    ['POST', '/live/search', { q: 'x'.repeat(501) }],
    ['POST', '/live/search', { limit: 21 }],
    ['POST', '/live/try', { similarity_floor: 2, min_rating: 1, excerpts: 'all' }],
    ['PATCH', `/live/reviews/${ID}`, { hidden: 'yes' }],
    ['GET', '/live/reviews?stars=6', undefined],
    ['GET', '/live/reviews?after=now', undefined],
    ['GET', `/live/reviews?after=999999999999999_${ID}`, undefined],
    ['GET', `/live/reviews?after=-99999999999999_${ID}`, undefined],
    ['GET', '/live/reviews?q=%00', undefined],
    ['GET', '/live/reviews?sort=text', undefined],
    ['GET', '/live/asked?days=0', undefined],
    ['POST', '/page', { url: 'file:///etc/passwd' }],
    ['POST', '/page', { url: 'http://169.254.169.254/latest/meta-data' }],
    ['POST', '/page', { url: 'http://[::1]:1/' }],
    ['POST', '/page', { url: 'http://localhost:1/' }],
    ['POST', '/page', { url: 'http://user:secret@example.com/' }],
  ] as const) {
    const what = `${method} ${path} ${JSON.stringify(body)}`
    await assertRefusal(await owner.send(method, `projects/${project}${path}`, body), 'validation_failed', what)
  }
})

test('an origin more than a project can have is named, and none is added', async () => {
  const origins = Array.from({ length: 100 }, (_, n) => `https://${n}.example`)
  const full = await service.makeProject('full', { allowedOrigins: origins })
  const visitor = await signIn(transport, { project: 'full' })
  const path = `projects/${full.id}`
  const { revision } = v.parse(settings, await (await visitor.send('GET', path)).json())
  const refused = await visitor.send('PATCH', path, { revision, add_origin: 'https://one-more.example' })
  const { details } = await assertRefusal(refused, 'validation_failed', 'one more')
  assert.equal(details, [{ path: 'add_origin', message: 'makes more than the 100 origins that a project can have' }])
  assert.equal(v.parse(settings, await (await visitor.send('GET', path)).json()).origins, origins)
})

test('a change of settings is made of the revision that was seen, else it is 409 in words with what is there now', async () => {
  const path = `projects/${project}`
  const seen = v.parse(settings, await (await owner.send('GET', path)).json())
  const first = await owner.send('PATCH', path, { revision: seen.revision, similarity_floor: 0.7 })
  const after = v.parse(settings, await first.json())
  assert.equal([first.status, after.similarity_floor, after.revision], [200, 0.7, seen.revision + 1])
  const second = await owner.send('PATCH', path, { revision: seen.revision, similarity_floor: 0.5 })
  assert.is(second.status, 409)
  const conflict = v.parse(
    v.object({ error: v.looseObject({ message: v.string() }), current: settings }),
    await second.json(),
  )
  assert.match(conflict.error.message, /Someone else has changed .* floor is now 0\.7/)
  assert.equal(conflict.current, after)
  // The command line changes without a revision, and is noticed.
  await operatorCall(transport, 'PATCH', '/operator/projects/mine', { min_rating: 2 })
  assert.is((await owner.send('PATCH', path, { revision: after.revision, min_rating: 5 })).status, 409)
})

test('of two changes at the same moment one is made', async () => {
  const path = `projects/${project}`
  const { revision } = v.parse(settings, await (await owner.send('GET', path)).json())
  const origins = ['https://a.example', 'https://b.example']
  const answers = await Promise.all(origins.map((add_origin) => owner.send('PATCH', path, { revision, add_origin })))
  assert.equal(answers.map(({ status }) => status).sort(), [200, 409])
  assert.is(
    v.parse(settings, await (await owner.send('GET', path)).json()).origins.filter((one) => origins.includes(one))
      .length,
    1,
  )
})

test('reviews come page by page without a gap, from before 1970 too, those without a date last', async () => {
  const { sql } = service.database
  const key = await service.makeKey({ ...service.project, id: project }, 'secret', 'live')
  const reviews = Array.from({ length: 45 }, (_, n) =>
    review(`r${n}`, {
      occurred_at: `${n < 30 ? '1969' : '2026'}-01-${String(1 + (n % 5)).padStart(2, '0')}T00:00:00Z`,
      rating: (n % 5) + 1,
      text: `Text 100% of r${n}_`,
    }),
  )
  await transport.send({
    method: 'POST',
    path: '/v1/reviews',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(reviews),
  })
  await sql`update reviews set occurred_at = null where external_id in ('r3', 'r4', 'r5')`
  const page = v.object({ reviews: v.array(v.looseObject({ id: v.string() })), next: v.nullable(v.string()) })
  const ids: string[] = []
  for (let after: string | null = ''; after !== null; ) {
    const query: string = after === '' ? '' : `?after=${after}`
    const { reviews, next } = v.parse(
      page,
      await (await owner.send('GET', `projects/${project}/live/reviews${query}`)).json(),
    )
    ids.push(...reviews.map(({ id }) => id))
    after = next
  }
  assert.equal([ids.length, new Set(ids).size], [45, 45])
  const dated = await sql`select id from reviews where occurred_at is null`
  assert.equal(new Set(ids.slice(-3)), new Set(dated.map(({ id }) => id)))
  const count = async (query: string) =>
    v.parse(page, await (await owner.send('GET', `projects/${project}/live/reviews?${query}`)).json()).reviews.length
  assert.is(await count('stars=5'), 9)
  assert.is(await count('q=100%25%20of%20r44'), 1)
  assert.is(await count('q=r4_'), 1, 'a _ is a _')
  assert.is(await count('source=yelp'), 0)
  assert.is(await count('state=hidden'), 0)
  assert.is(await count('state=indexing'), 20)
})

test.run()
