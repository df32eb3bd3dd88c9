/**
 * Bytes that a review and an excerpt take on PostgreSQL, indexes and dead space included, for docs/scaling.md.
 *
 *   npx tsx bench/ingest/size.ts --database postgres://postgres@127.0.0.1/postgres
 */
import { flags, report } from '../measure.ts'
import { openBenchService } from '../service.ts'
import { pushAll, pushBodies } from './fill.ts'

const options = flags({ database: '', reviews: '20000' })
const service = await openBenchService(options.database, { keys: 50 })
await pushAll(service, pushBodies(Number(options.reviews)))
const sizes = await service.sql<{ name: string; rows: number; bytes: string; characters: number }[]>`
  select 'review' as name, count(*)::int as rows, pg_total_relation_size('reviews') as bytes,
    avg(length(text))::int as characters from reviews
  union all
  select 'excerpt', count(*)::int, pg_total_relation_size('excerpts'), avg(length(text))::int from excerpts`
report('size on PostgreSQL', {
  ...Object.fromEntries(
    sizes.map(({ name, rows, bytes, characters }) => [
      `${rows} ${name}s of ${characters} characters on average`,
      `${Math.round(Number(bytes) / rows)} bytes each`,
    ]),
  ),
})
await service.close()
