/**
 * One project of a million reviews on one PostgreSQL server: what it takes on disk and in a server's search memory, how long the
 * memory takes to load, and a push, a list and an uncached query, answered by memory and by the database.
 *
 *   npx tsx bench/search/large-project.ts --database postgres://… --reviews 1000000
 *
 * `--template` reviews are pushed and indexed; their rows are copied by statements until there are as many as asked for, with ids
 * of their own. Texts and vectors repeat, the work does not know it. The database is made, and dropped at the end.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { columnNames } from '../column-names.ts'
import { takeReviews } from '../corpus.ts'
import { pushAll, pushBodies } from '../ingest/fill.ts'
import { flags, median, quantile, report, timed } from '../measure.ts'
import { type BenchService, openBenchService } from '../service.ts'

const options = flags({ database: '', reviews: '1000000', template: '10000', rounds: '15' })
const WORDS = ['quiet room', 'friendly staff', 'breakfast', 'clean bathroom', 'good location', 'slow service']

/** Copies the rows of what was pushed, with other ids, and the environment counts them. */
async function copyRows({ sql, project }: BenchService, copies: number): Promise<void> {
  const ofReviews = await columnNames(sql, 'reviews', ['id', 'external_id'])
  const ofExcerpts = await columnNames(sql, 'excerpts', ['id', 'review_id'])
  for (const table of ['reviews', 'excerpts'])
    await sql.unsafe(`create table template_${table} as select * from ${table}`)
  for (let copy = 1; copy <= copies; copy++) {
    await sql.begin(async (tx) => {
      await tx`set local statement_timeout = 0`
      await tx.unsafe(`insert into reviews (id, external_id, ${ofReviews.join(', ')})
        select md5('${copy}' || id)::uuid, external_id || '-${copy}', ${ofReviews.join(', ')} from template_reviews`)
      await tx.unsafe(`insert into excerpts (id, review_id, ${ofExcerpts.join(', ')})
        select md5('${copy}' || id)::uuid, md5('${copy}' || review_id)::uuid, ${ofExcerpts.join(', ')} from template_excerpts`)
    })
    if (copy % 10 === 0) console.log(`  ${copy} of ${copies} copies`)
  }
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx`update environments set revision = revision + 1, stamp = gen_random_uuid(),
      review_count = (select count(*) from reviews where project_id = ${project.id} and env = 'live')
      where project_id = ${project.id} and env = 'live'`
    await tx`drop table template_reviews, template_excerpts`
    await tx`analyze`
  })
}

const allowance = { reviewsPerProject: { paid: 2 * Number(options.reviews) } }
const service = await openBenchService(options.database, { keys: 50, searchMemory: true, allowance })
const { sql, memory } = service
let turn = 0
async function ask(path: string, body?: string): Promise<void> {
  const init = body === undefined ? {} : { method: 'POST', body, headers: { 'content-type': 'application/json' } }
  const response = await service.request(path, init)
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  await response.arrayBuffer()
}
const query = () => ask(`/v1/query?q=${encodeURIComponent(`${WORDS[turn % 6]} ${turn++}`)}`)
const figures: Record<string, string> = {}
async function measure(what: string, work: () => Promise<void>, rounds = Number(options.rounds)): Promise<void> {
  const taken: number[] = []
  for (let round = -2; round < rounds; round++) {
    const ms = await timed(work)
    if (round >= 0) taken.push(ms)
  }
  figures[what] = `${median(taken).toFixed(1)} ms (90 %: ${quantile(taken, 0.9).toFixed(1)} ms)`
  console.log(`  ${what}: ${figures[what]}`)
}

const template = Number(options.template)
const pushing = await timed(() => pushAll(service, pushBodies(template)))
figures[`${template} reviews pushed and indexed`] = `${(pushing / 1000).toFixed(1)} s`
const copying = await timed(() => copyRows(service, Number(options.reviews) / template - 1))
figures['the rest copied'] = `${(copying / 1000).toFixed(0)} s`
const [held] = await sql<{ reviews: number; excerpts: number; bytes: string; database: string }[]>`
  select (select count(*)::int from reviews) as reviews, (select count(*)::int from excerpts) as excerpts,
    (pg_total_relation_size('reviews') + pg_total_relation_size('excerpts')) as bytes, pg_database_size(current_database()) as database`
figures['reviews, excerpts'] = `${held?.reviews}, ${held?.excerpts}`
figures['on disk'] = `${(Number(held?.bytes) / 1e9).toFixed(2)} GB`
console.log(figures)

const fresh = takeReviews(1_000, 7)
const batch = () => JSON.stringify(fresh.splice(0, 10).map((one) => ({ ...one, external_id: randomUUID() })))
// The copies left no note of what they changed, behind which memory could follow.
await ask('/v1/reviews', batch())
await service.worker.idle()

const rss = process.memoryUsage().rss
const loading = await timed(async () => {
  for (let state = memory?.state(); (state?.loaded ?? 0) === 0; state = memory?.state()) {
    // Until then the database answers, which may take longer than a request has.
    if (state?.loading === 0) await query().catch((error: unknown) => console.log(String(error).slice(0, 120)))
    if ((state?.refused ?? 0) > 0) throw new Error('refused')
    await pause(250)
  }
})
figures['loaded into memory'] =
  `${(loading / 1000).toFixed(1)} s, ${((memory?.state().bytes ?? 0) / 1e6).toFixed(0)} MB; the process grew by ${((process.memoryUsage().rss - rss) / 1e6).toFixed(0)} MB`
await measure('query by memory', query)
await measure('push of 10', () => ask('/v1/reviews', batch()))
await measure('list of 20', () => ask('/v1/reviews?limit=20'))
await service.worker.idle()
await memory?.stop()
await measure('query by the database', query, 5).catch((error: unknown) => {
  figures['query by the database'] = String(error).slice(0, 120)
})
report('one large project', figures)
await service.close()
