import * as assert from 'uvu/assert'
import { createBuiltinEmbedder } from '../../server/embed/builtin/embedder.ts'
import { Worker } from '../../server/indexing/worker.ts'
import { accept } from '../../server/ingest/accept.ts'
import { createResultCache } from '../../server/search/cache.ts'
import { createSearch } from '../../server/search/search.ts'
import { queryWords } from '../../server/search/words.ts'
import { createSentimentClassifier } from '../../server/sentiment/classifier.ts'
import { environmentRevision } from '../../server/sql/excerpts/search-rows.ts'
import { activateModel } from '../../server/sql/installation/installation.ts'
import { createProject } from '../../server/sql/projects/projects.ts'
import { UNSPACED_SCRIPTS } from '../../server/unspaced-scripts.ts'
import { openTestDatabase, silent, type TestDatabase } from '../database.ts'
import { suite } from '../suite.ts'
import { requestOf } from './planted.ts'

const test = suite('reviews in scripts without spaces')
let database: TestDatabase

test.before(async () => {
  database = await openTestDatabase()
})
test.after(() => database.close())

/** Of each language five reviews, and what finds each of them. */
const REVIEWS: Record<string, readonly (readonly [review: string, query: string])[]> = {
  Japanese: [
    ['朝食がとても美味しかったです。特に焼きたてのパンが最高でした。', '朝食'],
    ['部屋は静かで、よく眠れました。窓の外は森です。', '静かな部屋'],
    ['スタッフの対応が丁寧で親切でした。', '親切なスタッフ'],
    ['駅から近くて便利な場所にあります。', '駅から近い'],
    ['お風呂が広くて、景色も綺麗でした。', 'お風呂'],
  ],
  Chinese: [
    ['早餐很丰盛，种类很多，味道也不错。', '早餐'],
    ['房间安静，睡得很好。', '安静的房间'],
    ['工作人员非常热情友好。', '热情友好的员工'],
    ['酒店离地铁站很近，交通方便。', '地铁站'],
    ['游泳池很干净，孩子们很喜欢。', '游泳池'],
  ],
  'Chinese, asked in traditional letters': [
    ['早餐很丰盛，种类很多，味道也不错。', '豐盛的早餐'],
    ['房间安静，睡得很好。', '安靜的房間'],
    ['机场接送很准时，司机也热情。', '機場接送'],
    ['酒店离地铁站很近，交通方便。', '地鐵站'],
    ['顶楼的餐厅有很好的风景。', '頂樓餐廳'],
  ],
  Korean: [
    ['조식이 정말 맛있었어요. 특히 빵이 좋았습니다.', '조식'],
    ['방이 조용해서 잘 잤어요.', '방이 조용한가요'],
    ['직원들이 매우 친절했습니다.', '친절한 직원'],
    ['역에서 가까워서 편리했어요.', '역에서 가까운'],
    ['수영장이 깨끗하고 아이들이 좋아했어요.', '수영장'],
  ],
  Thai: [
    ['อาหารเช้าอร่อยมาก โดยเฉพาะขนมปังสดใหม่', 'อาหารเช้า'],
    ['ห้องเงียบสงบ นอนหลับสบาย', 'ห้องเงียบ'],
    ['พนักงานเป็นมิตรและสุภาพมาก', 'พนักงานเป็นมิตร'],
    ['โรงแรมอยู่ใกล้สถานีรถไฟ', 'ใกล้สถานี'],
    ['สระว่ายน้ำสะอาดมากจนเด็กๆไม่อยากขึ้นจากน้ำเลยสักคนเดียวตลอดทั้งวัน', 'สระว่ายน้ำ'],
  ],
}

for (const [language, pairs] of Object.entries(REVIEWS)) {
  test(`${language}: what a review says finds it first`, async () => {
    const { sql } = database
    const embedder = await createBuiltinEmbedder()
    const { modelId } = await activateModel(sql, { name: embedder.id, dimensions: embedder.dimensions })
    const project = await createProject(sql, { name: language, plan: 'paid' })
    if (typeof project === 'string') throw new Error(project)
    const occurred_at = new Date('2026-01-01T00:00:00Z')
    const rows = pairs.map(([text], i) => {
      return { text, external_id: String(i), source: 'google' as const, rating: 5, author_name: String(i), occurred_at }
    })
    await accept(sql, project, 'live', rows, {})
    const worker = new Worker({ sql, embedder, classify: createSentimentClassifier(), log: silent, modelId })
    worker.nudge()
    await worker.idle()
    await worker.stop()
    const cache = createResultCache({ entries: 0, bytes: 0 })
    const search = createSearch({ sql, embedder, modelId, cache, log: silent })
    const revision = (await environmentRevision(sql, { projectId: project.id, env: 'live' })) ?? ''
    for (const [i, [text, q]] of pairs.entries()) {
      const answer = await search({ project, env: 'live', revision }, requestOf({ q }), { bypassCache: true })
      assert.ok(answer.ok)
      assert.is(answer.ok && answer.results[0]?.review.author_name, String(i), `${q}: ${text}`)
    }
  })
}

test('the database cuts every letter as queries are cut', async () => {
  const letters = UNSPACED_SCRIPTS.flatMap(({ size, ranges }) =>
    ranges.flatMap(([first, last]) => [first, last].map((unit) => String.fromCharCode(unit).repeat(size))),
  )
  // A run is whole: what stands beside it, letter or not, is no part of a piece.
  for (const piece of letters) {
    const [row] = await database.sql<{ lexemes: string[] }[]>`
      select tsvector_to_array(excerpt_lexemes('simple', ${`a${piece}b, ${piece}1`})) as lexemes`
    // As queries: a compatibility ideograph is the one that it stands for.
    assert.ok(row?.lexemes.includes(piece.normalize('NFC')), piece)
    assert.ok(row?.lexemes.includes('a') && row.lexemes.includes('b'), piece)
  }
  for (const { ranges } of UNSPACED_SCRIPTS) {
    for (const unit of ranges.flatMap(([first, last]) => [first - 1, last + 1])) {
      if (UNSPACED_SCRIPTS.some((each) => each.ranges.some(([first, last]) => unit >= first && unit <= last))) continue
      const beyond = String.fromCharCode(unit).repeat(3)
      const [row] = await database.sql<{ cut: string[] }[]>`
        select tsvector_to_array(cut_unspaced(${beyond})) as cut`
      assert.equal(row?.cut, [], unit.toString(16))
    }
  }
})

test('a query has no piece that an excerpt with its words lacks', async () => {
  for (const [text] of Object.values(REVIEWS).flat()) {
    const words = queryWords(text).map((word) => word.text)
    const [row] = await database.sql<{ missing: string[] }[]>`
      select array(select unnest(${words}::text[]) except select unnest(tsvector_to_array(excerpt_lexemes('simple', ${text}))))
        as missing`
    assert.equal(row?.missing, [], text)
    assert.ok(words.length > 2, text)
  }
})

test('words of other scripts beside them stay words', async () => {
  const [row] = await database.sql<{ lexemes: string[] }[]>`
    select tsvector_to_array(excerpt_lexemes('english', 'Wi-Fiが速い、rooms無料')) as lexemes`
  assert.equal(row?.lexemes.filter((one) => /^[a-z]/.test(one)).sort(), ['room', 'wifi'])
})

test.run()
