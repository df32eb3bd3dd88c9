import { cosineOf } from '../../server/embed/calibrate.ts'
import type { Embedder } from '../../server/embed/embedder.ts'
import { type Candidate, fuse, fusedParts } from '../../server/search/rank.ts'
import { createSecondLook, SECOND_LOOK_LIMIT } from '../../server/search/second-look.ts'
import { createToneReader } from '../../server/sentiment/classifier.ts'
import { mean, ranking } from './measures.ts'
import { ENGLISH, type LanguageSet, OTHER_LANGUAGES } from './other-languages.ts'

/** Topic → which of its three sentences says the opposite of the query; the same in every language. */
const OPPOSITE: Record<number, number> = { 4: 1, 5: 2, 7: 2, 12: 2, 14: 2, 15: 2, 18: 2, 19: 2, 20: 2, 22: 2, 23: 2 }
/** Those that are neither: a full car park for a free one, a cold pool for a large one, a heating for an air conditioning. */
const NEITHER: Record<number, number> = { 6: 2, 13: 1, 21: 2 }
const A_TOPIC = 3

const ORDERS: { name: string; score(one: Candidate, isOther: boolean): number }[] = [
  { name: 'cosine', score: ({ cosine }) => cosine },
  { name: 'words', score: ({ tone, ...one }) => fuse(one) },
  // An excerpt in another language gains nothing by its tone; its margin all of them lose alike.
  {
    name: 'words and tone',
    score: (one, isOther) => fuse(one) - (isOther ? Math.max(0, fusedParts(one).tone) : 0),
  },
]

/** Whose queries are asked over whose sentences. */
type Asked = readonly [queries: LanguageSet, documents: LanguageSet]

export interface WishFigures {
  name: string
  /** How many pairs of a sentence that answers and one that says the opposite. */
  pairs: number
  /** Share of the pairs of which the answer stands first, and MAP, by cosine, after the second look without tone, and with it. */
  orders: { name: string; answerFirst: number; map: number }[]
}

/** Headings over made-up sentences: the opposite of what they wish is wrong. */
export async function measureWishes(embedder: Embedder): Promise<WishFigures[]> {
  const same = [ENGLISH, ...OTHER_LANGUAGES].map((set): Asked => [set, set])
  return [
    await figures('a language over its own sentences', same),
    await figures(
      'asked in English',
      OTHER_LANGUAGES.map((set) => [ENGLISH, set]),
    ),
    await figures(
      'English asked in another',
      OTHER_LANGUAGES.map((set) => [set, ENGLISH]),
    ),
  ]

  async function figures(name: string, every: readonly Asked[]): Promise<WishFigures> {
    const orders = ORDERS.map((order) => ({ ...order, first: [] as boolean[], ap: [] as number[] }))
    for (const [asked, over] of every) {
      const [{ queries }, { documents }] = [asked, over]
      for (const [topic, { text }] of queries.entries()) {
        const found = await look(text, documents)
        const sentences = Array.from({ length: A_TOPIC }, (_, at) => topic * A_TOPIC + at)
        const opposite = sentences[OPPOSITE[topic] ?? -1]
        const neither = sentences[NEITHER[topic] ?? -1]
        const right = sentences.filter((at) => at !== opposite && at !== neither)
        const ranked = found.filter((_, at) => at !== neither)
        const other = found[opposite ?? -1]
        for (const { score: scoreOf, first, ap } of orders) {
          const score = (one: Candidate) => scoreOf(one, asked !== over)
          ap.push(ranking(ranked.map(score), (place) => right.includes(Number(ranked[place]?.id)), right.length).ap)
          if (other) first.push(...right.flatMap((at) => (found[at] ? score(found[at]) > score(other) : [])))
        }
      }
    }
    return {
      name,
      pairs: orders[0]?.first.length ?? 0,
      orders: orders.map(({ name, first, ap }) => ({
        name,
        answerFirst: first.filter(Boolean).length / first.length,
        map: mean(ap),
      })),
    }
  }

  /** Every document as the second look leaves it, in their order. */
  async function look(q: string, documents: readonly string[]): Promise<Candidate[]> {
    const [asked = []] = await embedder.embed([q], 'query')
    const vectors = await embedder.embed(documents, 'document')
    const nearest = documents
      .map((_, i): Candidate => {
        const cosine = cosineOf(asked, vectors[i] ?? [])
        return { id: String(i), reviewId: String(i), ordinal: 0, cosine, matchesHalf: false, textRank: null }
      })
      .sort((a, b) => b.cosine - a.cosine)
    const tone = createToneReader()
    const read = (text: string) => ({ words: embedder.coverage?.read(text) ?? new Int32Array(), tone: tone.of(text) })
    const known = new Map(nearest.slice(0, SECOND_LOOK_LIMIT).map(({ id }) => [id, read(documents[Number(id)] ?? '')]))
    const unread = () => {
      throw new Error('an excerpt that was not read')
    }
    const { candidates } = await createSecondLook(q, [], { sql: unread as never, embedder, tone, excerptCache: known })(
      { projectId: '', env: 'live', modelId: 0 },
      nearest,
    )
    return candidates.sort((a, b) => Number(a.id) - Number(b.id))
  }
}
