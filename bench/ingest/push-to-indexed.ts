/**
 * Reviews a second from push to indexed, through the whole service in one process, beside the plain insert of the
 * finished rows (reviews, excerpts with vectors and words) into the same database.
 *
 *   npx tsx bench/ingest/push-to-indexed.ts --database embedded --reviews 5000
 *   npx tsx bench/ingest/push-to-indexed.ts --database postgres://postgres@127.0.0.1/postgres --reviews 20000
 */
import type { Pool } from '../../server/deps.ts'
import { flags, report, timed } from '../measure.ts'
import { openBenchService } from '../service.ts'
import { pushAll, pushBodies } from './fill.ts'

const options = flags({ database: 'embedded', reviews: '5000', lanes: '2' })
const count = Number(options.reviews)
const service = await openBenchService(options.database)
const { sql } = service

await pushAll(service, pushBodies(500, 99))
const bodies = pushBodies(count)
const before = process.cpuUsage()
const pushed = await timed(() => pushAll(service, bodies, Number(options.lanes)))
const { user, system } = process.cpuUsage(before)
const [excerpts] = await sql<{ count: number }[]>`select count(*)::int as count from excerpts`
const inserted = await insertFinished(sql, count)

report(`push to indexed, ${count} reviews, ${options.database === 'embedded' ? 'embedded' : 'PostgreSQL'}`, {
  'push to indexed, reviews/s': Math.round((count / pushed) * 1000),
  'processor time of this process, ms a review': ((user + system) / 1000 / count).toFixed(3),
  'plain insert of the finished rows, reviews/s': Math.round((count / inserted) * 1000),
  'share of the plain insert': (inserted / pushed).toFixed(2),
  'excerpts a review': ((excerpts?.count ?? 0) / (count + 500)).toFixed(2),
})
await service.close()

/** Milliseconds to insert the rows that the pipeline made into empty copies of its tables, a hundred reviews at a time. */
async function insertFinished(sql: Pool, count: number): Promise<number> {
  for (const table of ['reviews', 'excerpts'])
    await sql.unsafe(`create table copy_of_${table} (like ${table} including all)`)
  const reviews = await sql<{ row: string; id: string }[]>`
    select to_jsonb(reviews)::text as row, id from reviews where external_id like 'made-up-1-%' limit ${count}`
  let milliseconds = 0
  for (let i = 0; i < reviews.length; i += 100) {
    const batch = reviews.slice(i, i + 100)
    const excerpts = await sql<{ row: string }[]>`
      select (to_jsonb(excerpts) || jsonb_build_object('embedding', embedding::text, 'lexemes', lexemes::text))::text as row
      from excerpts where review_id = any (${batch.map(({ id }) => id)}::uuid[])`
    const values = (rows: readonly { row: string }[]) => `[${rows.map(({ row }) => row).join(',')}]`
    milliseconds += await timed(() =>
      sql.begin(async (tx) => {
        await tx`insert into copy_of_reviews
          select * from json_populate_recordset(null::copy_of_reviews, ${values(batch)}::text::json)`
        await tx`insert into copy_of_excerpts
          select * from json_populate_recordset(null::copy_of_excerpts, ${values(excerpts)}::text::json)`
      }),
    )
  }
  return milliseconds
}
