import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cosineOf } from '../../server/embed/calibrate.ts'
import type { Embedder } from '../../server/embed/embedder.ts'

const FIRST = 3

interface AskedTrade {
  sentences: string[]
  queries: { text: string; right: number[]; opposite: number[] }[]
}

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

/** Queries of trades that no training knows, over a dozen made-up sentences each (other-trades.txt says how it is written). */
export async function measureOtherTrades(embedder: Embedder, floor: number): Promise<OtherTradesFigures> {
  const trades = read(readFileSync(join(import.meta.dirname, 'other-trades.txt'), 'utf8'))
  const shown: OtherTradesFigures['shown'] = []
  let [above, right, answerable, firstRight, sided, oppositeFirst, unanswered, silent] = [0, 0, 0, 0, 0, 0, 0, 0]
  for (const { sentences, queries } of trades) {
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

function read(text: string): AskedTrade[] {
  return text
    .split('\n\n')
    .slice(1)
    .map((paragraph) => {
      const lines = paragraph.trim().split('\n').slice(1)
      const numbers = (list = '') => [...list.matchAll(/\d+/g)].map(([number]) => Number(number) - 1)
      return {
        sentences: lines.flatMap((line) => /^\d+ (.*)/.exec(line)?.[1] ?? []),
        queries: lines.flatMap((line) => {
          const [, asked = '', answers = ''] = /^\? (.*?) =(.*)$/.exec(line) ?? []
          const [right, opposite] = answers.split('/')
          return asked === '' ? [] : { text: asked, right: numbers(right), opposite: numbers(opposite) }
        }),
      }
    })
}
