import * as assert from 'uvu/assert'
import { seeded, takeReviews } from '../../../bench/corpus.ts'
import { createBuiltinEmbedder } from '../../../server/embed/builtin/embedder.ts'
import { Worker } from '../../../server/indexing/worker.ts'
import { accept } from '../../../server/ingest/accept.ts'
import { createResultCache } from '../../../server/search/cache.ts'
import type { CandidateQuery } from '../../../server/search/candidates.ts'
import { SearchMemory } from '../../../server/search/memory/search-memory.ts'
import { createSearch } from '../../../server/search/search.ts'
import { createSentimentClassifier } from '../../../server/sentiment/classifier.ts'
import { setExcerptHidden } from '../../../server/sql/excerpts/hidden-excerpts.ts'
import { environmentRevision } from '../../../server/sql/excerpts/search-rows.ts'
import { activateModel } from '../../../server/sql/installation/installation.ts'
import { createProject, deleteProject, type Project, updateProject } from '../../../server/sql/projects/projects.ts'
import { deleteReview, patchReview, wipeReviews } from '../../../server/sql/reviews/reviews.ts'
import { openTestDatabase, silent, type TestDatabase } from '../../database.ts'
import { suite } from '../../suite.ts'
import { until } from '../../waiting.ts'
import { hashedEmbedder } from '../hashed-embedder.ts'
import { requestOf } from '../planted.ts'

const test = suite('memory and database mean the same')
// Half of the reviews are in other languages, which a search puts behind those in the query's.
// Whatever is found is looked at again.
const { languages, coverage } = await createBuiltinEmbedder()
const embedder = { ...hashedEmbedder(), languages, coverage }
const random = seeded(Number(process.env.PULLQUOTE_TEST_SEED ?? 11))
const ROUNDS = Number(process.env.PULLQUOTE_TEST_ROUNDS ?? 30)
const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
const QUERIES = [
  'quiet room at night',
  'friendly staff',
  'rude staff',
  'breakfast',
  'the',
  'swimming pool for children and dogs',
  'ruhiges Zimmer',
  'Wi-Fi at check-in',
  'zzz',
]
let db: TestDatabase
let project: Project
let modelId = 0
let worker: Worker
let memory: SearchMemory

test.before(async () => {
  db = await openTestDatabase()
  const made = await createProject(db.sql, { name: 'one meaning', plan: 'paid' })
  if (typeof made === 'string') throw new Error(made)
  project = made
  modelId = (await activateModel(db.sql, { name: embedder.id, dimensions: embedder.dimensions })).modelId
  worker = new Worker({ sql: db.sql, embedder, classify: createSentimentClassifier(), log: silent, modelId })
  // Every scan in a thread; the other memories of this file are small enough for none.
  const { dimensions } = embedder
  memory = new SearchMemory({ sql: db.sql, log: silent, budget: 1e9, dimensions, threads: 2, inlineBytes: -1 })
})
test.after(async () => {
  await memory.stop()
  await worker.stop()
  await db.close()
})

function withMetadata(review: ReturnType<typeof takeReviews>[number], i: number) {
  const branch = any(['north', 'south', 'a longer name of a branch than is kept as it is, by far and more than that'])
  return { ...review, metadata: { branch, season: any(['summer', 'winter']), visit: String(i) } }
}

async function push(reviews: ReturnType<typeof takeReviews>): Promise<void> {
  for (let at = 0; at < reviews.length; at += 100) {
    await accept(db.sql, project, 'live', reviews.slice(at, at + 100), {})
  }
  worker.nudge()
  await worker.idle()
  // A worker that backs off is idle too.
  await until('all is indexed', async () => (await db.sql`select 1 from index_jobs limit 1`).length === 0)
}

function anyRequest() {
  return requestOf({
    q: any(QUERIES),
    limit: any([1, 3, 5, 20]),
    mode: any(['excerpts', 'reviews']),
    fallback: any(['none', 'recent']),
    filters: {
      ...(random() < 0.3 && { min_rating: any([1, 2, 5]) }),
      ...(random() < 0.3 && { source: any([['google'], ['yelp', 'custom'], ['nowhere']]) }),
      ...(random() < 0.3 && { since: any(['2024-01-01T00:00:00Z', '2026-01-01T00:00:00Z']) }),
      ...(random() < 0.3 && {
        metadata: any([{ branch: 'north' }, { branch: 'south' }, { branch: 'north', season: 'summer' }]),
      }),
    },
  })
}

const searches = new Map<SearchMemory | undefined, ReturnType<typeof createSearch>>()

/** One a server, which remembers words and languages of what it has met. Without a memory it is the database that searches. */
function searchWith(used: SearchMemory | undefined): ReturnType<typeof createSearch> {
  const cache = createResultCache({ entries: 0, bytes: 0 })
  const search =
    searches.get(used) ?? createSearch({ sql: db.sql, embedder, modelId, cache, memory: used, log: silent })
  searches.set(used, search)
  return search
}

/** What each answers to a request at this moment's revision, the database last. */
async function answers(request: ReturnType<typeof anyRequest>, settings: Partial<Project>, memories = [memory]) {
  const revision = (await environmentRevision(db.sql, { projectId: project.id, env: 'live' })) ?? ''
  const context = { project: { ...project, ...settings }, env: 'live' as const, revision }
  const found: unknown[] = []
  for (const used of [...memories, undefined]) {
    const answer = await searchWith(used)(context, request, { bypassCache: true })
    if (!answer.ok) throw new Error(answer.code)
    found.push({ match: answer.match, results: answer.results })
  }
  return found
}

async function loaded(one = memory): Promise<void> {
  await until('the index is loaded', async () => {
    await answers(requestOf({ q: 'anything' }), {}, [one])
    return one.state().loaded === 1
  })
}

async function compare(rounds: number, what: string, one = memory): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const request = anyRequest()
    const excerpts = any(['all', 'all', 'no_complaints'] as const)
    const settings = { similarityFloor: any([0.5, 0.66, 0.66, 0.8]), minRating: any([1, 3, 4]), excerpts }
    const [ours, theirs] = await answers(request, settings, [one])
    assert.equal(ours, theirs, `${what}, ${JSON.stringify({ request, settings })}`)
  }
}

function everything(vector: Float32Array): CandidateQuery {
  const policy = { minRating: 1, withoutComplaints: false, sources: undefined, since: undefined, metadata: [] }
  return { vector, forms: [], policy, thresholds: { floor: 0, wordTier: 0 }, depth: { among: 'nearest', limit: 10 } }
}

/** A memory of its own, as another server has, that stops before its `page`-th page of rows and does `work` then. */
function interrupted(page: number, work: () => Promise<unknown>): SearchMemory & { wasInterrupted(): boolean } {
  let pages = 0
  const sql = new Proxy(db.sql, {
    get(target, key, receiver) {
      // Each page of rows has a transaction of its own.
      if (key !== 'begin') return Reflect.get(target, key, receiver)
      return async (...given: Parameters<typeof target.begin>) => {
        if (++pages === page) await work()
        return target.begin(...given)
      }
    },
  })
  const made = new SearchMemory({ sql, log: silent, budget: 1e9, dimensions: embedder.dimensions, pageRows: 300 })
  return Object.assign(made, { wasInterrupted: () => pages >= page })
}

test('over a corpus as it was loaded: the same rows, order and scores', async () => {
  await push(takeReviews(700, 3).map(withMetadata))
  await loaded()
  await compare(ROUNDS, 'loaded')
  const { excerpts, inline, threaded } = memory.state()
  assert.ok(excerpts > 1_200, `${excerpts}`)
  assert.is(inline, 0)
  assert.ok(threaded >= ROUNDS, `${threaded}`)
  const small = new SearchMemory({ sql: db.sql, log: silent, budget: 1e9, dimensions: embedder.dimensions })
  await loaded(small)
  await compare(ROUNDS, 'loaded, without threads', small)
  assert.is(small.state().threaded, 0)
  await small.stop()
})

test('after each kind of write, by the log of what was touched', async () => {
  await loaded()
  const [table] = [memory.state().excerpts]
  const ids = (await db.sql<{ id: string }[]>`select id from reviews order by id`).map(({ id }) => id)
  await push(takeReviews(30, 4))
  await compare(5, 'new reviews')
  assert.ok(memory.state().excerpts > table)
  await push(takeReviews(40, 3).map((review) => ({ ...review, text: `${review.text} Breakfast was on the roof.` })))
  await compare(5, 'changed texts')
  await push(takeReviews(40, 3).map((review) => ({ ...review, rating: 1 })))
  await compare(5, 'changed stars')
  await push(takeReviews(40, 3).map((review, i) => withMetadata({ ...review, rating: 5 }, i)))
  await compare(10, 'changed metadata')
  for (let i = 0; i < 20; i++)
    await patchReview(db.sql, { projectId: project.id, env: 'live' }, ids[i] ?? '', { hidden: true })
  await compare(10, 'hidden')
  for (let i = 0; i < 10; i++)
    await patchReview(db.sql, { projectId: project.id, env: 'live' }, ids[i] ?? '', { hidden: false })
  const some = await db.sql<{ reviewId: string; excerptId: string }[]>`
    select review_id as "reviewId", id as "excerptId" from excerpts order by id limit 60`
  for (const one of some) await setExcerptHidden(db.sql, { projectId: project.id, env: 'live', ...one }, true)
  await compare(10, 'hidden excerpts')
  for (let i = 30; i < 50; i++) await deleteReview(db.sql, { projectId: project.id, env: 'live' }, ids[i] ?? '')
  await compare(10, 'shown again and deleted')
  await updateProject(db.sql, project.id, { minRating: 4 })
  await compare(5, 'settings')
  // It was brought forward all along, not loaded again.
  assert.is(memory.state().loaded, 1)
})

test('while another writes without pause, both of two servers answer as the database does', async () => {
  const second = new SearchMemory({ sql: db.sql, log: silent, budget: 1e9, dimensions: embedder.dimensions })
  await loaded()
  await loaded(second)
  let going = true
  let written = 0
  /** While answers are compared no push is begun: searches go on, and what was pushed last is indexed first. */
  let moment = Promise.resolve()
  const writer = (async () => {
    for (; going; written++) {
      await moment
      const rows = takeReviews(5, 100 + (written % 20))
      const changed = rows.map((row) => ({ ...row, text: `${row.text} ${written}` }))
      await accept(db.sql, project, 'live', changed, {})
      worker.nudge()
    }
  })()
  const searcher = (async () => {
    while (going) await answers(anyRequest(), {}, [memory])
  })()
  const start = memory.state().excerpts
  let same = 0
  let moved = 0
  try {
    await until('enough is compared', async () => {
      const request = requestOf({ q: any(QUERIES), limit: 20, fallback: 'none' })
      const seen = written
      await until('it writes', () => written > seen)
      let resume = () => {}
      moment = new Promise((resolve) => {
        resume = resolve
      })
      if (random() < 0.7) await worker.idle()
      const before = await environmentRevision(db.sql, { projectId: project.id, env: 'live' })
      const [first, other, theirs] = await answers(request, {}, [memory, second])
      const after = await environmentRevision(db.sql, { projectId: project.id, env: 'live' })
      resume()
      if (before !== after) {
        moved++
        return false
      }
      assert.equal(first, theirs, JSON.stringify(request))
      assert.equal(other, theirs, JSON.stringify(request))
      return ++same >= 12
    })
  } finally {
    going = false
    await Promise.all([writer, searcher])
  }
  await worker.idle()
  await compare(10, `after the writer, ${moved} rounds in which the revision moved`)
  await compare(5, 'the second server after the writer', second)
  assert.ok(memory.state().excerpts > start)
  assert.is(second.state().loaded, 1)
  await second.stop()
})

for (const [what, work] of [
  [
    'a review hidden',
    (ids: string[]) =>
      Promise.all(ids.map((id) => patchReview(db.sql, { projectId: project.id, env: 'live' }, id, { hidden: true }))),
  ],
  [
    'a review shown again',
    (ids: string[]) =>
      Promise.all(ids.map((id) => patchReview(db.sql, { projectId: project.id, env: 'live' }, id, { hidden: false }))),
  ],
  [
    'a review deleted',
    (ids: string[]) => Promise.all(ids.map((id) => deleteReview(db.sql, { projectId: project.id, env: 'live' }, id))),
  ],
  [
    'texts changed',
    () => push(takeReviews(40, 3).map((review) => ({ ...review, text: `${review.text} The pool was cold.` }))),
  ],
  // More revisions than are kept: it can't follow and loads anew.
  ['many writes', (ids: string[]) => manyWrites(ids[0] ?? '')],
  ['another model and back', () => otherModelAndBack()],
] as const) {
  test(`${what} while it loads: not served as it was`, async () => {
    const ids = (await db.sql<{ id: string }[]>`select id from reviews order by id`).map(({ id }) => id)
    // Of what was read by then, and of what is still to be read.
    const some = [...ids.slice(0, 8), ...ids.slice(-8)]
    const one = interrupted(2, () => work(some))
    await loaded(one)
    assert.ok(one.wasInterrupted())
    await compare(8, what, one)
    assert.is(one.state().loaded, 1)
    await one.stop()
  })
}

async function manyWrites(id: string): Promise<void> {
  for (let i = 0; i < 130; i++) {
    await patchReview(db.sql, { projectId: project.id, env: 'live' }, id, { hidden: true })
    await patchReview(db.sql, { projectId: project.id, env: 'live' }, id, { hidden: false })
  }
}

async function otherModelAndBack(): Promise<void> {
  await activateModel(db.sql, { name: 'another', dimensions: embedder.dimensions })
  await activateModel(db.sql, { name: embedder.id, dimensions: embedder.dimensions })
}

test('a project deleted while it loads answers nothing', async () => {
  const kept = project
  const made = await createProject(db.sql, { name: 'soon gone', plan: 'paid' })
  if (typeof made === 'string') throw new Error(made)
  project = made
  try {
    await push(takeReviews(40, 3))
    const request = requestOf({ q: 'friendly staff', fallback: 'none' })
    let gone = false
    const one = interrupted(1, async () => {
      gone = await deleteProject(db.sql, made.id)
    })
    const scope = { projectId: made.id, env: 'live' as const, modelId }
    const revision = (await environmentRevision(db.sql, { projectId: made.id, env: 'live' })) ?? ''
    const [vector = new Float32Array()] = await embedder.embed(['friendly staff'], 'query')
    await one.find(scope, revision, everything(vector))
    await until('it is loaded', () => one.state().loading === 0)
    assert.ok(gone)
    // A request that was let in before: its winners' rows come from the database.
    const cache = createResultCache({ entries: 0, bytes: 0 })
    const search = createSearch({ sql: db.sql, embedder, modelId, cache, memory: one, log: silent })
    const context = { project: made, env: 'live' as const, revision }
    const found = await search(context, request, { bypassCache: true }).catch((error: unknown) => error)
    if (!(found instanceof Error)) assert.equal((found as { results: unknown[] }).results, [])
    await one.stop()
  } finally {
    project = kept
  }
})

test('a wipe is seen at once: the index is loaded anew', async () => {
  await loaded()
  await wipeReviews(db.sql, { projectId: project.id, env: 'live' })
  assert.equal(await answers(requestOf({ q: 'friendly staff' }), {}), [
    { match: 'none', results: [] },
    { match: 'none', results: [] },
  ])
  await loaded()
  assert.is(memory.state().excerpts, 0)
})

test('one that does not fit is answered by the database', async () => {
  await push(takeReviews(100, 3))
  const small = new SearchMemory({ sql: db.sql, log: silent, budget: 1_000, dimensions: embedder.dimensions })
  const scope = { projectId: project.id, env: 'live' as const, modelId }
  const revision = (await environmentRevision(db.sql, { projectId: project.id, env: 'live' })) ?? ''
  const [vector = new Float32Array()] = await embedder.embed(['friendly staff'], 'query')
  await until('it is refused', async () => {
    assert.is(await small.find(scope, revision, everything(vector)), undefined)
    return small.state().refused === 1
  })
  assert.is(small.state().bytes, 0)
  await small.stop()
})

test.run()
