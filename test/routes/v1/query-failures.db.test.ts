import * as assert from 'uvu/assert'
import { EmbeddingUnavailable } from '../../../server/embed/embedder.ts'
import type { Search } from '../../../server/search/search.ts'
import { assertRateLimitHeaders, assertRefusal } from '../../http/answers.ts'
import { ORIGIN } from '../../http/service.ts'
import { serviceOnTransports } from '../../http/service-on-transports.ts'
import { type Sent, TRANSPORTS } from '../../http/transport.ts'
import { suite } from '../../suite.ts'
import { found } from './canned-search.ts'

let answer: () => ReturnType<Search>
const search: Search = () => answer()

const test = suite('query routes that cannot answer')

const { service, transports } = serviceOnTransports(test, { search })
test.before.each(() => {
  answer = found('MISS')
})

for (const name of TRANSPORTS) {
  const send = (sent: Sent) => {
    return transports[name].send(sent)
  }
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

  test(`${name}: the used-up quota tells when it renews and keeps the headers`, async () => {
    answer = async () => ({ ok: false, code: 'query_quota_exceeded', retryAfterSeconds: 12345.2 })
    const headers = { ...bearer(service.keys.publishable), origin: ORIGIN }
    const response = await send({ path: '/v1/query?q=x', headers })
    await assertRefusal(response, 'query_quota_exceeded', 'quota')
    assert.is(response.headers.get('retry-after'), '12346')
    assertRateLimitHeaders(response, 600, 'quota')
    assert.is(response.headers.get('access-control-allow-origin'), ORIGIN)
  })

  test(`${name}: an embedding service that is gone is 503 with the headers of an authenticated answer`, async () => {
    answer = async () => {
      throw new EmbeddingUnavailable('connect ECONNREFUSED 10.0.0.7:8080')
    }
    const response = await send({ path: '/v1/query?q=x', headers: bearer(service.keys.secret) })
    const error = await assertRefusal(response, 'embedding_unavailable', 'embedding')
    assertRateLimitHeaders(response, 1000, 'embedding')
    assert.not.match(error.message, '10.0.0.7')
  })

  test(`${name}: a database that went away after authentication is 503 with the headers`, async () => {
    answer = async () => {
      throw Object.assign(new Error('terminating connection'), { code: '57P01' })
    }
    const response = await send({ path: '/v1/query?q=x', headers: bearer(service.keys.secret) })
    await assertRefusal(response, 'service_unavailable', 'database')
    assert.is(response.headers.get('retry-after'), '1')
    assertRateLimitHeaders(response, 1000, 'database')
  })

  test(`${name}: an unexpected failure tells its request id and nothing of the cause`, async () => {
    answer = async () => {
      throw new TypeError("Cannot read properties of undefined (reading 'secret thing')")
    }
    const response = await send({
      path: '/v1/query?q=x',
      headers: { ...bearer(service.keys.secret), 'x-request-id': 'mine-1' },
    })
    const error = await assertRefusal(response, 'internal', 'internal')
    assertRateLimitHeaders(response, 1000, 'internal')
    assert.is(error.request_id, 'mine-1')
    assert.match(error.message, 'mine-1')
    assert.not.match(error.message, 'secret thing')
  })
}

test.run()
