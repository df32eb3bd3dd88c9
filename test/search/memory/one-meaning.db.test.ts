import * as assert from 'uvu/assert'
import { takeReviews } from '../../../bench/corpus.ts'
import { accept } from '../../../server/ingest/accept.ts'
import { createFindBestCosines } from '../../../server/search/best-cosine.ts'
import { createResultCache } from '../../../server/search/cache.ts'
import { createExplain } from '../../../server/search/explain.ts'
import { SearchMemory } from '../../../server/search/memory/search-memory.ts'
import { createSearch } from '../../../server/search/search.ts'
import { setExcerptHidden } from '../../../server/sql/excerpts/hidden-excerpts.ts'
import { environmentRevision } from '../../../server/sql/excerpts/search-rows.ts'
import { activateModel } from '../../../server/sql/installation/installation.ts'
import { deleteProject, purgeDeletedProjects } from '../../../server/sql/projects/delete-project.ts'
import { createProject, updateProject } from '../../../server/sql/projects/projects.ts'
import { removeReviews } from '../../../server/sql/reviews/remove-reviews.ts'
import { deleteReview, patchReview } from '../../../server/sql/reviews/reviews.ts'
import { silent } from '../../database.ts'
import { suite } from '../../suite.ts'
import { until } from '../../waiting.ts'
import { requestOf } from '../planted.ts'
import {
  any,
  anyRequest,
  BothSearches,
  embedder,
  everything,
  QUERIES,
  ROUNDS,
  random,
  withMetadata,
} from './both-searches.ts'

const test = suite('memory and database mean the same')
let both: BothSearches

test.before(async () => {
  both = await BothSearches.open()
})
test.after(() => both.close())

test('over a corpus as it was loaded: the same rows, order and scores', async () => {
  await both.push(takeReviews(400, 3).map(withMetadata))
  await both.loaded()
  await both.compare(ROUNDS, 'loaded')
  const { excerpts, inline, threaded } = both.memory.state()
  assert.ok(excerpts > 700, `${excerpts}`)
  assert.is(inline, 0)
  assert.ok(threaded >= ROUNDS, `${threaded}`)
  const small = new SearchMemory({
    sql: both.sql,
    log: silent,
    budget: 1e9,
    dimensions: embedder.dimensions,
    decisive: embedder.decisive,
  })
  await both.loaded(small)
  await both.compare(ROUNDS, 'loaded, without threads', small)
  assert.is(small.state().threaded, 0)
  await small.stop()
})

test('how near the nearest is, too, without a question to the database', async () => {
  await both.loaded()
  const { sql, modelId, memory, project } = both
  const scans = memory.state().threaded
  const [inMemory, inDatabase] = await Promise.all(
    [memory, undefined].map((used) =>
      createFindBestCosines({ sql, embedder, modelId, memory: used })({ project, env: 'live' }, QUERIES),
    ),
  )
  const rounded = (cosines: (number | null)[] | undefined) => cosines?.map((cosine) => cosine?.toFixed(5))
  assert.equal(rounded(inMemory), rounded(inDatabase))
  assert.is(memory.state().threaded, scans + QUERIES.length)
})

test('explanations, too: the same rows, order, numbers and reasons', async () => {
  await both.loaded()
  const { sql, modelId, memory, project } = both
  const scans = memory.state().threaded
  const [inMemory, inDatabase] = [memory, undefined].map((used) =>
    createExplain({ sql, embedder, modelId, memory: used }),
  )
  // Sums of many numbers differ in their last digit.
  const rounded = (_key: string, value: unknown) => (typeof value === 'number' ? value.toFixed(9) : value)
  for (let round = 0; round < ROUNDS; round++) {
    const request = { ...anyRequest(), q: any(QUERIES) }
    const context = {
      project: { ...project, similarityFloor: any([0.5, 0.66]), minRating: any([1, 4]) },
      env: 'live' as const,
    }
    const [ours, theirs] = await Promise.all([inMemory?.(context, request), inDatabase?.(context, request)])
    assert.is(JSON.stringify(ours, rounded), JSON.stringify(theirs, rounded), JSON.stringify(request))
  }
  assert.is(memory.state().threaded, scans + ROUNDS)
})

test('after each kind of write, by the log of what was touched', async () => {
  await both.loaded()
  const [table] = [both.memory.state().excerpts]
  const ids = (await both.sql<{ id: string }[]>`select id from reviews order by id`).map(({ id }) => id)
  await both.push(takeReviews(30, 4))
  await both.compare(5, 'new reviews')
  assert.ok(both.memory.state().excerpts > table)
  await both.push(
    takeReviews(40, 3).map((review) => ({ ...review, text: `${review.text} Breakfast was on the roof.` })),
  )
  await both.compare(5, 'changed texts')
  await both.push(takeReviews(40, 3).map((review) => ({ ...review, rating: 1 })))
  await both.compare(5, 'changed stars')
  await both.push(takeReviews(40, 3).map((review, i) => withMetadata({ ...review, rating: 5 }, i)))
  await both.compare(10, 'changed metadata')
  for (let i = 0; i < 20; i++)
    await patchReview(both.sql, { projectId: both.project.id, env: 'live' }, ids[i] ?? '', { hidden: true })
  await both.compare(10, 'hidden')
  for (let i = 0; i < 10; i++)
    await patchReview(both.sql, { projectId: both.project.id, env: 'live' }, ids[i] ?? '', { hidden: false })
  const some = await both.sql<{ reviewId: string; excerptId: string }[]>`
    select review_id as "reviewId", id as "excerptId" from excerpts order by id limit 60`
  for (const one of some) await setExcerptHidden(both.sql, { projectId: both.project.id, env: 'live', ...one }, true)
  await both.compare(10, 'hidden excerpts')
  for (let i = 30; i < 50; i++) await deleteReview(both.sql, { projectId: both.project.id, env: 'live' }, ids[i] ?? '')
  await both.compare(10, 'shown again and deleted')
  await updateProject(both.sql, both.project.id, { minRating: 4 })
  await both.compare(5, 'settings')
  // It was brought forward all along, not loaded again.
  assert.is(both.memory.state().loaded, 1)
})

test('while another writes without pause, both of two servers answer as the database does', async () => {
  const second = new SearchMemory({
    sql: both.sql,
    log: silent,
    budget: 1e9,
    dimensions: embedder.dimensions,
    decisive: embedder.decisive,
  })
  await both.loaded()
  await both.loaded(second)
  let going = true
  let written = 0
  /** While answers are compared no push is begun: searches go on, and what was pushed last is indexed first. */
  let moment = Promise.resolve()
  const writer = (async () => {
    for (; going; written++) {
      await moment
      const rows = takeReviews(5, 100 + (written % 20))
      const changed = rows.map((row) => ({ ...row, text: `${row.text} ${written}` }))
      await accept(both.sql, both.project, 'live', changed, {})
      both.worker.nudge()
    }
  })()
  const searcher = (async () => {
    while (going) await both.answers(anyRequest(), {}, [both.memory])
  })()
  const start = both.memory.state().excerpts
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
      if (random() < 0.7) await both.worker.idle()
      const before = await environmentRevision(both.sql, { projectId: both.project.id, env: 'live' })
      const [first, other, theirs] = await both.answers(request, {}, [both.memory, second])
      const after = await environmentRevision(both.sql, { projectId: both.project.id, env: 'live' })
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
  await both.worker.idle()
  await both.compare(10, `after the writer, ${moved} rounds in which the revision moved`)
  await both.compare(5, 'the second server after the writer', second)
  assert.ok(both.memory.state().excerpts > start)
  assert.is(second.state().loaded, 1)
  await second.stop()
})

for (const [what, work] of [
  [
    'a review hidden',
    (ids: string[]) =>
      Promise.all(
        ids.map((id) => patchReview(both.sql, { projectId: both.project.id, env: 'live' }, id, { hidden: true })),
      ),
  ],
  [
    'a review shown again',
    (ids: string[]) =>
      Promise.all(
        ids.map((id) => patchReview(both.sql, { projectId: both.project.id, env: 'live' }, id, { hidden: false })),
      ),
  ],
  [
    'a review deleted',
    (ids: string[]) =>
      Promise.all(ids.map((id) => deleteReview(both.sql, { projectId: both.project.id, env: 'live' }, id))),
  ],
  [
    'texts changed',
    () => both.push(takeReviews(40, 3).map((review) => ({ ...review, text: `${review.text} The pool was cold.` }))),
  ],
  // More revisions than are kept: it can't follow and loads anew.
  ['many writes', (ids: string[]) => manyWrites(ids[0] ?? '')],
  ['another model and back', () => otherModelAndBack()],
] as const) {
  test(`${what} while it loads: not served as it was`, async () => {
    const ids = (await both.sql<{ id: string }[]>`select id from reviews order by id`).map(({ id }) => id)
    // Of what was read by then, and of what is still to be read.
    const some = [...ids.slice(0, 8), ...ids.slice(-8)]
    const one = both.interrupted(2, () => work(some))
    await both.loaded(one)
    assert.ok(one.wasInterrupted())
    await both.compare(8, what, one)
    assert.is(one.state().loaded, 1)
    await one.stop()
  })
}

async function manyWrites(id: string): Promise<void> {
  for (let i = 0; i < 130; i++) {
    await patchReview(both.sql, { projectId: both.project.id, env: 'live' }, id, { hidden: true })
    await patchReview(both.sql, { projectId: both.project.id, env: 'live' }, id, { hidden: false })
  }
}

async function otherModelAndBack(): Promise<void> {
  await activateModel(both.sql, { name: 'another', dimensions: embedder.dimensions })
  await activateModel(both.sql, { name: embedder.id, dimensions: embedder.dimensions })
}

test('a project deleted while it loads answers nothing', async () => {
  const kept = both.project
  const made = await createProject(both.sql, { name: 'soon gone', plan: 'paid' })
  if (typeof made === 'string') throw new Error(made)
  both.project = made
  try {
    await both.push(takeReviews(40, 3))
    const request = requestOf({ q: 'friendly staff', fallback: 'none' })
    let gone = false
    const one = both.interrupted(1, async () => {
      gone = await deleteProject(both.sql, made.id)
      await purgeDeletedProjects(both.sql)
    })
    const scope = { projectId: made.id, env: 'live' as const, modelId: both.modelId }
    const revision = (await environmentRevision(both.sql, { projectId: made.id, env: 'live' })) ?? ''
    const [vector = new Float32Array()] = await embedder.embed(['friendly staff'], 'query')
    await one.find(scope, revision, everything(vector))
    await until('it is loaded', () => one.state().loading === 0)
    assert.ok(gone)
    // A request that was let in before: its winners' rows come from the database.
    const cache = createResultCache({ entries: 0, bytes: 0 })
    const search = createSearch({ sql: both.sql, embedder, modelId: both.modelId, cache, memory: one, log: silent })
    const context = { project: made, env: 'live' as const, revision }
    const found = await search(context, request, { bypassCache: true }).catch((error: unknown) => error)
    if (!(found instanceof Error)) assert.equal((found as { results: unknown[] }).results, [])
    await one.stop()
  } finally {
    both.project = kept
  }
})

test('what is written while an index loads is in it when it is ready, and no search has to follow', async () => {
  await both.push(takeReviews(1, 76))
  const one = both.interrupted(1, () => both.push(takeReviews(20, 77)))
  const scope = { projectId: both.project.id, env: 'live' as const, modelId: both.modelId }
  const [vector = new Float32Array()] = await embedder.embed(['friendly staff'], 'query')
  await one.find(scope, (await environmentRevision(both.sql, scope)) ?? '', everything(vector))
  await until('it is loaded', () => one.state().loaded === 1)
  assert.ok(one.wasInterrupted())
  await both.sql`delete from search_changes where project_id = ${both.project.id}`
  assert.ok(await one.find(scope, (await environmentRevision(both.sql, scope)) ?? '', everything(vector)))
  await one.stop()
})

test('a wipe is seen at once: the index is loaded anew', async () => {
  await both.loaded()
  await removeReviews(both.sql, { projectId: both.project.id, env: 'live' })
  assert.equal(await both.answers(requestOf({ q: 'friendly staff' }), {}), [
    { match: 'none', results: [] },
    { match: 'none', results: [] },
  ])
  await both.loaded()
  assert.is(both.memory.state().excerpts, 0)
})

test('one that does not fit is answered by the database', async () => {
  await both.push(takeReviews(100, 3))
  const small = new SearchMemory({
    sql: both.sql,
    log: silent,
    budget: 1_000,
    dimensions: embedder.dimensions,
    decisive: embedder.decisive,
  })
  const scope = { projectId: both.project.id, env: 'live' as const, modelId: both.modelId }
  const revision = (await environmentRevision(both.sql, { projectId: both.project.id, env: 'live' })) ?? ''
  const [vector = new Float32Array()] = await embedder.embed(['friendly staff'], 'query')
  await until('it is refused', async () => {
    assert.is(await small.find(scope, revision, everything(vector)), undefined)
    return small.state().refused === 1
  })
  assert.is(small.state().bytes, 0)
  await small.stop()
})

test.run()
