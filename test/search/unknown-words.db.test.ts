import * as assert from 'uvu/assert'
import { createBuiltinEmbedder } from '../../server/embed/builtin/embedder.ts'
import { Worker } from '../../server/indexing/worker.ts'
import { accept } from '../../server/ingest/accept.ts'
import { createResultCache } from '../../server/search/cache.ts'
import { createSearch } from '../../server/search/search.ts'
import { createSentimentClassifier } from '../../server/sentiment/classifier.ts'
import { environmentRevision } from '../../server/sql/excerpts/search-rows.ts'
import { activateModel } from '../../server/sql/installation/installation.ts'
import { createProject } from '../../server/sql/projects/projects.ts'
import { openTestDatabase, silent } from '../database.ts'
import { suite } from '../suite.ts'
import { requestOf } from './planted.ts'

const test = suite('reviews in languages whose words the built-in model does not know')

/** Reviews of several short sentences, and a word of one of them. */
const REVIEWS = [
  [
    'Pokój był cichy i bardzo czysty. Śniadanie było świeże i smaczne. Parking jest płatny, ale bezpieczny.',
    'śniadanie',
  ],
  ['Номер был тихим и чистым. На завтрак подавали сырники. Парковка рядом со входом.', 'завтрак'],
  ['Το δωμάτιο ήταν πολύ ήσυχο. Ο κήπος είναι πανέμορφος. Θα ξαναπάμε σίγουρα με φίλους.', 'κήπος'],
  ['Kamarnya tenang dan sangat bersih. Sarapannya lengkap dan hangat. Parkir gratis dan dekat pintu.', 'sarapan'],
] as const

test('are found by a word that they say in one of several short sentences', async () => {
  const database = await openTestDatabase()
  try {
    const { sql } = database
    const embedder = await createBuiltinEmbedder()
    const { modelId } = await activateModel(sql, { name: embedder.id, dimensions: embedder.dimensions })
    const project = await createProject(sql, { name: 'many languages', plan: 'paid' })
    if (typeof project === 'string') throw new Error(project)
    const occurred_at = new Date('2026-01-01T00:00:00Z')
    const rows = REVIEWS.map(([text], i) => {
      return { text, external_id: String(i), source: 'google' as const, rating: 5, author_name: String(i), occurred_at }
    })
    await accept(sql, project, 'live', rows, {})
    const worker = new Worker({ sql, embedder, classify: createSentimentClassifier(), log: silent, modelId })
    worker.nudge()
    await worker.idle()
    await worker.stop()
    const search = createSearch({
      sql,
      embedder,
      modelId,
      cache: createResultCache({ entries: 0, bytes: 0 }),
      log: silent,
    })
    const revision = (await environmentRevision(sql, { projectId: project.id, env: 'live' })) ?? ''
    for (const [i, [, q]] of REVIEWS.entries()) {
      const answer = await search({ project, env: 'live', revision }, requestOf({ q, limit: 5 }), { bypassCache: true })
      if (!answer.ok) throw new Error(answer.code)
      assert.equal(
        answer.results.map(({ review }) => review.author_name),
        [String(i)],
        q,
      )
    }
  } finally {
    await database.close()
  }
})

test.run()
