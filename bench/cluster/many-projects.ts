/**
 * A thousand projects on a Citus cluster beside one plain PostgreSQL server: push, query, list, upkeep, status and doctor,
 * in turns, as ratios of the medians. Both addresses are of empty databases; the cluster's is a coordinator's, and
 * distributed. They are filled, and stay: one that is filled is taken as it is. `--full` of the projects hold a thousand
 * reviews, the rest `--few`. Their rows are copies of a thousand that were pushed and indexed; what is measured is not.
 *
 *   npx tsx bench/cluster/many-projects.ts --plain postgres://… --cluster postgres://…
 *   … with one of the two addresses only: it is filled, and nothing is measured
 */
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { watchCluster } from '../../server/db/cluster-watch.ts'
import { connect } from '../../server/db/connect.ts'
import { migrate } from '../../server/db/migrate.ts'
import { createDoctor } from '../../server/doctor.ts'
import { projectsWithKeys } from '../../server/sql/installation/diagnosis.ts'
import { listProjects } from '../../server/sql/projects/projects.ts'
import { claimReviews } from '../../server/sql/queue/claim.ts'
import { queueCounts } from '../../server/sql/queue/counts.ts'
import { dueProjects, rescheduleFutureJobs } from '../../server/sql/queue/due.ts'
import { releaseReviews } from '../../server/sql/queue/lease.ts'
import { countReviewsOfAll } from '../../server/sql/reviews/reviews.ts'
import { forgetInsights } from '../../server/sql/usage/query-insights.ts'
import { usageOfProjects } from '../../server/sql/usage/usage-overview.ts'
import { takeReviews } from '../corpus.ts'
import { copyProject } from '../ingest/copy-project.ts'
import { pushAll, pushBodies, untilIndexed } from '../ingest/fill.ts'
import { flags, median, timed } from '../measure.ts'
import { type BenchService, makeKeys, openBenchService, requester, silent } from '../service.ts'

const options = flags({
  plain: '',
  cluster: '',
  projects: '1000',
  full: '100',
  few: '100',
  rounds: '15',
  jobs: '100000',
})
const TEMPLATE = 1_000
const COPIES = { copies: Number(options.projects), full: Number(options.full), few: Number(options.few) }
const KEYS = 20
/** Of the projects with a thousand reviews, so many are pushed to, queried and listed, in turn. */
const ASKED = 100
/** More than all rounds push. */
const REVIEWS_PUSHED = 40_000

interface Side {
  service: BenchService
  /** Of projects with a thousand reviews. */
  requests: BenchService['request'][]
  due: string
}

async function open(url: string): Promise<Side> {
  const sql = connect({ url: `${url}?statement_timeout=0` })
  await migrate(sql, silent)
  // As a server does, which then asks for keys and projects in parts.
  const watch = await watchCluster(sql, silent)
  const close = async () => {
    watch.stop()
    await sql.end({ timeout: 5 })
  }
  const service = await openBenchService({ sql, url, close }, { keys: KEYS })
  const [filled] = await sql`select from projects where name = 'copy 1'`
  if (!filled) {
    await pushAll(service, pushBodies(TEMPLATE))
    const seconds = (await timed(() => copyProject(service, COPIES))) / 1000
    console.log(`${url}: copied in ${seconds.toFixed(0)} s`)
  }
  const [held] = await sql<{ reviews: number; excerpts: number }[]>`
    select (select count(*)::int from reviews) as reviews, (select count(*)::int from excerpts) as excerpts`
  console.log(`${url}: ${held?.reviews} reviews, ${held?.excerpts} excerpts`)
  const last = Math.min(Number(options.full), Number(options.projects))
  const asked = new Set(Array.from({ length: ASKED }, (_, n) => `copy ${1 + Math.floor((n * last) / ASKED)}`))
  const copies = (await listProjects(sql)).filter(({ name }) => asked.has(name))
  const requests = []
  for (const copy of copies) requests.push(requester(service.fetch, await makeKeys(sql, copy, 3)))
  return { service, requests, due: copies[0]?.id ?? '' }
}

const alone = options.plain === '' || options.cluster === ''
if (alone) {
  const { service } = await open(options.plain || options.cluster)
  await service.close()
  process.exit()
}
const sides = { plain: await open(options.plain), cluster: await open(options.cluster) }
let turn = 0
const request =
  (path: () => string, body?: () => string) =>
  async ({ requests }: Side) => {
    const method = body ? 'POST' : 'GET'
    const init = body ? { method, body: body(), headers: { 'content-type': 'application/json' } } : { method }
    const response = await requests[turn % requests.length]?.(path(), init)
    if (response?.status !== 200) throw new Error(`${path()}: ${response?.status} ${await response?.text()}`)
    await response.arrayBuffer()
  }
const reviews = takeReviews(REVIEWS_PUSHED, 7)
const batch = () => JSON.stringify(reviews.splice(0, 10).map((one) => ({ ...one, external_id: randomUUID() })))
const words = ['quiet room', 'friendly staff', 'breakfast', 'clean bathroom', 'good location', 'slow service']
const pushOf = (body: string) => ({ method: 'POST', body, headers: { 'content-type': 'application/json' } })
async function inTurn(queue: (() => Promise<Response>)[]): Promise<void> {
  for (let send = queue.shift(); send; send = queue.shift()) {
    const response = await send()
    if (response.status !== 200) throw new Error(`push: ${response.status} ${await response.text()}`)
  }
}
const metrics = async ({ service: { sql } }: Side) => {
  await queueCounts(sql)
  await usageOfProjects(sql)
}
const doctor = ({ service: { sql, embedder, modelId } }: Side) =>
  createDoctor({
    sql,
    config: { home: tmpdir(), host: '127.0.0.1', port: 8787, demo: false, console: false, allowance: {} },
    embedder,
    model: { name: embedder.id, id: modelId },
    clock: () => new Date(),
  })()
const page = async ({ service: { sql } }: Side, limit?: number) => {
  const projects = await listProjects(sql, { limit })
  await countReviewsOfAll(
    sql,
    projects.map(({ id }) => id),
  )
}
const claim = async ({ service: { sql, modelId }, due: projectId }: Side) => {
  const key = { token: randomUUID(), projectId }
  const { reviews: claimed } = await claimReviews(sql, {
    ...key,
    limit: 64,
    leaseSeconds: 30,
    modelId,
    newestFirst: false,
  })
  if (claimed.length > 0) await releaseReviews(sql, key)
}

/** In turns, so that what else the machine does meets both. */
async function compare(what: string, work: (side: Side) => Promise<unknown>, times = 1): Promise<void> {
  const taken = { plain: [] as number[], cluster: [] as number[] }
  for (let round = -2; round < Number(options.rounds); round++) {
    for (const name of round % 2 === 0 ? (['plain', 'cluster'] as const) : (['cluster', 'plain'] as const)) {
      const each = await timed(async () => {
        for (let n = 0; n < times; n++, turn++) await work(sides[name])
      })
      if (round >= 0) taken[name].push(each / times)
    }
  }
  const [plain, cluster] = [median(taken.plain), median(taken.cluster)]
  console.log(
    `${what.padEnd(56)} ${plain.toFixed(1).padStart(8)} ${cluster.toFixed(1).padStart(8)} ms ${(cluster / plain).toFixed(2)} ×`,
  )
}

console.log(`${''.padEnd(56)} ${'plain'.padStart(8)} ${'cluster'.padStart(8)}`)
await compare(
  'push of 10 reviews',
  request(() => '/v1/reviews', batch),
  3,
)
await compare(
  'query, not cached, by the database',
  request(() => `/v1/query?q=${encodeURIComponent(`${words[turn % 6]} ${turn}`)}`),
  3,
)
await compare('query, cached', async ({ requests }) => void (await requests[0]?.('/v1/query?q=quiet+room')), 10)
await compare(
  'list of 20 reviews',
  request(() => '/v1/reviews?limit=20'),
  3,
)
await compare('100 pushes of 10, to 100 projects, until all are indexed', async ({ service, requests }) => {
  const queue = requests.slice(0, ASKED).map((send) => () => send('/v1/reviews', pushOf(batch())))
  await Promise.all(Array.from({ length: 8 }, () => inTurn(queue)))
  await untilIndexed(service)
})
for (const { service } of Object.values(sides)) await service.worker.stop()
for (const waiting of ['a few jobs', `${options.jobs} jobs`]) {
  if (waiting !== 'a few jobs') {
    for (const { service } of Object.values(sides)) {
      await service.sql.unsafe(`insert into index_jobs (project_id, review_id, text_version)
        select project_id, id, text_version from reviews where id::text < '${hexShare(Number(options.jobs))}' on conflict do nothing`)
      const counted = await queueCounts(service.sql)
      console.log(`  ${counted.queued} reviews wait`)
    }
  }
  await compare(`which projects have due jobs, with ${waiting}`, ({ service }) => dueProjects(service.sql))
  await compare(`a claim of 64 and its release, with ${waiting}`, claim)
  await compare(`a look at the clock, with ${waiting}`, ({ service }) => rescheduleFutureJobs(service.sql, 60))
  await compare(`metrics: queue and use of all projects, with ${waiting}`, metrics)
  await compare(`doctor, with ${waiting}`, doctor)
}
await compare('purge of old insights', ({ service }) => forgetInsights(service.sql, 90))
await compare('projects: a page of 500', (side) => page(side, 500))
await compare('status: all projects', (side) => page(side))
await compare('projects with their keys', ({ service }) => projectsWithKeys(service.sql))
for (const { service } of Object.values(sides)) await service.close()

/** Ids are spread evenly: below this lie about so many of all reviews. */
function hexShare(count: number): string {
  const full = Math.min(Number(options.full), Number(options.projects))
  const all = full * TEMPLATE + (Number(options.projects) - full) * Number(options.few)
  return Math.floor(Math.min(1, count / all) * 0xffffffff)
    .toString(16)
    .padStart(8, '0')
}
