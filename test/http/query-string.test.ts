/** Query strings of any length are read in one pass, and no further than a request can need. */
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { queryOf } from '../../server/http/query-rule.ts'
import {
  MAX_PARAMETERS,
  parameterFindings,
  parseQueryString,
  type QueryString,
  wellFormedParameters,
} from '../../server/http/query-string.ts'
import { fields } from '../../src/contract/fields.ts'
import { suite } from '../suite.ts'

const test = suite('query strings')

const names = (count: number, form: (i: number) => string) => Array.from({ length: count }, (_, i) => form(i)).join('&')
const entries = (query: QueryString) => [...query.parameters]

test('names and values are decoded as forms are', () => {
  const query = parseQueryString('?a=1&b=x+y%20z&c&=d&&e=%C3%A9=%&f=%4&g=5%+or%6')
  assert.equal(entries(query), [
    ['a', '1'],
    ['b', 'x y z'],
    ['c', ''],
    ['', 'd'],
    ['e', 'é=%'],
    ['f', '%4'],
    ['g', '5% or%6'],
  ])
  assert.is(query.malformed.size, 0)
  assert.is(query.rest, '')
})

test('bytes that are no UTF-8 are a finding that names the parameter', () => {
  const query = parseQueryString('?a=%ff&b=1&%fe=1')
  assert.equal([...query.malformed], ['a', '\ufffd'])
  assert.equal(parameterFindings(query, { known: () => true }), [
    { path: 'a', message: 'is not valid UTF-8' },
    { path: '\ufffd', message: 'is not valid UTF-8' },
  ])
})

test('each name is found fault with once', () => {
  const query = parseQueryString('?a=1&x=1&a=2&b=%ff&x=2&b=2&c=1&c=2')
  const known = (name: string) => name !== 'x'
  assert.equal(parameterFindings(query, { known, once: (name) => name !== 'c' }), [
    { path: 'a', message: 'must be given once' },
    { path: 'x', message: 'is not a known parameter' },
    { path: 'b', message: 'is not valid UTF-8' },
  ])
  assert.equal(wellFormedParameters(query), {})
  assert.equal(wellFormedParameters(parseQueryString('?a=%ff')), {})
  assert.equal(
    wellFormedParameters(parseQueryString('?a=1&__proto__=2')),
    Object.fromEntries([
      ['a', '1'],
      ['__proto__', '2'],
    ]),
  )
})

test(`${MAX_PARAMETERS} parameters are read, and of what follows only the key`, () => {
  const full = names(MAX_PARAMETERS, (i) => `n${i}=1`)
  assert.is(parseQueryString(full).rest, '')
  assert.is(parseQueryString(`${full}&&`).rest, '')
  const more = parseQueryString(`${full}&more=%ff&key=a&monkey=1&key=b&key=c`)
  assert.is(more.parameters.size, MAX_PARAMETERS + 2)
  assert.equal(more.parameters.getAll('key'), ['a', 'b'])
  assert.is(more.malformed.size, 0)
  assert.is(more.rest, 'more=%ff&key=a&monkey=1&key=b&key=c')
})

test('a name with brackets is told how it is written here', () => {
  const rule = queryOf(fields({ source: v.optional(v.string()) }))
  const result = rule.parse(parseQueryString('?source[]=a&metadata%5Bpage%5D=b&metadata.a[b]=c&other=d'))
  const messages = result.ok ? [] : result.details.map(({ path, message }) => `${path} ${message}`)
  assert.match(messages[0] ?? '', /^source\[\] .*a list is source=a&source=b$/)
  assert.match(messages[1] ?? '', /^metadata\[page\] .*metadata\.<key>=<value>$/)
  assert.equal(messages.slice(2), ['metadata.a[b] is not a known field', 'other is not a known field'])
})

test('a finding shows no more of a name than a reader needs', () => {
  const [finding] = parameterFindings(parseQueryString(`?${'n'.repeat(100_000)}=1`))
  assert.ok((finding?.path.length ?? 0) < 400)
})

/** Processor time, which other programs on the machine don't lengthen. */
function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

// Each of these took seconds to minutes when a list was searched for every name.
for (const [title, search] of [
  ['malformed names', names(100_000, (i) => `%ff${i}`)],
  ['names', names(100_000, (i) => `n${i}=1`)],
  ['times one name', names(100_000, () => 'a=1')],
  ['malformed keys', names(100_000, (i) => `key=%ff${i}`)],
  ['bytes of escapes in one value', `a=${'%ff'.repeat(100_000)}`],
  ['ampersands', '&'.repeat(100_000)],
] as const) {
  test(`100,000 ${title} are no work to speak of`, () => {
    const spent = cpuMs(() => {
      const query = parseQueryString(search)
      parameterFindings(query)
      wellFormedParameters(query)
    })
    assert.ok(spent < 400, `${spent} ms`)
  })
}

test.run()
