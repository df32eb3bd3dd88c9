import * as assert from 'uvu/assert'
import { compareLanguages } from '../../server/search/language-penalty.ts'
import { CANDIDATE_LIMIT, type Candidate, fuse, rank, TONE_WEIGHT } from '../../server/search/rank.ts'
import { suite } from '../suite.ts'

const test = suite('what excerpts in another language lose')
const thresholds = { floor: 0.5, wordTier: 0.4 }
const languages = { margin: 0.05, knows: () => true, possible: () => 1 }
const scope = { projectId: 'p', env: 'live', modelId: 1 } as const

test('is the same for a page whether all are looked at or only what can still reach it', async () => {
  for (let round = 0; round < 300; round++) {
    const count = 1 + Math.floor(Math.random() * CANDIDATE_LIMIT)
    const passing = Array.from(
      { length: count },
      (_, i): Candidate => ({
        id: `e${i}`,
        reviewId: `r${Math.floor(Math.random() * count)}`,
        ordinal: i,
        cosine: 0.5 + Math.round(Math.random() * 30) / 100,
        matchesHalf: false,
        textRank: Math.random() < 0.5 ? null : Math.random(),
        coverage: Math.random(),
        tone: Math.random() * 2 - 1,
      }),
    ).sort((a, b) => fuse(b) - fuse(a))
    const known = new Map(passing.map(({ id }) => [id, Math.random() < 0.6 ? 2 : 1]))
    const pruned = new Set<string>()
    const counting = {
      ...known,
      get: (id: string) => known.get(id),
      has: (id: string) => pruned.add(id) && known.has(id),
      set: () => counting,
    }
    const sql = () => assert.unreachable()
    const compared = compareLanguages('q', {
      sql: sql as never,
      embedder: { languages: { ...languages, meanings: () => ({ languages: [], english: [] }), wordsFor: () => [] } },
      languageCache: counting as never,
    })
    for (const onePerReview of [true, false]) {
      const options = { limit: 1 + Math.floor(Math.random() * 20), onePerReview }
      const page = rank(passing, thresholds, options)
      const all = rank(passing, thresholds, { ...options, penalty: await compared.penalty(scope, passing) })
      assert.is(pruned.size, count)
      pruned.clear()
      const full = page.length < options.limit ? [] : page
      const some = rank(passing, thresholds, { ...options, penalty: await compared.penalty(scope, passing, full) })
      assert.equal(some, all)
      pruned.clear()
    }
  }
})

test('they gain nothing by a tone that is read from the English words that theirs stand for, and lose what it takes off', async () => {
  const of = (id: string, tone: number): Candidate => ({
    id,
    reviewId: id,
    ordinal: 0,
    cosine: 0.8,
    matchesHalf: false,
    textRank: null,
    coverage: 1,
    tone,
  })
  const candidates = [of('own praise', 1), of('own', 0), of('other praise', 1), of('other complaint', -1)]
  const known = new Map(candidates.map(({ id }) => [id, id.startsWith('own') ? 1 : 2]))
  const compared = compareLanguages('q', {
    sql: assert.unreachable as never,
    embedder: { languages: { ...languages, meanings: () => ({ languages: [], english: [] }), wordsFor: () => [] } },
    languageCache: known as never,
  })
  const penalty = await compared.penalty(scope, candidates)
  const ranked = rank(candidates, thresholds, { limit: 4, onePerReview: true, penalty })
  assert.equal(
    ranked.map(({ id, fused }) => [id, Math.round((fused - (ranked[1]?.fused ?? 0)) * 100) / 100]),
    [
      ['own praise', TONE_WEIGHT],
      ['own', 0],
      ['other praise', -0.05],
      ['other complaint', -0.05 - TONE_WEIGHT],
    ],
  )
})

test.run()
