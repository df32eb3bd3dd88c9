/** Which refusal wins, and which headers it carries: each row over app.fetch and over a socket. */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { assertConventions, assertRateLimitHeaders, assertRefusal } from './answers.ts'
import { cases, ID } from './order-of-checks-cases.ts'
import { serviceOnTransports } from './service-on-transports.ts'
import { TRANSPORTS } from './transport.ts'

const test = suite('order of checks')

const { service, transports } = serviceOnTransports(test)

for (const name of TRANSPORTS) {
  for (const { name: title, request, code, limit, allowed, paths } of cases) {
    test(`${name}: ${title} is ${code}`, async () => {
      const sent = request(service)
      const response = await transports[name].send(sent)
      const error = await assertRefusal(response, code, title)
      assertRateLimitHeaders(response, limit, title)
      const isQuery = sent.path.split('?')[0] === '/v1/query'
      assert.is(response.headers.get('vary'), isQuery ? 'Origin' : null, 'Vary')
      assert.is(response.headers.get('access-control-allow-origin'), allowed ?? null, 'Access-Control-Allow-Origin')
      if (paths)
        assert.equal(
          error.details?.map((detail) => detail.path),
          paths,
        )
    })
  }

  test(`${name}: HEAD is no method of the contract`, async () => {
    for (const path of ['/v1/query', '/v1/reviews', `/v1/reviews/${ID}`]) {
      const response = await transports[name].send({ method: 'HEAD', path })
      assert.is(response.status, 404)
      assertConventions(response, path)
    }
  })
}

test.run()
