import { cosineOf } from '../../server/embed/calibrate.ts'
import type { Embedder } from '../../server/embed/embedder.ts'
import { readOtherTrades } from '../../server/embed/other-trades.ts'

const FIRST = 3

export interface OtherTradesFigures {
  queries: number
  /** Of what stands above the floor among the first three. */
  precision: number
  /** Share of answerable queries whose first sentence answers, at any cosine. */
  firstRight: number
  /** Share of queries with an opposite of which the opposite stands before what answers. */
  oppositeFirst: number
  /** Share of answerable queries of which nothing that answers is above the floor. */
  unanswered: number
  /** Share of unanswerable queries that show nothing. */
  silentRightly: number
  /** What each query shows, for reading. */
  shown: { text: string; first: { sentence: string; cosine: number; right: boolean }[] }[]
}

/** Queries of trades that no training knows, over a dozen made-up sentences each (server/embed/other-trades.txt). */
export async function measureOtherTrades(embedder: Embedder, floor: number): Promise<OtherTradesFigures> {
  const shown: OtherTradesFigures['shown'] = []
  let [above, right, answerable, firstRight, sided, oppositeFirst, unanswered, silent] = [0, 0, 0, 0, 0, 0, 0, 0]
  for (const { sentences, queries } of readOtherTrades()) {
    const documents = await embedder.embed(sentences, 'document')
    for (const query of queries) {
      const [vector = []] = await embedder.embed([query.text], 'query')
      const cosines = documents.map((one) => cosineOf(vector, one))
      const order = cosines.map((_, i) => i).sort((a, b) => (cosines[b] ?? 0) - (cosines[a] ?? 0))
      const first = order.filter((i) => (cosines[i] ?? 0) >= floor).slice(0, FIRST)
      const best = (of: readonly number[]) => Math.max(-1, ...of.map((i) => cosines[i] ?? 0))
      above += first.length
      right += first.filter((i) => query.right.includes(i)).length
      if (query.right.length === 0) silent += Number(first.length === 0)
      else {
        answerable++
        firstRight += Number(query.right.includes(order[0] ?? -1))
        unanswered += Number(best(query.right) < floor)
      }
      if (query.opposite.length > 0) {
        sided++
        oppositeFirst += Number(best(query.opposite) > best(query.right))
      }
      shown.push({
        text: query.text,
        first: first.map((i) => ({
          sentence: sentences[i] ?? '',
          cosine: cosines[i] ?? 0,
          right: query.right.includes(i),
        })),
      })
    }
  }
  return {
    queries: shown.length,
    precision: right / above,
    firstRight: firstRight / answerable,
    oppositeFirst: oppositeFirst / sided,
    unanswered: unanswered / answerable,
    silentRightly: silent / (shown.length - answerable),
    shown,
  }
}
