import { cosineOf } from './calibrate.ts'
import type { Embedder } from './embedder.ts'
import { readOtherTrades } from './other-trades.ts'

/**
 * One in a hundred irrelevant sentences scores above the threshold. On 3,000 judged pairs of real reviews that is near the
 * best F0.5: at a raw cosine of .44 for the built-in model and .48 for all-MiniLM-L6-v2, where this gives .42 and .45.
 */
const UNRELATED_BELOW = 0.99

/**
 * Measures a model's scores, with 109 queries over the sentences of thirteen made-up trades.
 * @returns `threshold`: the calibrated cosine at which relevance seems to begin; `found`: the share of relevant sentences
 * that score at least `floor`, and `wrong`: that of irrelevant ones
 */
export async function measureScores(
  embedder: Embedder,
  floor: number,
  signal?: AbortSignal,
): Promise<{ threshold: number; found: number; wrong: number }> {
  const trades = readOtherTrades()
  const sentences = trades.flatMap((trade) => trade.sentences)
  const queries = trades.flatMap((trade) => trade.queries.map(({ text }) => text))
  const [documents, asked] = await Promise.all([
    embedder.embed(sentences, 'document', signal),
    embedder.embed(queries, 'query', signal),
  ])
  const answering: number[] = []
  const others: number[] = []
  let [sentence, query] = [0, 0]
  for (const trade of trades) {
    for (const { right, opposite } of trade.queries) {
      const vector = asked[query++] ?? []
      for (const place of trade.sentences.keys()) {
        if (opposite.includes(place)) continue
        const score = cosineOf(vector, documents[sentence + place] ?? [])
        if (right.includes(place)) answering.push(score)
        else others.push(score)
      }
    }
    sentence += trade.sentences.length
  }
  const share = (scores: number[]) => scores.filter((score) => score >= floor).length / scores.length
  others.sort((a, b) => a - b)
  const threshold = others[Math.floor(others.length * UNRELATED_BELOW)] ?? 1
  return { threshold, found: share(answering), wrong: share(others) }
}
