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
import { ORIGIN, openService, review, type TestService } from './service.ts'
import { openTransport, type Sent, TRANSPORTS, type Transport } from './transport.ts'

const SECONDS = 4
const SEED = Number(process.env.FUZZ_SEED ?? 20260105)

/** mulberry32 (public domain, Tommy Ettinger): small, fast and the same everywhere. */
function randomFrom(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

class Fuzzer {
  readonly #random: () => number
  readonly #service: TestService
  ids: string[] = ['5f0c1f2e-3f52-4b44-9d5e-8b4d0a7c2f10']
  cursors: string[] = ['AAAA']

  constructor(seed: number, service: TestService) {
    this.#random = randomFrom(seed)
    this.#service = service
  }

  pick<T>(...options: T[]): T {
    return options[Math.floor(this.#random() * options.length)] as T
  }

  chance(share: number): boolean {
    return this.#random() < share
  }

  int(max: number): number {
    return Math.floor(this.#random() * max)
  }

  string(): string {
    const alphabet = [
      'a',
      'Z',
      '9',
      ' ',
      '\n',
      '\u0000',
      '\ud83d',
      '\ude00',
      '😀',
      'é',
      '\u202e',
      "'",
      '"',
      '\\',
      '%',
      '$1',
      '&',
      '|',
      '!',
      ':*',
      '(',
      '<b>',
      '\ufeff',
      'ﬁ',
      'İ',
      '\uffff',
      '--',
      ';',
    ]
    if (this.chance(0.05)) return this.pick('a', '😀', ' ').repeat(this.pick(500, 501, 20_000, 20_001))
    return Array.from({ length: this.int(12) }, () => this.pick(...alphabet)).join('')
  }

  value(depth = 0): unknown {
    const deeper = () => this.value(depth + 1)
    const leaf = [
      null,
      true,
      false,
      0,
      -0,
      1,
      5,
      6,
      4.5,
      -1,
      1e308,
      2 ** 53,
      '',
      this.string(),
      '5',
      '2026-01-05',
      '2026-01-05T10:00:00Z',
      '9999-12-31T23:59:59-23:59',
      '0001-01-01T00:00:00+23:59',
    ]
    if (depth > 3 || this.chance(0.7)) return this.pick<unknown>(...leaf)
    if (this.chance(0.5)) return Array.from({ length: this.int(5) }, deeper)
    return Object.fromEntries(Array.from({ length: this.int(5) }, () => [this.key(), deeper()]))
  }

  key(): string {
    const known = [
      'external_id',
      'source',
      'rating',
      'text',
      'author_name',
      'occurred_at',
      'metadata',
      'q',
      'limit',
      'mode',
      'include',
      'fallback',
      'filters',
      'since',
      'min_rating',
      'hidden',
      'metadata.a',
    ]
    return this.pick(this.pick(...known), '__proto__', 'constructor', 'toString', 'metadata.__proto__', this.string())
  }

  /** A sound value with some of its parts replaced. */
  spoiled(base: Record<string, unknown>): Record<string, unknown> {
    const entries = Object.entries(base).map(([key, value]): [string, unknown] => [
      key,
      this.chance(0.15) ? this.value() : value,
    ])
    if (this.chance(0.2)) entries.push([this.key(), this.value()])
    if (this.chance(0.1)) entries.splice(this.int(entries.length), 1)
    return Object.fromEntries(entries)
  }

  body(): unknown {
    const metadata = Object.fromEntries(
      Array.from({ length: this.int(4) }, () => [this.string() || 'k', this.string()]),
    )
    const one = () =>
      this.spoiled(
        review(this.pick('a', 'b', this.string()), {
          text: `t ${this.string()}`,
          rating: this.pick(1, 5, null),
          metadata,
          url: this.pick(null, 'https://a.example/x'),
        }),
      )
    const asked = () =>
      this.spoiled({
        q: this.string(),
        limit: this.int(22),
        mode: this.pick('excerpts', 'reviews'),
        fallback: this.pick('none', 'recent'),
        filters: this.spoiled({
          min_rating: 1 + this.int(5),
          source: this.pick<unknown>('google', ['yelp', 'x']),
          since: '2020-01-01',
          metadata,
        }),
      })
    return this.pick<() => unknown>(
      one,
      () => Array.from({ length: this.int(4) }, one),
      asked,
      () => ({ hidden: this.chance(0.5), metadata }),
      () => this.value(),
    )()
  }

  bytes(): string | Uint8Array {
    const text = JSON.stringify(this.body() ?? null)
    if (this.chance(0.85)) return text
    if (this.chance(0.3)) return text.slice(0, this.int(text.length + 1))
    const bytes = Buffer.from(text)
    for (let i = 0; i < 3 && bytes.length > 0; i++) bytes[this.int(bytes.length)] = this.int(256)
    return bytes
  }

  search(): string {
    const names = [
      'q',
      'limit',
      'mode',
      'include',
      'fallback',
      'min_rating',
      'source',
      'since',
      'metadata.a',
      'cursor',
      'hidden',
      'indexed',
      'key',
      this.key(),
    ]
    const values = () =>
      this.pick(
        this.string(),
        '5',
        'text',
        'google',
        'google,yelp',
        'true',
        'all',
        'reviews',
        'recent',
        '2026-01-05',
        this.pick(...this.cursors),
      )
    const encode = (text: string) =>
      this.chance(0.1) ? this.pick('%', '%ff', '%00', '%ed%a0%80', '+') : encodeURIComponent(text.toWellFormed())
    const pairs = Array.from({ length: this.int(4) }, () => `${encode(this.pick(...names))}=${encode(values())}`)
    return pairs.length === 0 ? '' : `?${pairs.join('&')}`
  }

  request(): Sent {
    const { keys } = this.#service
    const method = this.pick('GET', 'GET', 'POST', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS')
    const id = this.pick(...this.ids, 'x')
    const path = this.pick(
      '/v1/query',
      '/v1/query',
      '/v1/reviews',
      '/v1/reviews',
      `/v1/reviews/${id}`,
      '/v1/nothing',
      '/operator/projects',
      '/readyz',
    )
    const headers: Record<string, string> = {}
    if (this.chance(0.95))
      headers.authorization = `Bearer ${this.pick(keys.secret, keys.secret, keys.secretTest, keys.publishable, 'x')}`
    if (this.chance(0.3)) headers.origin = this.pick(ORIGIN, 'https://b.example', 'null')
    if (this.chance(0.1)) headers['cache-control'] = 'no-cache'
    if (this.chance(0.1)) headers['x-request-id'] = this.pick('abc', 'a b', 'x'.repeat(200))
    const search = this.chance(0.5) ? this.search() : ''
    if (method === 'GET') return { method, path: path + search, headers }
    if (this.chance(0.95))
      headers['content-type'] = this.pick(
        'application/json',
        'application/json',
        'application/json',
        'application/json; charset=utf-8',
        'text/plain',
      )
    return { method, path: path + search, headers, ...(this.chance(0.9) ? { body: this.bytes() } : {}) }
  }
}

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
    for (; Date.now() < end || sent < 300; sent++) {
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
