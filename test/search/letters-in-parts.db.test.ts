import * as assert from 'uvu/assert'
import { createEmbedder } from '../../server/embed/create.ts'
import type { Embedder } from '../../server/embed/embedder.ts'
import { Worker } from '../../server/indexing/worker.ts'
import { accept } from '../../server/ingest/accept.ts'
import { createResultCache } from '../../server/search/cache.ts'
import { createSearch } from '../../server/search/search.ts'
import { createSentimentClassifier } from '../../server/sentiment/classifier.ts'
import { environmentRevision } from '../../server/sql/excerpts/search-rows.ts'
import { activateModel } from '../../server/sql/installation/installation.ts'
import type { Project } from '../../server/sql/projects/projects.ts'
import { findReviews } from '../../server/sql/reviews/console-reviews.ts'
import { openTestDatabase, silent, type TestDatabase } from '../database.ts'
import { makeProject, review } from '../sql/fixtures.ts'
import { suite } from '../suite.ts'
import { requestOf } from './planted.ts'

const test = suite('letters whose accents stand apart')
let db: TestDatabase
let embedder: Embedder
let modelId = 0

test.before(async () => {
  db = await openTestDatabase()
  embedder = await createEmbedder(
    { provider: 'builtin' },
    { fetch, log: silent, storedDimensions: async () => undefined },
  )
  modelId = (await activateModel(db.sql, { name: embedder.id, dimensions: embedder.dimensions })).modelId
})
test.after(() => db.close())

/** Each review, and what finds it by its words. */
const REVIEWS = [
  ['Le café était délicieux et la terrasse ombragée.', 'café délicieux'],
  ['Wir fanden das Frühstück köstlich, die Brötchen waren noch warm.', 'köstliches Frühstück'],
  ['조식이 정말 맛있었어요. 특히 빵이 좋았습니다.', '조식 빵'],
  ['プールがきれいで、タオルもふかふかでした。', 'プール'],
  [
    'Nous avons mangé à midi et dormi tôt, après une très longue journée sur les sentiers de la forêt. ' +
      'Le petit déjeuner était généreux, avec de la brioche tiède, des œufs de la ferme et un thé fumé. ' +
      'La clé était prête, et la propriétaire nous a prêté des vélos pour les étangs, où il n’y avait personne.',
    'thé fumé et brioche tiède',
  ],
] as const
/** Of the last one an excerpt is shown, where it stands in the text as it was written. */
const LONG = REVIEWS.length - 1

async function indexed(form: 'NFC' | 'NFD'): Promise<Project> {
  const project = await makeProject(db.sql)
  const rows = REVIEWS.map(([text], i) => review(String(i), { text: text.normalize(form), author_name: String(i) }))
  await accept(db.sql, project, 'live', rows, {})
  const worker = new Worker({ sql: db.sql, embedder, classify: createSentimentClassifier(), log: silent, modelId })
  worker.nudge()
  await worker.idle()
  await worker.stop()
  return project
}

test('a query finds them as it finds whole ones, whichever way it is written, and shows them as they were', async () => {
  const cache = createResultCache({ entries: 0, bytes: 0 })
  const search = createSearch({ sql: db.sql, embedder, modelId, cache, log: silent })
  const scores: unknown[] = []
  for (const stored of ['NFC', 'NFD'] as const) {
    const project = await indexed(stored)
    const revision = (await environmentRevision(db.sql, { projectId: project.id, env: 'live' })) ?? ''
    for (const asked of ['NFC', 'NFD'] as const) {
      const found: unknown[] = []
      for (const [i, [text, q]] of REVIEWS.entries()) {
        const request = requestOf({ q: q.normalize(asked), include: ['text'] })
        const answer = await search({ project, env: 'live', revision }, request, { bypassCache: true })
        const [first] = answer.ok ? answer.results : []
        assert.is(first?.review.author_name, String(i), `${q} in ${asked} of ${stored}`)
        assert.is(first?.review.text, text.normalize(stored))
        assert.ok(text.normalize(stored).includes(first?.excerpt ?? '?'))
        assert.is(first?.highlight !== null, i === LONG)
        if (first?.highlight)
          assert.is(first.review.text?.slice(first.highlight.start, first.highlight.end), first.excerpt)
        found.push(first?.score)
      }
      scores.push(found)
    }
  }
  for (const found of scores) assert.equal(found, scores[0])
})

test('their words and their language are those of whole ones', async () => {
  const words = async (project: Project) =>
    db.sql`select search_config, lexemes::text from excerpts
      where project_id = ${project.id} order by (select external_id from reviews
        where reviews.project_id = excerpts.project_id and id = review_id), ordinal`
  assert.equal([...(await words(await indexed('NFD')))], [...(await words(await indexed('NFC')))])
})

test('the console finds them', async () => {
  const project = await indexed('NFD')
  for (const q of ['CAFÉ', 'café'.normalize('NFD')]) {
    const { reviews } = await findReviews(db.sql, { projectId: project.id, env: 'live' }, { q }, 10)
    assert.equal(
      reviews.map(({ author_name }) => author_name),
      ['0'],
    )
  }
})

test.run()
