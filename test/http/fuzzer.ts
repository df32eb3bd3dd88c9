/** Makes random requests, from a seed. */
import { random } from '../random.ts'
import { ORIGIN, review, type TestService } from './service.ts'
import type { Sent } from './transport.ts'

export class Fuzzer {
  readonly #random: () => number
  readonly #service: TestService
  ids: string[] = ['5f0c1f2e-3f52-4b44-9d5e-8b4d0a7c2f10']
  cursors: string[] = ['AAAA']

  constructor(seed: number, service: TestService) {
    this.#random = random(seed)
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
