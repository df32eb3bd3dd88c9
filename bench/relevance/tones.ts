import { readFileSync } from 'node:fs'
import { createSentimentClassifier, createToneReader } from '../../server/sentiment/classifier.ts'

export interface TonesFigures {
  praise: number
  blame: number
  /** Chance that a text of praise has the better tone of two, one of each. */
  auc: number
  /** Of the praise: share called negative. Of the blame: shares called negative, and positive. */
  praiseLost: number
  blameCaught: number
  blamePassed: number
}

/**
 * The tone of texts in any language, as `/v1/query` and indexing judge them.
 * @param path a file of lines `1` (praise) or `0` (blame), a tab, and a text
 * @param whole whether the texts are whole reviews, which have another threshold than excerpts
 */
export function measureTones(path: string, whole: boolean): TonesFigures {
  const classify = createSentimentClassifier()
  const tones = createToneReader()
  const rows = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.includes('\t'))
    .map((line) => {
      const text = line.slice(line.indexOf('\t') + 1)
      const verdict = classify(text, whole ? undefined : 'excerpt')
      return { praise: line.startsWith('1'), verdict, tone: tones.of(text) }
    })
  const praise = rows.filter((row) => row.praise)
  const blame = rows.filter((row) => !row.praise)
  const share = (some: typeof rows, verdict: string) =>
    some.filter((row) => row.verdict === verdict).length / some.length
  return {
    praise: praise.length,
    blame: blame.length,
    auc: areaUnderCurve(rows),
    praiseLost: share(praise, 'negative'),
    blameCaught: share(blame, 'negative'),
    blamePassed: share(blame, 'positive'),
  }
}

/** By mean ranks, ties halved. */
function areaUnderCurve(rows: readonly { praise: boolean; tone: number }[]): number {
  const sorted = [...rows].sort((a, b) => a.tone - b.tone)
  let [ranks, praise] = [0, 0]
  for (let at = 0; at < sorted.length; ) {
    let end = at + 1
    while (end < sorted.length && sorted[end]?.tone === sorted[at]?.tone) end++
    const alike = sorted.slice(at, end).filter((row) => row.praise).length
    ranks += (alike * (at + 1 + end)) / 2
    praise += alike
    at = end
  }
  return (ranks - (praise * (praise + 1)) / 2) / (praise * (sorted.length - praise))
}
