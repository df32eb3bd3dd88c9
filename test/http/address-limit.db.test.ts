/** `PULLQUOTE_ADDRESS_SHARE`: one address takes its share of a publishable key's requests, and the rest is left to others. */
import { mock } from 'node:test'
import * as assert from 'uvu/assert'
import { createApp } from '../../server/app.ts'
import { createAddressLimit } from '../../server/http/address-limit.ts'
import { trustedProxies } from '../../server/http/client-address.ts'
import { suite } from '../suite.ts'
import { until } from '../waiting.ts'
import { assertRateLimitHeaders, assertRefusal } from './answers.ts'
import { ORIGIN, openService, type TestService } from './service.ts'

const test = suite('the share of one address')
let service: TestService
let warnings: string[] = []
const stops: (() => void)[] = []

test.before(async () => {
  service = await openService()
})
test.before.each(() => {
  warnings = []
})
test.after(async () => {
  for (const stop of stops) stop()
  await service.close()
})

/** A server of the installation: requests come from a proxy on its machine, which names the visitor. */
function serverWith(share = 10) {
  const log = { debug() {}, info() {}, warn: (_: object, text: string) => warnings.push(text), error() {} }
  const addressLimit = createAddressLimit({
    sql: service.database.sql,
    log,
    share,
    proxies: trustedProxies([]),
    secret: new Uint8Array(32),
  })
  stops.push(addressLimit.stop)
  const app = createApp({ ...service.deps, addressLimit })
  return (key: string, visitor: string | undefined, headers: Record<string, string> = { origin: ORIGIN }) => {
    const named = visitor === undefined ? {} : { 'x-forwarded-for': visitor }
    const request = new Request('http://pullquote.test/v1/query', {
      headers: { authorization: `Bearer ${key}`, ...headers, ...named },
    })
    return app.fetch(Object.assign(request, { ip: '127.0.0.1' }))
  }
}

const freshKey = () => service.makeKey(service.project, 'publishable', 'live')
const statuses = async (answers: (Response | Promise<Response>)[]) => (await Promise.all(answers)).map((r) => r.status)
const times = (count: number) => Array.from({ length: count })

test('of 600 requests an address with a tenth gets 60, the next is 429 with what a page needs to read it, others go on', async () => {
  const send = serverWith()
  const key = await freshKey()
  // At once, in an unopened window, as a script would.
  const all = await statuses(times(90).map(() => send(key, '192.0.2.1')))
  assert.is(all.filter((status) => status === 200).length, 60)
  const refused = await send(key, '192.0.2.1')
  assertRateLimitHeaders(refused, 600, 'refused')
  assert.is(refused.headers.get('access-control-allow-origin'), ORIGIN)
  const { message } = await assertRefusal(refused, 'rate_limited', 'refused')
  assert.match(message, 'One address may send 60 requests')
  assert.equal(await statuses(times(3).map((_, n) => send(key, `192.0.2.${n + 2}`))), [200, 200, 200])
})

test('what was refused is not counted for the key', async () => {
  const send = serverWith()
  const key = await freshKey()
  await statuses(times(100).map(() => send(key, '192.0.2.1')))
  const [row] = await service.database.sql<{ requests: number }[]>`
    select requests from rate_windows order by started_at desc limit 1`
  assert.is(row?.requests, 60)
})

test('servers count together, and one window after the other gives no second share within one', async () => {
  const servers = [serverWith(1), serverWith(1)]
  const key = await freshKey()
  const sendAll = () =>
    statuses(times(20).map((_, n) => (servers[n % 2] ?? servers[0])?.(key, '192.0.2.1') as Promise<Response>))
  for (let window = 0; window < 3; window++) {
    assert.is((await sendAll()).filter((status) => status === 200).length, 6, `window ${window}`)
    assert.is((await sendAll()).filter((status) => status === 200).length, 0, `window ${window}`)
    await service.endRateWindows()
  }
})

test("a key's own limit stays what it is, and the origin comes before", async () => {
  const send = serverWith(100)
  const free = await service.makeProject('free', { plan: 'free' })
  const key = await service.makeKey(free, 'publishable', 'live')
  const all = await statuses(times(130).map((_, n) => send(key, `192.0.2.${n}`)))
  assert.is(all.filter((status) => status === 200).length, 120)
  const [row] = await service.database.sql<{ addresses: number }[]>`
    select count(*)::int as addresses from address_windows join api_keys on api_keys.id = key_id
    where project_id = ${free.id}`
  assert.ok((row?.addresses ?? 999) <= 130)
  await service.endRateWindows()
  const small = serverWith(1)
  await small(key, '192.0.2.200')
  const refused = await small(key, '192.0.2.200', { origin: 'https://unlisted.example' })
  await assertRefusal(refused, 'forbidden', 'origin')
})

test('secret keys and visitors whom no proxy names are not counted; the latter is said once', async () => {
  const send = serverWith(1)
  const key = await freshKey()
  assert.ok(
    (await statuses(times(20).map(() => send(service.keys.secret, '192.0.2.1')))).every((status) => status === 200),
  )
  assert.ok((await statuses(times(20).map(() => send(key, undefined)))).every((status) => status === 200))
  assert.is(warnings.length, 1)
  assert.match(warnings[0] ?? '', 'sent no X-Forwarded-For')
})

test('an unknown key is 401, whoever asks', async () => {
  const send = serverWith(1)
  for (const _ of times(9))
    await assertRefusal(await send(`svc_pk_live_${'x'.repeat(32)}`, '192.0.2.1'), 'unauthorized', 'unknown')
})

test('no address is stored as it is, and none for longer than two windows', async () => {
  const { sql } = service.database
  mock.timers.enable({ apis: ['setInterval'] })
  await serverWith()(await freshKey(), '192.0.2.77')
  const rows = await sql<{ address: Buffer }[]>`select address from address_windows`
  assert.ok(rows.length > 0)
  for (const { address } of rows) assert.is(address.length, 16)
  await sql`update address_windows set window_started_at = now() - interval '3 minutes'`
  mock.timers.tick(60_000)
  mock.timers.reset()
  await until('they are removed', async () => (await sql`select 1 from address_windows`).length === 0)
})

test.run()
