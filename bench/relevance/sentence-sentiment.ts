import { readSentimentModel } from '../../server/sentiment/classifier.ts'
import type { TonedSentence } from './development-sets.ts'

export interface SentenceFigures {
  source: string
  sentences: number
  /** Praise told from blame, the neutral verdict left out. */
  binary: number
  /** Of the sentences that blame: shares called negative, and positive, which is what must not stand on a sales page. */
  blameCaught: number
  blamePassed: number
  /** Of the sentences that praise: share called negative. */
  praiseLost: number
}

/** The sentiment model on single sentences: the aspect sets' own polarities, which no training saw. */
export function measureSentences(toned: readonly TonedSentence[]): SentenceFigures[] {
  const model = readSentimentModel()
  const verdicts = toned.map(({ text, praise, source }) => {
    const verdict = model.classify(text, 'excerpt')
    return { source, praise, verdict, right: model.good > model.bad === praise }
  })
  const sources = [...new Set(toned.map(({ source }) => source)), 'all']
  return sources.map((source) => {
    const some = verdicts.filter((one) => source === 'all' || one.source === source)
    const share = (rows: typeof some, holds: (row: (typeof some)[number]) => boolean) =>
      rows.length === 0 ? 0 : rows.filter(holds).length / rows.length
    const blame = some.filter(({ praise }) => !praise)
    const praised = some.filter(({ praise }) => praise)
    return {
      source,
      sentences: some.length,
      binary: share(some, ({ right }) => right),
      blameCaught: share(blame, ({ verdict }) => verdict === 'negative'),
      blamePassed: share(blame, ({ verdict }) => verdict === 'positive'),
      praiseLost: share(praised, ({ verdict }) => verdict === 'negative'),
    }
  })
}
