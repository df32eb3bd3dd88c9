/** What the API description says of a route follows from the route itself. */
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { jsonBody } from '../../server/http/body-rule.ts'
import { queryOf } from '../../server/http/query-rule.ts'
import { json } from '../../server/http/response-rule.ts'
import { defineRoute, type Route } from '../../server/http/route.ts'
import { operationOf } from '../../server/openapi/operation.ts'
import { suite } from '../suite.ts'

const test = suite('operations of the API description')

const described = v.looseObject({
  security: v.array(v.record(v.string(), v.unknown())),
  parameters: v.optional(v.array(v.looseObject({ name: v.string(), in: v.string(), required: v.boolean() })), []),
  responses: v.record(
    v.string(),
    v.looseObject({ description: v.string(), headers: v.optional(v.record(v.string(), v.unknown()), {}) }),
  ),
})
const describe = (route: Route) => v.parse(described, operationOf(route))

const answer = json(v.object({}), 'Done.')
const handle = async () => ({ status: 200, body: {} }) as const

test('a body brings 413, a key its refusals, and a route adds its own', () => {
  const route = defineRoute({
    method: 'POST',
    path: '/things/:id',
    access: 'secret key',
    body: jsonBody(v.object({}), { maxBytes: 10 }),
    responses: { 200: answer },
    errors: ['not_found'],
    handle,
  })
  const { responses, security } = describe(route)
  assert.equal(Object.keys(responses), ['200', '401', '403', '404', '413', '415', '422', '429', '500', '503'])
  assert.equal(security, [{ secretKey: [] }])
})

test('every answer that may come once the key is known names the headers of its rate limit', () => {
  const limited = (access: 'secret key' | 'any key') => {
    const { responses } = describe(
      defineRoute({ method: 'GET', path: '/things', access, responses: { 200: answer }, handle }),
    )
    return Object.keys(responses).filter((status) => 'RateLimit-Policy' in (responses[status]?.headers ?? {}))
  }
  assert.equal(limited('secret key'), ['200', '422', '429', '500', '503'])
  assert.equal(limited('any key'), ['200', '403', '422', '429', '500', '503'])
})

test('what anybody may read without a body refuses little', () => {
  const open = { method: 'GET', path: '/things', access: 'open', responses: { 200: answer }, handle } as const
  assert.equal(Object.keys(describe(defineRoute(open)).responses), ['200', '415', '422'])
  assert.equal(Object.keys(describe(defineRoute({ ...open, query: 'ignored', body: 'ignored' })).responses), ['200'])
})

test('parameters of the path are required, those of the address by their schema', () => {
  const query = queryOf(v.object({ name: v.string(), limit: v.optional(v.string()) }))
  const { parameters } = describe(
    defineRoute({ method: 'GET', path: '/a/:b/:c', access: 'operator', query, responses: { 200: answer }, handle }),
  )
  assert.equal(
    parameters.map((one) => `${one.in} ${one.name} ${one.required}`),
    ['path b true', 'path c true', 'query name true', 'query limit false'],
  )
})

test.run()
