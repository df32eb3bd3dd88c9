/** Random requests, from a seed: whatever is sent, the answer is of the contract and never a 5xx. */
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { createResultCache } from '../../server/search/cache.ts'
import { createSearch } from '../../server/search/search.ts'
import { activateModel } from '../../server/sql/installation/installation.ts'
import { errorEnvelope } from '../../src/contract/errors.ts'
import { queryResponse } from '../../src/contract/query.ts'
import { listResponse, pushResponse, storedReview } from '../../src/contract/review.ts'
import { silent } from '../database.ts'
import { suite } from '../suite.ts'
import { assertConventions } from './answers.ts'
import { Fuzzer } from './fuzzer.ts'
import { openService, type TestService } from './service.ts'
import { openTransport, TRANSPORTS, type Transport } from './transport.ts'

/** On each transport and database; more in FUZZ_SECONDS, which may be hours. */
const REQUESTS = 400
const SECONDS = Number(process.env.FUZZ_SECONDS ?? 0)
const SEED = Number(process.env.FUZZ_SEED ?? 20260105)

const answers = v.union([
  listResponse,
  pushResponse,
  queryResponse,
  storedReview,
  errorEnvelope,
  v.looseObject({ ready: v.boolean() }),
])

const test = suite('random requests')
let service: TestService

test.before(async () => {
  service = await openService()
  const { sql } = service.database
  const { modelId } = await activateModel(sql, { name: 'fuzz', dimensions: 3 })
  const embed = async (texts: readonly string[]) => texts.map((text) => Float32Array.of(1, text.length % 7, 1))
  service.deps.model = { name: 'fuzz', id: modelId }
  service.deps.search = createSearch({
    sql,
    embedder: { id: 'fuzz', dimensions: 3, embed },
    modelId,
    cache: createResultCache({ entries: 100, bytes: 1_000_000 }),
    log: silent,
  })
})
test.after(() => service.close())

for (const name of TRANSPORTS) {
  test(`${name}: every answer is one of the contract`, async () => {
    const transport: Transport = await openTransport(name, service.deps)
    const fuzzer = new Fuzzer(SEED + name.length, service)
    const statuses = new Map<number, number>()
    const end = Date.now() + SECONDS * 1000
    let sent = 0
    for (; Date.now() < end || sent < REQUESTS; sent++) {
      if (sent % 100 === 0) await service.endRateWindows()
      const request = fuzzer.request()
      const label = `request ${sent} (FUZZ_SEED=${SEED}): ${JSON.stringify({ ...request, body: String(request.body).slice(0, 2_000) })}`
      const response = await transport.send(request)
      assert.ok(response.status < 500, `${label} -> ${response.status} ${await response.clone().text()}`)
      assertConventions(response, label)
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      const text = await response.text()
      if (response.status === 204) continue
      const body: unknown = JSON.parse(text)
      assert.ok(v.is(answers, body), `${label} -> ${response.status} ${text.slice(0, 500)}`)
      if (v.is(pushResponse, body)) fuzzer.ids.push(...body.reviews.map((one) => one.id))
      if (v.is(listResponse, body) && body.next_cursor !== null) fuzzer.cursors.push(body.next_cursor)
      fuzzer.ids = fuzzer.ids.slice(-20)
    }
    await transport.close()
    for (const status of [200, 204, 401, 403, 404, 415, 422]) {
      assert.ok(
        (statuses.get(status) ?? 0) > 0,
        `none of ${sent} requests got ${status}: ${JSON.stringify([...statuses])}`,
      )
    }
  })
}

test.run()
