/** What stands outside `/v1`: health, readiness, the error reference, the API description. */
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { routesOf } from '../../../server/app.ts'
import type { AppDeps } from '../../../server/app-deps.ts'
import { DEMO_PROJECT } from '../../../server/demo/pages.ts'
import { createMetrics } from '../../../server/metrics.ts'
import { bundleOf } from '../../../server/snippet/bundles.ts'
import { activateModel } from '../../../server/sql/installation/installation.ts'
import { ERROR_STATUS } from '../../../src/contract/errors.ts'
import { assertConventions, assertRefusal } from '../../http/answers.ts'
import { noDatabase } from '../../http/no-database.ts'
import { openService, type TestService } from '../../http/service.ts'
import { openTransport, TRANSPORTS, type Transport } from '../../http/transport.ts'
import { suite } from '../../suite.ts'

const readiness = v.looseObject({
  ready: v.boolean(),
  database: v.object({ ok: v.boolean() }),
  model: v.object({ name: v.string(), active: v.boolean() }),
  queue: v.nullable(
    v.object({
      queued: v.number(),
      running: v.number(),
      failing: v.number(),
      set_aside: v.number(),
      oldest_seconds: v.number(),
    }),
  ),
  worker: v.looseObject({ status: v.string() }),
})

const test = suite('routes outside /v1')
let service: TestService

test.before(async () => {
  service = await openService()
  const { modelId } = await activateModel(service.database.sql, { name: 'model-of-the-tests', dimensions: 3 })
  service.deps.model = { name: 'model-of-the-tests', id: modelId }
})
test.after(() => service.close())

for (const name of TRANSPORTS) {
  test(`${name}: /healthz answers, also without a database and to HEAD`, async () => {
    for (const deps of [service.deps, noDatabase()]) {
      const transport = await openTransport(name, deps)
      const response = await transport.send({ path: '/healthz' })
      assert.is(response.status, 200)
      assertConventions(response, 'healthz')
      assert.equal(await response.json(), { status: 'ok' })
      assert.is((await transport.send({ method: 'HEAD', path: '/healthz' })).status, 200)
      await transport.close()
    }
  })

  test(`${name}: /readyz says that database, model and worker are ready`, async () => {
    const transport = await openTransport(name, service.deps)
    const response = await transport.send({ path: '/readyz' })
    assert.is(response.status, 200)
    const body = v.parse(readiness, await response.json())
    assert.equal([body.ready, body.database.ok, body.model.active, body.queue?.queued], [true, true, true, 0])
    await transport.close()
  })

  test(`${name}: /readyz is 503 without a database, with another model and with a stopped worker`, async () => {
    const stopped = { nudge() {}, state: () => ({ status: 'stopped' as const, indexed: 0, failed: 0 }) }
    for (const deps of [
      noDatabase(),
      { ...service.deps, model: { name: 'other', id: 99 } },
      { ...service.deps, worker: stopped },
    ]) {
      const transport = await openTransport(name, deps)
      const response = await transport.send({ path: '/readyz' })
      assert.is(response.status, 503)
      assert.is(response.headers.get('retry-after'), '1')
      const text = await response.text()
      assert.is(v.parse(readiness, JSON.parse(text)).ready, false)
      assert.match(text, '"code":"service_unavailable"')
      await transport.close()
    }
  })

  test(`${name}: without a database /v1 is 503 and has no rate-limit headers`, async () => {
    const transport = await openTransport(name, noDatabase())
    const response = await transport.send({
      path: '/v1/query',
      headers: { authorization: `Bearer svc_sk_live_${'0'.repeat(32)}`, origin: 'https://a.example' },
    })
    await assertRefusal(response, 'service_unavailable', 'no database')
    assert.is(response.headers.get('retry-after'), '1')
    assert.is(response.headers.get('ratelimit-limit'), null)
    assert.is(response.headers.get('vary'), 'Origin')
    await transport.close()
  })

  test(`${name}: the error reference has an anchor for every code`, async () => {
    const transport = await openTransport(name, service.deps)
    const response = await transport.send({ path: '/docs/errors' })
    assert.is(response.status, 200)
    assertConventions(response, 'docs')
    assert.match(response.headers.get('content-type') ?? '', 'text/html')
    const page = await response.text()
    for (const [code, status] of Object.entries(ERROR_STATUS)) {
      assert.match(page, `id="${code}"`)
      assert.match(page, `${status}</span>`)
    }
    await transport.close()
  })
}

test('/whoami says of which project and environment a secret key is, and a publishable one may not ask', async () => {
  const transport = await openTransport('app.fetch', service.deps)
  const ask = (key: string, path = '/whoami') => transport.send({ path, headers: { authorization: `Bearer ${key}` } })
  const response = await ask(service.keys.secretTest)
  assert.is(response.status, 200)
  const { key, project } = (await response.json()) as { key: object; project: object }
  assert.equal({ ...key, id: '' }, { id: '', kind: 'secret', env: 'test' })
  assert.equal(project, { id: service.project.id, name: 'hotel' })
  await assertRefusal(await ask(service.keys.publishable), 'forbidden', 'publishable')
  await assertRefusal(await ask(service.keys.secret, '/whoami?x=1'), 'validation_failed', 'a parameter')
  await transport.close()
})

/** With everything that a running server has. */
function everything(): AppDeps {
  const { sql, worker } = service.deps
  // As if built: what stands in dist is not this test's.
  const bundle = bundleOf(new TextEncoder().encode('built'))
  return {
    ...service.deps,
    insights: { nearest: async () => [], counting: true },
    doctor: async () => [],
    metrics: createMetrics({ sql, worker }),
    demo: { access: 'everyone', project: DEMO_PROJECT },
    snippet: { current: bundle, all: [bundle] },
  }
}

const METHODS = ['get', 'post', 'patch', 'delete', 'options', 'put', 'head']
const description = v.looseObject({
  openapi: v.string(),
  tags: v.array(v.object({ name: v.string(), description: v.string() })),
  paths: v.record(v.string(), v.record(v.string(), v.unknown())),
})

/** The described operations by method and path. */
async function described(transport: Transport) {
  const document = v.parse(description, await (await transport.send({ path: '/openapi.json' })).json())
  assert.is(document.openapi, '3.1.0')
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map(
      (method) => [`${method.toUpperCase()} ${path}`, v.parse(operation, item[method])] as const,
    ),
  )
  return { document, operations: new Map<string, v.InferOutput<typeof operation>>(operations) }
}

const operation = v.looseObject({
  tags: v.array(v.string()),
  security: v.array(v.record(v.string(), v.unknown())),
  responses: v.record(v.string(), v.unknown()),
})

test('/readyz says why the worker waits, and not what an embedding service answered', async () => {
  const waiting = {
    reason: 'embedding_unavailable' as const,
    message: 'The embedding service at inside.example answered 401: Incorrect API key provided: sk-12*45',
    since: new Date('2026-01-05T10:00:00Z'),
    until: new Date('2026-01-05T10:00:30Z'),
  }
  const worker = { nudge() {}, state: () => ({ status: 'waiting' as const, waiting, indexed: 0, failed: 3 }) }
  const transport = await openTransport('app.fetch', { ...service.deps, worker })
  const text = await (await transport.send({ path: '/readyz' })).text()
  assert.match(text, '"reason":"embedding_unavailable","since":"2026-01-05T10:00:00.000Z"')
  assert.not.match(text, /inside\.example|sk-12/)
})

test('all who ask for /readyz at once share one look at the database, and the next has another', async () => {
  let statements = 0
  const sql = new Proxy(service.deps.sql, {
    apply(target, self, values) {
      statements++
      return Reflect.apply(target, self, values)
    },
  })
  const transport = await openTransport('app.fetch', { ...service.deps, sql })
  await transport.send({ path: '/readyz' })
  const alone = statements
  const answers = await Promise.all(Array.from({ length: 20 }, () => transport.send({ path: '/readyz' })))
  assert.ok(answers.every(({ status }) => status === 200))
  assert.is(statements, 2 * alone)
})

test('the API description has exactly the routes of /v1, and of its own what answers', async () => {
  const transport = await openTransport('app.fetch', everything())
  const { operations } = await described(transport)
  const names = [...operations.keys()]
  assert.equal(names.filter((one) => one.includes(' /v1/')).sort(), [
    'DELETE /v1/reviews/{id}',
    'GET /v1/query',
    'GET /v1/reviews',
    'GET /v1/reviews/{id}',
    'OPTIONS /v1/query',
    'PATCH /v1/reviews/{id}',
    'POST /v1/query',
    'POST /v1/reviews',
  ])
  for (const one of names) {
    const [method = '', path = ''] = one.split(' ')
    const answer = await transport.send({
      method,
      path: path.replace(/\{\w+\}/, '5f0c1f2e-3f52-4b44-9d5e-8b4d0a7c2f10'),
    })
    assert.ok(answer.status < 400 || answer.status === 401, `${one}: ${answer.status}`)
  }
})

test('the API description leaves no route out, says which are the own ones and who may use them', async () => {
  const transport = await openTransport('app.fetch', everything())
  const { document, operations } = await described(transport)
  const own = document.tags.filter((tag) => /own, outside \/v1/.test(tag.description)).map((tag) => tag.name)
  // Pages for people are no interface, and files under their hash are those of /snippet.js.
  const undescribed = /^GET (\/|\/docs|\/docs\/(?!errors$).*|\/demo(\/.*)?|\/snippet\.[0-9a-z]+\.js)$/
  for (const { method, path, access } of routesOf(everything())) {
    const name = `${method} ${path.replace(/:(\w+)/g, '{$1}')}`
    if (undescribed.test(name)) continue
    const found = operations.get(name)
    assert.ok(found, `${name} is not described`)
    assert.is(own.includes(found.tags[0] ?? ''), !path.startsWith('/v1/'), name)
    assert.is(found.security.length, access === 'open' ? 0 : 1, `${name}: a client sends its token once for each`)
    if (access === 'any key') assert.ok(found.security[0] && 'anyKey' in found.security[0], name)
    if (access === 'operator') assert.ok(found.security[0] && 'operatorToken' in found.security[0], name)
    if (access === 'secret key') assert.ok(found.security[0] && 'secretKey' in found.security[0], name)
    assert.ok(
      Object.keys(found.responses).some((status) => status.startsWith('2')),
      name,
    )
  }
})

test('every reference of the API description leads somewhere, and tools on other origins may read it', async () => {
  const transport = await openTransport('app.fetch', service.deps)
  const response = await transport.send({ path: '/openapi.json', headers: { origin: 'https://editor.example' } })
  assert.is(response.headers.get('access-control-allow-origin'), '*')
  const document: unknown = await response.json()
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] ?? '')
  assert.ok(references.length > 10)
  for (const reference of new Set(references)) {
    const target = reference.split('/').reduce<unknown>((at, key) => Reflect.get(Object(at), key), document)
    assert.ok(target, reference)
  }
})

test.run()
