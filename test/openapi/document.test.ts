/** The API description as generators of clients need it; each rule was one that some of them broke at. */
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { preflightHeaders } from '../../server/http/cors.ts'
import { openApiDocument } from '../../server/openapi/document.ts'
import { ERROR_STATUS, errorEnvelope } from '../../src/contract/errors.ts'
import { queryResponse } from '../../src/contract/query.ts'
import { listResponse, pushResponse, storedReview } from '../../src/contract/review.ts'
import { describedRoutes } from '../http/described-routes.ts'
import { suite } from '../suite.ts'

const test = suite('API description for generators')

const content = v.optional(v.record(v.string(), v.looseObject({ schema: v.record(v.string(), v.unknown()) })), {})
const operation = v.looseObject({
  operationId: v.string(),
  parameters: v.optional(v.array(v.looseObject({ name: v.string(), schema: v.optional(v.unknown()) })), []),
  requestBody: v.optional(v.looseObject({ content }), { content: {} }),
  responses: v.record(v.string(), v.looseObject({ content, headers: v.optional(v.record(v.string(), v.unknown())) })),
})
const form = v.looseObject({
  paths: v.record(v.string(), v.record(v.string(), operation)),
  components: v.looseObject({ schemas: v.record(v.string(), v.record(v.string(), v.unknown())) }),
})

const { paths, components } = v.parse(form, openApiDocument(describedRoutes(), 'https://reviews.example', '1.0.0'))
const operations = Object.values(paths).flatMap((item) => Object.values(item))
const { schemas } = components

/** Every schema within a value, with the way to it. */
function* within(value: unknown, path: string): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [path, value as Record<string, unknown>]
  for (const [key, one] of Object.entries(value)) yield* within(one, `${path}/${key}`)
}
const everySchema = () => [
  ...within(schemas, 'schemas'),
  ...operations.flatMap((one) => [...within({ ...one.requestBody, parameters: one.parameters }, one.operationId)]),
]

test('every body and answer in JSON has a name', () => {
  const unnamed = operations.flatMap(({ operationId, requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].flatMap((one) => {
      const schema = one.content['application/json']?.schema
      return schema === undefined || '$ref' in schema || 'contentMediaType' in schema ? [] : [operationId]
    }),
  )
  // It answers whatever OpenAPI has.
  assert.equal(
    unnamed.filter((id) => id !== 'getDescription'),
    [],
  )
})

test('no name is one that generators give to what they make of an operation, nor one of the languages', () => {
  const made = operations.flatMap(({ operationId }) =>
    ['', 'Response', 'Request', 'Params', 'Data', 'Error', 'Errors'].map((end) => `${operationId}${end}`.toLowerCase()),
  )
  assert.equal(
    Object.keys(schemas).filter((name) => made.includes(name.toLowerCase())),
    [],
  )
  for (const taken of ['Error', 'ApiError', 'Environment', 'Object', 'Response', 'Request', 'Warning'])
    assert.not.ok(taken in schemas, taken)
})

test('every operation is described in more than its title', () => {
  for (const { operationId, summary, description } of operations) {
    assert.ok(typeof summary === 'string' && typeof description === 'string', operationId)
    assert.is.not(description, summary)
  }
})

test('operations begin with a verb and are called differently', () => {
  const ids = operations.map(({ operationId }) => operationId)
  assert.is(new Set(ids.map((id) => id.toLowerCase())).size, ids.length)
  const verb =
    /^(get|list|find|query|push|create|update|delete|revoke|import|download|explain|retry|wipe)[A-Z]|^(whoAmI)$/
  assert.equal(
    ids.filter((id) => !verb.test(id)),
    [],
  )
})

test('what one language alone knows is not in it', () => {
  for (const [path, schema] of everySchema()) {
    assert.not.ok('const' in schema, `${path}: const`)
    assert.not.ok(
      typeof schema.pattern === 'string' && /\(\?[=!<]|\\u/.test(schema.pattern),
      `${path}: ${schema.pattern}`,
    )
    const { anyOf, oneOf } = schema
    assert.not.ok(Array.isArray(anyOf) && anyOf.some((one) => one.type === 'null'), `${path}: anyOf with null`)
    if (!Array.isArray(oneOf)) continue
    assert.ok('$ref' in oneOf[0] || 'properties' in oneOf[0] || 'enum' in oneOf[0], `${path}: a plain type or null`)
  }
  for (const { operationId, parameters } of operations)
    for (const { name, schema } of parameters) assert.ok(schema, `${operationId}: ${name} has a schema`)
})

test('a number with a fraction is one of double precision, and an integer fits in 32 bits', () => {
  const typed = everySchema().map(([path, schema]) => [path, [schema.type].flat(), schema] as const)
  for (const [path, types, { format, maximum }] of typed) {
    assert.is(format === 'double', types.includes('number'), path)
    if (types.includes('integer')) assert.ok(maximum === undefined || Number(maximum) < 2 ** 31, path)
  }
  // A machine's memory in bytes does not fit.
  assert.is(Object(schemas.SearchMemoryState?.properties).budget.type, 'number')
})

test('requests are closed, and answers open to what a later version adds', () => {
  assert.is(schemas.ReviewInput?.additionalProperties, false)
  assert.is(schemas.QueryInput?.additionalProperties, false)
  for (const name of ['StoredReview', 'QueryResponse', 'QueryResult', 'ErrorEnvelope', 'Project'])
    assert.not.ok('additionalProperties' in (schemas[name] ?? {}), name)
  assert.equal(schemas.StoredReview?.required, Object.keys(schemas.StoredReview?.properties ?? {}))
  assert.equal(schemas.FoundReview?.required, [
    'id',
    'rating',
    'author_name',
    'author_avatar_url',
    'source',
    'occurred_at',
    'url',
    'metadata',
  ])
})

test('no scheme of security puts a key into an address, and filters have a type of their own', () => {
  const schemes = v.parse(v.record(v.string(), v.looseObject({ type: v.string() })), components.securitySchemes)
  for (const [name, { type }] of Object.entries(schemes)) assert.is(type, 'http', name)
  const byParameters = operations.find(({ operationId }) => operationId === 'queryReviewsByParameters')
  assert.ok(byParameters?.parameters.some(({ name }) => name === 'key'))
  for (const field of ['patternProperties', 'additionalProperties'])
    assert.not.ok(field in (schemas.QueryFilters ?? {}), field)
})

test('a field with a default may be left out, and a parameter with one has its type beside it', () => {
  const query = v.parse(v.record(v.string(), v.record(v.string(), v.unknown())), schemas.QueryInput?.properties)
  assert.not.ok('default' in (query.limit ?? {}))
  assert.match(String(query.limit?.description), 'Default: `5`')
  for (const { operationId, parameters } of operations)
    for (const { name, schema } of parameters) {
      assert.not.ok(Object(schema).default !== undefined && Object(schema).$ref, `${operationId}: ${name}`)
      assert.not.ok(['true', 'false'].includes(Object(schema).default), `${operationId}: ${name}`)
    }
})

test('the response to a preflight names all of its headers', () => {
  const preflight = operations.find(({ operationId }) => operationId === 'queryPreflight')
  const named = Object.keys(preflight?.responses['204']?.headers ?? {}).map((name) => name.toLowerCase())
  for (const name of Object.keys(preflightHeaders('https://www.example.com'))) assert.ok(named.includes(name), name)
})

test('every field of a search and of its response has a meaning, unless its name says it', () => {
  const fields = ['QueryInput', 'QueryResponse', 'QueryResult', 'Highlight'].flatMap((name) => {
    const properties = v.parse(v.record(v.string(), v.looseObject({})), schemas[name]?.properties)
    return Object.entries(properties).map(([field, { description }]) => [`${name}.${field}`, description] as const)
  })
  assert.equal(
    fields.filter(([, description]) => description === undefined).map(([field]) => field),
    ['QueryInput.filters', 'QueryResult.review'],
  )
})

test('a push takes one review or several, and bytes are bytes', () => {
  const one = { $ref: '#/components/schemas/ReviewInput' }
  assert.equal(schemas.ReviewBatch, { anyOf: [one, { type: 'array', items: one, minItems: 1, maxItems: 100 }] })
  const upload = operations.find(({ operationId }) => operationId === 'importFile')
  assert.is(upload?.requestBody.content['application/octet-stream']?.schema.format, 'binary')
})

test('every line of an import that reports its progress fits one schema, the last one too', () => {
  const upload = operations.find(({ operationId }) => operationId === 'importFile')
  const line = upload?.responses['200']?.content['application/x-ndjson']?.schema
  assert.equal(line, { $ref: '#/components/schemas/ImportLine' })
  assert.equal(Object.keys(Object(schemas.ImportLine?.properties)), ['progress', 'result', 'error'])
  assert.equal(schemas.ImportLine?.required, [])
})

test('a tool that fills in examples sends no header that changes what a search costs or that its preflight refuses', () => {
  for (const id of ['queryReviewsByParameters', 'queryReviews']) {
    const { parameters = [] } = operations.find(({ operationId }) => operationId === id) ?? {}
    const filled = parameters.filter((one) => one.in === 'header' && one.example !== undefined)
    assert.equal(
      filled.map(({ name }) => name),
      ['Origin'],
    )
  }
})

test('every error has an example with a code of its own status, as the contract has it', () => {
  const examples = v.parse(v.record(v.string(), v.object({ value: errorEnvelope })), components.examples)
  for (const { operationId, responses } of operations)
    for (const [status, { content }] of Object.entries(responses)) {
      const media = content['application/json']
      if (Object(media?.schema).$ref !== '#/components/schemas/ErrorEnvelope') continue
      const named = v.parse(v.record(v.string(), v.object({ $ref: v.string() })), media?.examples)
      assert.ok(Object.keys(named).length > 0, `${operationId} ${status}`)
      for (const [name, { $ref }] of Object.entries(named)) {
        const { code, details } = v.parse(v.object({ value: errorEnvelope }), examples[$ref.split('/').at(-1) ?? ''])
          .value.error
        assert.is(code, name)
        assert.is(String(ERROR_STATUS[code]), status, `${operationId} ${status}`)
        assert.is(details !== undefined, code === 'validation_failed')
      }
    }
})

test('what /v1 answers is shown by an example of its own shape', () => {
  for (const [id, schema] of Object.entries({
    pushReviews: pushResponse,
    listReviews: listResponse,
    getReview: storedReview,
    updateReview: storedReview,
    queryReviews: queryResponse,
    queryReviewsByParameters: queryResponse,
  })) {
    const found = operations.find(({ operationId }) => operationId === id)
    const { success, issues } = v.safeParse(schema, found?.responses['200']?.content['application/json']?.example)
    assert.ok(success, `${id}: ${JSON.stringify(issues)}`)
  }
})

test('a refusal because of the rate tells when and how much', () => {
  const query = operations.find(({ operationId }) => operationId === 'queryReviews')
  assert.equal(Object.keys(query?.responses['429']?.headers ?? {}).sort(), [
    'RateLimit-Limit',
    'RateLimit-Policy',
    'Retry-After',
    'x-request-id',
  ])
})

test.run()
