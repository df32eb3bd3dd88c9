/** Tens of thousands of parameters: whoever sends them gets a short answer, and nobody waits for it. */
import * as assert from 'uvu/assert'
import { MAX_PARAMETERS } from '../../server/http/query-string.ts'
import { createMetrics } from '../../server/metrics.ts'
import { suite } from '../suite.ts'
import { assertRefusal } from './answers.ts'
import { OPERATOR_TOKEN, ORIGIN } from './service.ts'
import { serviceOnTransports } from './service-on-transports.ts'
import { TRANSPORTS } from './transport.ts'

const NAMES = 40_000
/** As many as fit an address of 256 KiB, `make` giving each its few bytes. */
const many = (make: (i: string) => string) => Array.from({ length: NAMES }, (_, i) => make(i.toString(36))).join('&')

const test = suite('many parameters')

const { service, transports } = serviceOnTransports(test, {}, (deps) => ({
  ...deps,
  metrics: createMetrics({ sql: deps.sql, worker: deps.worker }),
  insights: { nearest: async () => [], counting: true },
  demo: { access: 'everyone', project: 'hotel' },
}))

/** The longest time in milliseconds of processor that the event loop was not to be had while `work` went on. */
async function longestStall(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = process.cpuUsage()
  let running = true
  const look = () => {
    const { user, system } = process.cpuUsage(last)
    longest = Math.max(longest, (user + system) / 1000)
    last = process.cpuUsage()
    if (running) setImmediate(look)
  }
  setImmediate(look)
  await work()
  running = false
  await new Promise((resolve) => setImmediate(resolve))
  return longest
}

const secret = () => ({ authorization: `Bearer ${service.keys.secret}` })
const operator = () => ({ authorization: `Bearer ${OPERATOR_TOKEN}` })
const ROUTES: [path: string, headers: () => Record<string, string>, method?: string][] = [
  ['/v1/query', () => ({ origin: ORIGIN, authorization: `Bearer ${service.keys.publishable}` })],
  ['/v1/query', secret, 'POST'],
  ['/v1/reviews', secret],
  ['/v1/reviews/5f0c1f2e-3f52-4b44-9d5e-8b4d0a7c2f10', secret],
  ['/imports', secret, 'POST'],
  ['/operator/keys', operator],
  ['/operator/projects', operator],
  ['/operator/insights', operator],
  ['/metrics', operator],
  ['/demo', () => ({})],
  ['/healthz', () => ({})],
]

for (const name of TRANSPORTS) {
  for (const [kind, make] of [
    ['malformed', (i: string) => `%ff${i}`],
    ['unknown', (i: string) => `n${i}`],
    ['metadata', (i: string) => `metadata.${i}`],
  ] as const) {
    test(`${name}: ${NAMES} ${kind} names are one finding on every route`, async () => {
      const search = many(make).slice(0, 250_000)
      for (const [path, headers, method = 'GET'] of ROUTES) {
        let response: Response | undefined
        const label = `${method} ${path}`
        const stall = await longestStall(async () => {
          response = await transports[name].send({ method, path: `${path}?${search}`, headers: headers() })
        })
        assert.ok(response)
        const error = await assertRefusal(response, 'validation_failed', label)
        assert.equal(error.details, [{ path: '(query string)', message: `has more than ${MAX_PARAMETERS} parameters` }])
        assert.ok(stall < 400, `${label}: ${stall} ms`)
      }
    })

    test(`${name}: ${NAMES} ${kind} names without a key are 401 in no time`, async () => {
      const search = many(make).slice(0, 250_000)
      const stall = await longestStall(async () => {
        const response = await transports[name].send({ path: `/v1/query?${search}`, headers: { origin: ORIGIN } })
        await assertRefusal(response, 'unauthorized', kind)
      })
      assert.ok(stall < 400, `${stall} ms`)
    })
  }

  test(`${name}: a secret key behind thousands of names is 401 as anywhere in an address`, async () => {
    const search = many((i) => `n${i}`).slice(0, 200_000)
    const escaped = service.keys.secret.replaceAll('_', '%5f')
    for (const last of [`key=${service.keys.secret}`, `token=${service.keys.secret}`, `x=${escaped}`, `${escaped}=1`]) {
      const response = await transports[name].send({ path: `/v1/query?${search}&${last}`, headers: secret() })
      const error = await assertRefusal(response, 'unauthorized', last)
      assert.match(error.message, 'must not stand in a URL')
    }
  })

  test(`${name}: a publishable key counts wherever it stands`, async () => {
    const search = many((i) => `n${i}`).slice(0, 200_000)
    const path = `/v1/query?${search}&key=${service.keys.publishable}`
    await assertRefusal(await transports[name].send({ path, headers: { origin: ORIGIN } }), 'validation_failed', 'last')
  })

  test(`${name}: ${MAX_PARAMETERS} parameters are findings of their own`, async () => {
    const search = Array.from({ length: MAX_PARAMETERS }, (_, i) => `n${i}=1`).join('&')
    const error = await assertRefusal(
      await transports[name].send({ path: `/v1/query?${search}`, headers: secret() }),
      'validation_failed',
      'exactly',
    )
    assert.is(error.details?.length, MAX_PARAMETERS)
  })
}

test.run()
