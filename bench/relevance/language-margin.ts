import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as v from 'valibot'
import type { EmbeddingLanguages } from '../../server/embed/embedder.ts'
import type { RankingTask } from './development-sets.ts'
import { mean, ranking } from './measures.ts'
import { ENGLISH, OTHER_LANGUAGES } from './other-languages.ts'
import type { EmbedderScorer } from './scorers.ts'

const MARGINS = [0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1]
const review = v.object({ set: v.string(), text: v.string() })
/** Files of hotels and restaurants, like the English ones. */
const TRADE = /fastfood|hotel|restaurant|yelp|zomato/
const [SHORTEST, LONGEST, EVERY] = [25, 200, 3]
/** What both sides have in common in a pool of made-up sentences: three a topic in each of seven languages. */
const [A_TOPIC, RELEVANT] = [3, 21]

export interface MarginFigures {
  margin: number
  /** Questions in English over a business's English sentences and as many real ones in other languages, none of which is right. */
  real: { map: number; otherFirst: number; halves: number[] }
  /** Queries in seven languages over sentences in all of them; those about its topic are right in every language. */
  made: { map: number; firstRight: number; firstRightAndOwn: number }
}

interface Case {
  cosine: number[]
  other: boolean[]
  right(document: number): boolean
  relevant: number
}

/** What a ranking gains and loses when excerpts in another language than the query's must be nearer by a margin. */
export async function measureLanguageMargins(
  scorer: EmbedderScorer,
  languages: EmbeddingLanguages,
  task: RankingTask,
  folder: string,
): Promise<MarginFigures[]> {
  const differ = (a: string, b: string) => (languages.possible(a) & languages.possible(b)) === 0
  const made: (Case & { own(document: number): boolean })[] = []
  const sets = [ENGLISH, ...OTHER_LANGUAGES]
  const sentences = sets.flatMap(({ documents }) => documents)
  const size = ENGLISH.documents.length
  for (const [place, { queries }] of sets.entries()) {
    const texts = queries.map(({ text }) => text)
    const score = await scorer.fit(sentences, texts)
    for (const [topic, text] of texts.entries()) {
      made.push({
        cosine: score(topic, [...sentences.keys()]),
        other: sentences.map((sentence) => differ(text, sentence)),
        right: (i) => Math.floor((i % size) / A_TOPIC) === topic,
        own: (i) => Math.floor(i / size) === place,
        relevant: RELEVANT,
      })
    }
  }
  const strangers = await realSentences(folder, (text) => differ(text, 'This is what the guests of this hotel say.'))
  const questions = task.queries
    .filter(({ businesses, relevant }) => businesses === 1 && relevant.size > 0)
    .filter((_, i) => i % EVERY === 0)
  const texts = questions.map(({ text }) => text)
  const score = await scorer.fit([...task.documents, ...strangers], texts)
  const businesses = [...new Set(questions.map(({ pool }) => pool[0] ?? -1))]
  const real = questions.map(({ text, pool, relevant }, i) => {
    const business = businesses.indexOf(pool[0] ?? -1)
    const added = pool.slice(0, strangers.length).map((_, k) => (business * 97 + k * 7) % strangers.length)
    const all = [...pool, ...added.map((place) => task.documents.length + place)]
    return {
      cosine: score(i, all),
      other: all.map((_, k) => k >= pool.length && differ(text, strangers[added[k - pool.length] ?? 0] ?? '')),
      right: (k: number) => relevant.has(all[k] ?? -1),
      relevant: relevant.size,
      half: business % 2,
    }
  })
  return MARGINS.map((margin) => {
    const ranked = (each: Case) => {
      const scores = each.cosine.map((cosine, i) => (each.other[i] ? cosine - margin : cosine))
      return { first: scores.indexOf(Math.max(...scores)), ap: ranking(scores, each.right, each.relevant).ap }
    }
    const ours = real.map((each) => ({ ...each, ...ranked(each) }))
    const theirs = made.map((each) => ({ ...each, ...ranked(each) }))
    const share = (of: boolean[]) => mean(of.map(Number))
    return {
      margin,
      real: {
        map: mean(ours.map(({ ap }) => ap)),
        otherFirst: share(ours.map(({ first, other }) => other[first] ?? false)),
        halves: [0, 1].map((half) => mean(ours.flatMap((each) => (each.half === half ? each.ap : [])))),
      },
      made: {
        map: mean(theirs.map(({ ap }) => ap)),
        firstRight: share(theirs.map(({ first, right }) => right(first))),
        firstRightAndOwn: share(theirs.map(({ first, right, own }) => right(first) && own(first))),
      },
    }
  })
}

async function realSentences(folder: string, isOther: (text: string) => boolean): Promise<string[]> {
  const segmenter = new Intl.Segmenter('es', { granularity: 'sentence' })
  const sentences: string[] = []
  const xz = spawn('xz', ['-dc', join(folder, 'reviews.jsonl.xz')], { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: xz.stdout, crlfDelay: Number.POSITIVE_INFINITY })) {
    const { set, text } = v.parse(review, JSON.parse(line))
    if (!TRADE.test(set) || !isOther(text.slice(0, LONGEST))) continue
    for (const { segment } of segmenter.segment(text)) {
      const sentence = segment.trim()
      if (sentence.length > SHORTEST && sentence.length < LONGEST && isOther(sentence)) sentences.push(sentence)
    }
  }
  return sentences
}
