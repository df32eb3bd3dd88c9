/**
 * What the answer of a cached query costs in processor time of the main thread, and in bytes, by encoding:
 *
 *   npx tsx bench/search/encoding.ts
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { encodeQueryResponse } from '../../server/routes/v1/encode-query-response.ts'
import type { QueryResponse } from '../../src/contract/query.ts'
import { report } from '../measure.ts'

interface Sample {
  text: string
  author_name: string
}
const samples: Sample[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../templates/demo/reviews.json'), 'utf8'),
)

function responseOf(count: number): QueryResponse {
  const results = samples.slice(0, count).map(({ text, author_name }, n) => ({
    score: 0.8,
    matched: true,
    excerpt: text.slice(0, 120),
    excerpt_id: crypto.randomUUID(),
    highlight: { start: 0, end: 120 },
    review: {
      id: crypto.randomUUID(),
      rating: 5,
      author_name,
      author_avatar_url: null,
      source: 'google' as const,
      occurred_at: '2026-01-05T10:00:00.000Z',
      url: `https://reviews.example.com/place/1/review/${n}`,
      metadata: {},
      text,
    },
  }))
  return { results, match: 'query', took_ms: 3, cached: true, badge: true }
}

const ROUNDS = 20_000
for (const count of [3, 20]) {
  const response = responseOf(count)
  const plain = JSON.stringify(response)
  const numbers: Record<string, string | number> = { 'bytes of JSON': plain.length }
  for (const encoding of ['identity', 'gzip', 'br']) {
    const request = { headers: new Headers({ 'accept-encoding': encoding }) }
    const once = () => encodeQueryResponse({ ...response, took_ms: 3 }).body(request.headers.get('accept-encoding'))
    const bytes = await sizeOf(await once())
    const before = process.cpuUsage()
    for (let n = 0; n < ROUNDS; n++) await sizeOf(await once())
    const { user, system } = process.cpuUsage(before)
    numbers[`${encoding}: bytes, and µs of processor time a request`] =
      `${bytes}, ${((user + system) / ROUNDS).toFixed(1)}`
  }
  const before = process.cpuUsage()
  for (let n = 0; n < 300; n++) gzipSync(JSON.stringify(response))
  const { user, system } = process.cpuUsage(before)
  numbers['compressed anew with gzip each time, µs'] = ((user + system) / 300).toFixed(1)
  report(`answer of ${count} reviews`, numbers)
}

/** As it is sent: JSON is made of what is not compressed. */
async function sizeOf({ body }: { body?: unknown }): Promise<number> {
  return body instanceof Uint8Array ? body.length : Buffer.byteLength(JSON.stringify(body))
}
