/** What no client sends by accident: every route answers it with a finding, and soon. */
import * as assert from 'uvu/assert'
import { assertRefusal } from '../http/answers.ts'
import { OPERATOR_TOKEN, review } from '../http/service.ts'
import { serviceOnTransports } from '../http/service-on-transports.ts'
import { type Sent, TRANSPORTS } from '../http/transport.ts'
import { suite } from '../suite.ts'

const ID = '5f0c1f2e-3f52-4b44-9d5e-8b4d0a7c2f10'
const json = { 'content-type': 'application/json' }
const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` }

const test = suite('hostile input')

const { service, transports } = serviceOnTransports(test, {
  explain: () => Promise.reject(new Error('no such body may come this far')),
  insights: { nearest: async () => [], counting: true },
})

const secret = () => ({ authorization: `Bearer ${service.keys.secret}` })

/** Every route that takes JSON, the most it takes, and a sound body in which the marked value is replaced. */
const BODIES: [method: string, path: string, headers: () => Record<string, string>, bytes: number, sound: object][] = [
  ['POST', '/v1/reviews', secret, 1_048_576, review('a', { text: '?' })],
  ['POST', '/v1/reviews', secret, 1_048_576, [review('a'), review('b', { metadata: { page: '?' } })]],
  ['PATCH', `/v1/reviews/${ID}`, secret, 65_536, { metadata: { page: '?' } }],
  ['POST', '/v1/query', secret, 16_384, { q: '?' }],
  ['POST', '/v1/query', secret, 16_384, { filters: { 'metadata.page': '?' } }],
  ['POST', '/explain', secret, 16_384, { q: 'x', review: '?' }],
  ['POST', '/operator/projects', () => operator, 65_536, { name: '?' }],
  ['PATCH', '/operator/projects/hotel', () => operator, 65_536, { origins: ['?'] }],
  ['POST', '/operator/keys', () => operator, 65_536, { project: '?', kind: 'secret', env: 'live' }],
  ['POST', '/operator/wipe', () => operator, 65_536, { project: '?', env: 'test' }],
]

const DAMAGED: [name: string, make: (bytes: number, sound: string) => string][] = [
  ['brackets without an end', (bytes) => '['.repeat(bytes)],
  ['braces without an end', (bytes) => '{"a":'.repeat(Math.floor(bytes / 5))],
  ['arrays in arrays', (bytes) => nested('[', '0', ']', bytes)],
  ['objects in objects', (bytes) => nested('{"a":', '0', '}', bytes)],
  ['a string without an end', (bytes) => `"${'a'.repeat(bytes - 1)}`],
  ['a field without an end', (bytes) => `{"q":"${'\\u0061'.repeat(Math.floor((bytes - 6) / 6))}`],
  ['a number of as many digits', (bytes) => '9'.repeat(bytes)],
  ['a deep value in a field', (bytes, sound) => sound.replace('"?"', nested('[', '0', ']', bytes - sound.length))],
  ['a deep object in a field', (bytes, sound) => sound.replace('"?"', nested('{"a":', '0', '}', bytes - sound.length))],
  ['nothing but unknown fields', (bytes) => `{${fieldsOf(bytes - 2)}}`],
  ['nothing but one unknown field', (bytes) => `{${`"a":0,`.repeat(Math.floor((bytes - 10) / 6))}"a":0}`],
  ['nothing but numbers', (bytes) => `[${'0,'.repeat(Math.floor((bytes - 3) / 2))}0]`],
]

function nested(open: string, core: string, close: string, bytes: number): string {
  const depth = Math.floor((bytes - core.length) / (open.length + close.length))
  return open.repeat(depth) + core + close.repeat(depth)
}

function fieldsOf(bytes: number): string {
  const fields = Array.from({ length: Math.floor(bytes / 9) }, (_, i) => `"${i.toString(36).padStart(4, '_')}":0`)
  return fields
    .join(',')
    .slice(0, bytes)
    .replace(/,[^,]*$/, '')
}

for (const name of TRANSPORTS) {
  const send = (sent: Sent) => transports[name].send(sent)

  for (const [damage, make] of DAMAGED) {
    test(`${name}: a body of ${damage} is 422 on every route, and nobody waits for it`, async () => {
      await service.endRateWindows()
      for (const [method, path, headers, bytes, sound] of BODIES) {
        const body = make(bytes, JSON.stringify(sound))
        assert.ok(body.length <= bytes && body.length > bytes * 0.9, `${path}: ${body.length}`)
        const label = `${damage}: ${method} ${path}`
        const before = process.cpuUsage()
        const response = await send({ method, path, headers: { ...json, ...headers() }, body })
        const { user, system } = process.cpuUsage(before)
        await assertRefusal(response, 'validation_failed', label)
        assert.ok((user + system) / 1000 < 1_000, `${label}: ${(user + system) / 1000} ms`)
      }
    })
  }

  for (const [what, text] of [
    ['U+0000', 'a\u0000b'],
    ['half a surrogate pair', 'a\ud800b'],
  ] as const) {
    test(`${name}: ${what} in a project's name names no project`, async () => {
      const body = (fields: object) => ({ headers: { ...operator, ...json }, body: JSON.stringify(fields) })
      const asked: [label: string, sent: Sent][] = [
        ['keys', { method: 'POST', path: '/operator/keys', ...body({ project: text, kind: 'secret', env: 'live' }) }],
        ['wipe', { method: 'POST', path: '/operator/wipe', ...body({ project: text, env: 'test' }) }],
      ]
      if (what === 'U+0000') {
        const inPath = encodeURIComponent(text)
        asked.push(
          ['project', { path: `/operator/projects/${inPath}`, headers: operator }],
          ['delete', { method: 'DELETE', path: `/operator/projects/${inPath}`, headers: operator }],
          ['patch', { method: 'PATCH', path: `/operator/projects/${inPath}`, ...body({ plan: 'free' }) }],
          ['list of keys', { path: `/operator/keys?project=${inPath}`, headers: operator }],
          ['insights', { path: `/operator/insights?project=${inPath}`, headers: operator }],
        )
      }
      for (const [label, sent] of asked) await assertRefusal(await send(sent), 'not_found', label)
      for (const fields of [{ name: text }, { name: 'x', origins: [`https://${text}`] }]) {
        const response = await send({ method: 'POST', path: '/operator/projects', ...body(fields) })
        await assertRefusal(response, 'validation_failed', JSON.stringify(fields))
      }
    })
  }

  test(`${name}: two hundred addresses with the costliest of hosts are looked at in no time`, async () => {
    const letters = (i: number) => String.fromCodePoint(0x4e00 + ((i * 37) % 20_000))
    const host = (length: number) => Array.from({ length }, (_, i) => letters(i)).join('')
    // As many as fit a megabyte: the second kind took the URL parser seconds.
    for (const [length, count] of [
      [390, 100],
      [1_700, 95],
    ] as const) {
      const url = `https://${host(length)}`
      const reviews = Array.from({ length: count }, (_, i) => review(String(i), { url, author_avatar_url: url }))
      const body = JSON.stringify(reviews)
      assert.ok(Buffer.byteLength(body) < 1_048_576)
      const before = process.cpuUsage()
      const response = await send({
        method: 'POST',
        path: '/v1/reviews?unknown=1',
        headers: { ...json, ...secret() },
        body,
      })
      const { user } = process.cpuUsage(before)
      await assertRefusal(response, 'validation_failed', String(length))
      assert.ok(user / 1000 < 800, `${length}: ${user / 1000} ms`)
    }
  })

  test(`${name}: U+0000 in an id names nothing`, async () => {
    for (const path of ['/v1/reviews/%00', '/operator/keys/%00', '/imports/%00/errors.csv']) {
      const method = path.startsWith('/imports') ? 'GET' : 'DELETE'
      const headers = path.startsWith('/operator') ? operator : secret()
      await assertRefusal(await send({ method, path, headers }), 'not_found', path)
    }
  })
}

test.run()
