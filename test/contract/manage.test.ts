import * as assert from 'uvu/assert'
import { parseKey } from '../../src/contract/key.ts'
import { listParameters, patchBody } from '../../src/contract/review.ts'
import { validate } from '../../src/contract/validate.ts'
import { suite } from '../suite.ts'

const test = suite('body of PATCH, parameters of the list, keys')

const patches: [body: unknown, path: string | undefined][] = [
  [{ hidden: true }, undefined],
  [{ metadata: {} }, undefined],
  [{ hidden: false, metadata: { page: 'spa' } }, undefined],
  [{}, '(body)'],
  [[], '(body)'],
  [null, '(body)'],
  [undefined, '(body)'],
  [{ hidden: null }, 'hidden'],
  [{ hidden: 'true' }, 'hidden'],
  [{ hidden: 1 }, 'hidden'],
  [{ hidden: true, text: 'x' }, 'text'],
  [{ text: 'x' }, 'text'],
  [{ metadata: { a: null } }, 'metadata.a'],
]
for (const [body, path] of patches) {
  test(`PATCH ${path === undefined ? 'accepts' : 'refuses'} ${JSON.stringify(body)}`, () => {
    const result = validate(patchBody, body)
    assert.equal(result.ok ? undefined : result.details.map((detail) => detail.path).join(), path)
  })
}

const lists: [parameters: Record<string, string>, path: string | undefined][] = [
  [{}, undefined],
  [
    { limit: '100', source: 'custom', min_rating: '1', hidden: 'all', since: '2026-01-05', indexed: 'false' },
    undefined,
  ],
  [{ limit: '0' }, 'limit'],
  [{ limit: '101' }, 'limit'],
  [{ limit: '1e1' }, 'limit'],
  [{ limit: '' }, 'limit'],
  [{ source: 'google,yelp' }, 'source'],
  [{ min_rating: '0' }, 'min_rating'],
  [{ hidden: 'yes' }, 'hidden'],
  [{ indexed: 'all' }, 'indexed'],
  [{ since: '2026-13-01' }, 'since'],
  [{ since: '2026-01-05T10:00:00' }, 'since'],
  [{ cursor: '' }, 'cursor'],
  [{ cursor: 'a+b' }, 'cursor'],
  [{ cursor: 'abc\n' }, 'cursor'],
  [{ page: '2' }, 'page'],
]
for (const [parameters, path] of lists) {
  test(`the list ${path === undefined ? 'accepts' : 'refuses'} ${JSON.stringify(parameters)}`, () => {
    const result = validate(listParameters, parameters)
    assert.equal(result.ok ? undefined : result.details.map((detail) => detail.path).join(), path)
  })
}

test('the list has the defaults of the contract', () => {
  const result = validate(listParameters, {})
  assert.ok(result.ok)
  assert.equal(result.value, { limit: 20, hidden: 'all' })
})

test('a key says kind and environment, and nothing else is a key', () => {
  const body = 'aB3'.repeat(11).slice(0, 32)
  assert.equal(parseKey(`svc_sk_live_${body}`), { kind: 'secret', env: 'live' })
  assert.equal(parseKey(`svc_pk_test_${body}`), { kind: 'publishable', env: 'test' })
  const wrong = [`svc_sk_live_${body}x`, `svc_sk_live_${body.slice(1)}`, `svc_xk_live_${body}`, `svc_sk_prod_${body}`]
  for (const key of [...wrong, `svc_sk_live_${body}\n`, ` svc_sk_live_${body}`, `svc_sk_live_${body.slice(1)}é`, '']) {
    assert.is(parseKey(key), undefined, JSON.stringify(key))
  }
})

test.run()
