/**
 * Time of an uncached query through the whole service (routes, key, quota, embedding, search), beside the bare
 * `order by embedding <=> $1 limit 50` on the same table and connection pool, one client, taking turns.
 *
 *   npx tsx bench/search/uncached.ts --database embedded --reviews 5000
 *   npx tsx bench/search/uncached.ts --database postgres://postgres@127.0.0.1/postgres --reviews 100000
 *
 * `--pause 0` searches without a pause while memory is loaded.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { vectorText } from '../../server/sql/excerpts/vector-text.ts'
import { QUERIES } from '../corpus.ts'
import { pushAll, pushBodies } from '../ingest/fill.ts'
import { flags, median, quantile, report, timed } from '../measure.ts'
import { besideProject, openBenchService } from '../service.ts'

const options = flags({ database: 'embedded', reviews: '5000', rounds: '10', memory: 'yes', pause: '100' })
const count = Number(options.reviews)
const service = await openBenchService(options.database, { searchMemory: options.memory === 'yes' })
const { sql } = service
await pushAll(service, pushBodies(count), 4)
await sql`vacuum analyze`
const [excerpts] = await sql<{ count: number }[]>`select count(*)::int as count from excerpts`

let found = 0
const query = async (q: string, of = service) => {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-cache' }
  const response = await of.request('/v1/query', { method: 'POST', headers, body: JSON.stringify({ q }) })
  if (response.headers.get('x-cache') !== 'BYPASS') throw new Error(await response.text())
  const { results } = (await response.json()) as { results: unknown[] }
  found += results.length
}
const bare = async (vector: string) => sql`
  select review_id, ordinal from excerpts order by embedding <=> ${vector}::text::vector limit 50`

// Memory is loaded by the first query, in the background. Searches go on meanwhile, ten a second: without a pause they would
// take a processor of the database for themselves.
const loading = performance.now()
const meanwhile = [await timed(() => query('anything'))]
while (service.memory && service.memory.state().loaded === 0) {
  await sleep(Number(options.pause))
  meanwhile.push(await timed(() => query('anything')))
}
const held = service.memory?.state()
if (held) {
  const seconds = ((performance.now() - loading) / 1000).toFixed(1)
  console.log(`loaded in ${seconds} s: ${held.excerpts} excerpts, ${Math.round(held.bytes / held.excerpts)} bytes each`)
  console.log(`meanwhile ${meanwhile.length} searches, the slowest ${Math.round(Math.max(...meanwhile))} ms`)
}

const queries: number[] = []
const bares: number[] = []
const ratios: number[] = []
const rounds = Number(options.rounds)
for (let round = -1; round < rounds; round++) {
  for (const q of QUERIES) {
    const [vector] = await service.embedder.embed([q], 'query')
    const text = vectorText(vector ?? new Float32Array())
    const bareTime = await timed(() => bare(text))
    const queryTime = await timed(() => query(q))
    // The first round only warms up.
    if (round < 0) continue
    bares.push(bareTime)
    queries.push(queryTime)
    ratios.push(queryTime / bareTime)
  }
}

// A small project in the same database must not pay for the large one.
const small = await besideProject(service, 'small')
await pushAll(small, pushBodies(500, 9))
await sql`vacuum analyze`
const beside: number[] = []
for (let round = 0; round < 5; round++) for (const q of QUERIES) beside.push(await timed(() => query(q, small)))

const milliseconds = (value: number) => `${value.toFixed(1)} ms`
report(
  `uncached query, ${count} reviews (${excerpts?.count} excerpts), ${options.database === 'embedded' ? 'embedded' : 'PostgreSQL'}`,
  {
    'uncached query, p50': milliseconds(median(queries)),
    'uncached query, p95': milliseconds(quantile(queries, 0.95)),
    'bare order by <=>, p50': milliseconds(median(bares)),
    'bare order by <=>, p95': milliseconds(quantile(bares, 0.95)),
    'median of the ratios': median(ratios).toFixed(2),
    'ratio of the medians': (median(queries) / median(bares)).toFixed(2),
    'uncached query of a project of 500 reviews beside it, p50': milliseconds(median(beside)),
    'results a query': (found / (QUERIES.length * (rounds + 6))).toFixed(1),
  },
)
await service.close()
