import * as assert from 'uvu/assert'
import * as v from 'valibot'
import type { AppDeps } from '../../server/app-deps.ts'
import { assertRefusal } from '../http/answers.ts'
import { OPERATOR_TOKEN, ORIGIN, openService, review } from '../http/service.ts'
import { serviceOnTransports } from '../http/service-on-transports.ts'
import { openTransport, TRANSPORTS } from '../http/transport.ts'
import { suite } from '../suite.ts'
import { createdKey, project } from './operator-answers.ts'
import { operatorCalls } from './operator-calls.ts'

const test = suite('operator routes: projects')

/** The projects whose copies in memory were dropped. */
const forgotten: string[] = []
const memory: AppDeps['memory'] = {
  state() {
    throw new Error('never asked')
  },
  forget: (id) => void forgotten.push(id),
}
const { service, transports } = serviceOnTransports(test, { memory })

for (const name of TRANSPORTS) {
  const { call, unique, make } = operatorCalls(name, transports)

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
      computed_queries: { this_month: 0, last_month: 0 },
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

  test(`${name}: a name is one line that can be typed as it is shown, also a new one and that of a key`, async () => {
    const made = await make({ name: unique('Hôtel “L’Été” · פונדק 旅館 👩‍🍳') })
    for (const bad of ['two\nlines', 'a\tb', 'red\u001b[31m', 'one\u2028two', 'turned \u202eback', 'a\u0085b']) {
      await assertRefusal(await call('POST', '/operator/projects', { name: bad }), 'validation_failed', bad)
      await assertRefusal(await call('PATCH', `/operator/projects/${made.id}`, { name: bad }), 'validation_failed', bad)
      const key = { project: made.name, env: 'live', kind: 'secret', name: bad }
      await assertRefusal(await call('POST', '/operator/keys', key), 'validation_failed', bad)
    }
  })

  test(`${name}: of a deleted project no review is left when the answer comes, in the database or in memory`, async () => {
    const { id } = await make({ name: unique('erased') })
    const made = await call('POST', '/operator/keys', { project: id, kind: 'secret', env: 'live' })
    const { key } = v.parse(createdKey, await made.json())
    assert.is((await call('POST', '/v1/reviews', [review('a')], key)).status, 200)
    const left = () => service.database.sql`select 1 from reviews where project_id = ${id}`
    assert.is((await left()).length, 1)
    assert.is((await call('DELETE', `/operator/projects/${id}`)).status, 204)
    assert.is((await left()).length, 0)
    assert.ok(forgotten.includes(id))
  })

  test(`${name}: a project tells how many queries were computed this month and last month`, async () => {
    const { id } = await make({ name: unique('asked') })
    await service.database.sql`
      insert into query_usage (project_id, month, uncached)
      select ${id}, date_trunc('month', now() at time zone 'UTC') - months * interval '1 month', 5 + months
      from generate_series(0, 2) months`
    const told = v.parse(project, await (await call('GET', `/operator/projects/${id}`)).json())
    assert.equal(told.computed_queries, { this_month: 5, last_month: 6 })
  })

  test(`${name}: origins are added and removed one by one, also at the same time`, async () => {
    const path = `/operator/projects/${(await make({ name: unique('origins'), origins: [ORIGIN] })).id}`
    const added = Array.from({ length: 5 }, (_, i) => `https://${i}.example`)
    const answers = await Promise.all(added.map((one) => call('PATCH', path, { add_origins: [one] })))
    assert.equal(
      answers.map(({ status }) => status),
      added.map(() => 200),
    )
    const all = v.parse(project, await (await call('GET', path)).json())
    assert.equal([...all.origins].sort(), [ORIGIN, ...added].sort())
    const less = await call('PATCH', path, { remove_origins: added, add_origins: [ORIGIN] })
    assert.equal(v.parse(project, await less.json()).origins, [ORIGIN])
    const many = Array.from({ length: 100 }, (_, i) => `https://${i}.example`)
    const error = await assertRefusal(await call('PATCH', path, { add_origins: many }), 'validation_failed', 'too many')
    assert.equal(error.details, [
      { path: 'add_origins', message: 'makes more than the 100 origins that a project can have' },
    ])
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
  // With a paid one there is room for 50, whatever the plan of the next.
  await free.database.sql`insert into projects (name) select 'shop ' || n from generate_series(3, 50) n`
  const last = await assertRefusal(await send({ name: 'one more' }), 'validation_failed', 'project 51')
  assert.match(last.details?.[0]?.message ?? '', /one project too many.*room for 50 \(PULLQUOTE_MAX_PROJECTS\)/)
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
  assert.is(error.details?.[0]?.path, 'name')
  assert.match(error.details?.[0]?.message ?? '', /too many: .* room for 2 \(PULLQUOTE_MAX_PROJECTS\)/)
  await own.close()
})

test.run()
