import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { cosineOf } from '../../server/embed/calibrate.ts'
import type { Embedder } from '../../server/embed/embedder.ts'
import { chunk } from '../../server/indexing/chunking/chunk.ts'
import { runYielding } from '../../server/indexing/chunking/interruptible.ts'
import { sentenceStarts, sentencesAt } from '../../server/indexing/chunking/sentences.ts'
import { CANDIDATE_LIMIT, type Candidate, rank } from '../../server/search/rank.ts'
import { createSecondLook } from '../../server/search/second-look.ts'
import { createToneReader } from '../../server/sentiment/classifier.ts'
import { readNaturalPool } from './natural-pool.ts'

const FIRST = 3
/** What people ask of four trades, and which of the pool's reviews were read and found to answer, or not to. */
const judged = v.array(
  v.object({
    trade: v.string(),
    query: v.string(),
    answerable: v.boolean(),
    answers: v.array(v.string()),
    others: v.array(v.string()),
  }),
)

export interface NaturalFigures {
  name: string
  queries: number
  reviews: number
  /** Of the judged among the first three above the floor. */
  precision: number
  /** Share of queries that show something of which nothing answers. */
  wrong: number
  /** Share of answerable queries that show nothing. */
  silentThoughAnswerable: number
  /** Share of unanswerable queries that show nothing. */
  silentRightly: number
  /** Among the first three and not read yet: judge these before comparing. */
  unjudged: string[]
}

interface NaturalExcerpt {
  id: string
  review: string
  trade: string
  text: string
  vectors: Float32Array[]
}

/** Excerpts are cut and compared as the product does it, ordered by vectors alone, then as the search orders them; words let nothing in. */
export async function measureNatural(embedder: Embedder, folder: string, floor: number): Promise<NaturalFigures[]> {
  const queries = v.parse(judged, JSON.parse(readFileSync(join(import.meta.dirname, 'natural-queries.json'), 'utf8')))
  const pool = await readNaturalPool(folder)
  const excerpts: NaturalExcerpt[] = []
  for (const { id: review, trade, text } of pool) {
    for (const { start, end } of await runYielding(chunk(text, 'en'))) {
      const slice = text.slice(start, end)
      const starts = await runYielding(sentenceStarts(slice, 'en'))
      const vectors = await embedder.embed([slice, ...sentencesAt(slice, starts)], 'document')
      excerpts.push({ id: `${review} ${start}`, review, trade, text: slice, vectors })
    }
  }
  const tone = createToneReader()
  const words = (text: string) => embedder.coverage?.read(text) ?? new Int32Array()
  const known = new Map(excerpts.map(({ id, text }) => [id, { words: words(text), tone: tone.of(text) }]))
  const unread = () => {
    throw new Error('an excerpt whose words were not read')
  }
  const lookAgain = (q: string) =>
    createSecondLook(q, [], { sql: unread as never, embedder, tone, excerptCache: known })
  const none = (): ReturnType<typeof createSecondLook> => async (_scope, ranked) => ({
    candidates: [...ranked],
    doubt: undefined,
  })
  const out: NaturalFigures[] = []
  for (const [name, look] of [
    ['vectors', none],
    ['vectors, then words', lookAgain],
  ] as const) {
    const shown = await Promise.all(queries.map(({ query, trade }) => firstOf(query, trade, look(query))))
    out.push({ name, queries: queries.length, reviews: pool.length, ...count(shown) })
  }
  return out

  async function firstOf(query: string, trade: string, look: ReturnType<typeof createSecondLook>): Promise<string[]> {
    const [asked = []] = await embedder.embed([query], 'query')
    const passing = excerpts
      .filter((excerpt) => excerpt.trade === trade)
      .map((excerpt): Candidate => {
        const cosine = Math.max(...excerpt.vectors.map((one) => cosineOf(asked, one)))
        return { id: excerpt.id, reviewId: excerpt.review, ordinal: 0, cosine, matchesHalf: false, textRank: null }
      })
      .filter(({ cosine }) => cosine >= floor)
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, CANDIDATE_LIMIT)
    const { candidates } = await look({ projectId: '', env: 'live', modelId: 0 }, passing)
    return rank(candidates, { floor, wordTier: floor }, { limit: FIRST, onePerReview: true }).map(
      ({ reviewId }) => reviewId,
    )
  }

  function count(shown: readonly string[][]): Omit<NaturalFigures, 'name' | 'queries' | 'reviews'> {
    let [all, right, wrong, silent, silentRightly] = [0, 0, 0, 0, 0]
    const unjudged: string[] = []
    for (const [i, { query, answerable, answers, others }] of queries.entries()) {
      const ids = shown[i] ?? []
      const good = ids.filter((id) => answers.includes(id)).length
      const read = ids.filter((id) => answers.includes(id) || others.includes(id)).length
      all += read
      right += good
      unjudged.push(...ids.filter((id) => !answers.includes(id) && !others.includes(id)).map((id) => `${query}: ${id}`))
      if (read > 0 && read === ids.length && good === 0) wrong++
      if (ids.length === 0 && answerable) silent++
      if (ids.length === 0 && !answerable) silentRightly++
    }
    const answerable = queries.filter((query) => query.answerable).length
    return {
      precision: right / all,
      wrong: wrong / queries.length,
      silentThoughAnswerable: silent / answerable,
      silentRightly: silentRightly / (queries.length - answerable),
      unjudged,
    }
  }
}
