/** Who sees the demo's pages, and what they give away. How they look is held by test/snippet/served.test.ts. */
import * as assert from 'uvu/assert'
import type { DemoSettings } from '../../../server/demo/access.ts'
import { DEMO_PROJECT } from '../../../server/demo/pages.ts'
import { createMetrics } from '../../../server/metrics.ts'
import { silent } from '../../database.ts'
import { assertRefusal } from '../../http/answers.ts'
import { OPERATOR_TOKEN, ORIGIN, openService, type TestService } from '../../http/service.ts'
import { openTransport, type Transport } from '../../http/transport.ts'
import { suite } from '../../suite.ts'
import { openPlainProxy, type PlainProxy } from './plain-proxy.ts'

const test = suite('the demo, for whom')
let service: TestService
let open: (Transport | PlainProxy)[] = []

test.before(async () => {
  service = await openService()
})
test.after.each(async () => {
  for (const each of open.reverse()) await each.close()
  open = []
})
test.after(() => service.close())

/** The service as a start without settings makes it, or with those given. */
async function serve(demo: DemoSettings = { access: 'loopback', project: DEMO_PROJECT }): Promise<Transport> {
  const { sql, worker } = service.deps
  const transport = await openTransport('socket', {
    ...service.deps,
    log: silent,
    metrics: createMetrics({ sql, worker }),
    demo,
  })
  open.push(transport)
  return transport
}

async function behindPlainProxy(demo?: DemoSettings): Promise<string> {
  const proxy = await openPlainProxy((await serve(demo)).url)
  open.push(proxy)
  return proxy.url
}

async function publishableKeys(): Promise<number> {
  const [row] = await service.database.sql<{ count: number }[]>`
    select count(*)::int as count from api_keys where kind = 'publishable'`
  return row?.count ?? 0
}

test('behind a proxy that tells nothing of itself, no project is named, queried or shown', async () => {
  const url = await behindPlainProxy()
  const before = await publishableKeys()
  for (const path of ['/demo', '/demo/restaurant', '/demo/own?title=Sauna']) {
    const response = await fetch(url + path)
    const page = await response.text()
    assert.is(response.status, 200, path)
    assert.not.match(page, /svc_pk_|<script/, path)
    assert.not.match(page, new RegExp(`${service.project.id}|${ORIGIN}|"hotel"|>hotel<`), path)
  }
  assert.is(await publishableKeys(), before)
})

test('no request names the project: not by name, by id or with what no name can be', async () => {
  const { url } = await serve()
  const before = await publishableKeys()
  for (const value of ['hotel', service.project.id, '%00', '%ff', '']) {
    for (const path of ['/demo', '/demo/own']) {
      const error = await assertRefusal(await fetch(`${url}${path}?project=${value}`), 'validation_failed', path)
      assert.equal(
        error.details?.map((detail) => detail.path),
        ['project'],
      )
    }
  }
  assert.is(await publishableKeys(), before)
})

test('the project that was named at the start is shown, and its origins are not', async () => {
  const named = await service.makeProject('Seaside', { allowedOrigins: ['https://inside.seaside.example'] })
  const { url } = await serve({ access: 'loopback', project: 'Seaside' })
  const page = await (await fetch(`${url}/demo`)).text()
  const key = /data-key="(svc_pk_live_[0-9A-Za-z]{32})"/.exec(page)?.[1]
  assert.ok(key)
  assert.match(page, 'does not allow this page’s origin')
  assert.not.match(page, 'inside.seaside.example')
  const { sql } = service.database
  const [owner] = await sql`select project_id from api_keys where kind = 'publishable' order by created_at desc limit 1`
  assert.is(owner?.project_id, named.id)
  assert.not.match(await (await fetch(`${url}/demo`)).text(), 'There is no project')
})

test('a project that was named and is not there is said, and is shown once it was made', async () => {
  const { url } = await serve({ access: 'everyone', project: 'Later <b>' })
  assert.match(await (await fetch(`${url}/demo`)).text(), 'There is no project Later &lt;b&gt;.')
  assert.not.match(await (await fetch(`${url}/demo/own`)).text(), '#tag', 'there is no tag to see')
  await service.makeProject('Later <b>')
  assert.match(await (await fetch(`${url}/demo`)).text(), 'data-key="svc_pk_live_')
  assert.match(await (await fetch(`${url}/demo/own`)).text(), 'href="../demo#tag"')
})

test('one key is made for all pages, however often and at once they are asked for', async () => {
  await service.makeProject('Often')
  const { url } = await serve({ access: 'loopback', project: 'Often' })
  const before = await publishableKeys()
  const pages = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => (await fetch(`${url}/demo/own?title=${n}`)).text()),
  )
  const keys = new Set(pages.map((page) => /data-key="([^"]+)"/.exec(page)?.[1]))
  assert.is(keys.size, 1)
  assert.is(await publishableKeys(), before + 1)
})

test('a Host header that names no host makes no fault', async () => {
  const { url } = await serve({ access: 'everyone', project: DEMO_PROJECT })
  for (const host of ['a:99999', '[x', '%']) {
    const { request } = await import('node:http')
    const status = await new Promise((resolve, reject) => {
      request(`${url}/demo`, { headers: { host } }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
        .on('error', reject)
        .end()
    })
    assert.ok([200, 422].includes(Number(status)), `${host}: ${status}`)
  }
})

test('the first page links the demo for whoever may see it, and tells nothing of projects', async () => {
  const links = async (demo: DemoSettings, headers: Record<string, string>) => {
    const { url } = await serve(demo)
    const page = await (await fetch(`${url}/`, { headers })).text()
    assert.not.match(page, new RegExp(`${service.project.id}|${ORIGIN}|svc_pk_|${DEMO_PROJECT}`))
    assert.match(page, /<a href="docs">/)
    return page.includes('<a href="demo">')
  }
  const proxied = { 'x-forwarded-for': '203.0.113.9' }
  assert.is(await links({ access: 'loopback', project: DEMO_PROJECT }, {}), true)
  assert.is(await links({ access: 'loopback', project: DEMO_PROJECT }, proxied), false)
  assert.is(await links({ access: 'everyone', project: DEMO_PROJECT }, proxied), true)
})

test('the metrics take the token from this machine as from a proxy', async () => {
  const direct = await serve()
  const url = await behindPlainProxy()
  for (const base of [direct.url, url]) {
    await assertRefusal(await fetch(`${base}/metrics`), 'unauthorized', base)
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` }
    const page = await fetch(`${base}/metrics`, { headers })
    assert.is(page.status, 200)
    assert.match(await page.text(), 'pullquote_database_up 1')
  }
})

test.run()
