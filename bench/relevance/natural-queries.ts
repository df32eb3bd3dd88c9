import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { cosineOf } from '../../server/embed/calibrate.ts'
import type { Embedder } from '../../server/embed/embedder.ts'
import { readNaturalPool } from './natural-pool.ts'
import { splitIntoSentences } from './natural-sentences.ts'

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
  /** Among the first three and not read yet: with another model, judge these before comparing. */
  unjudged: number
}

/** A review is compared as a whole and by its sentences, as the product does; words let nothing in here. */
export async function measureNatural(embedder: Embedder, folder: string, floor: number): Promise<NaturalFigures> {
  const queries = v.parse(judged, JSON.parse(readFileSync(join(import.meta.dirname, 'natural-queries.json'), 'utf8')))
  const pool = await readNaturalPool(folder)
  const parts = pool.flatMap(({ text }, review) =>
    [text, ...splitIntoSentences(text)].map((part) => ({ review, part })),
  )
  const vectors = await embedder.embed(
    parts.map(({ part }) => part),
    'document',
  )
  let [shown, right, wrong, silent, silentRightly, unjudged] = [0, 0, 0, 0, 0, 0]
  const answerable = queries.filter((query) => query.answerable).length
  for (const query of queries) {
    const [vector] = await embedder.embed([query.query], 'query')
    const best = new Map<number, number>()
    for (const [i, { review }] of parts.entries()) {
      if (pool[review]?.trade !== query.trade) continue
      const cosine = cosineOf(vector ?? [], vectors[i] ?? [])
      if (cosine >= floor && cosine > (best.get(review) ?? 0)) best.set(review, cosine)
    }
    const top = [...best].sort((a, b) => b[1] - a[1]).slice(0, FIRST)
    const ids = top.map(([review]) => pool[review]?.id ?? '')
    const good = ids.filter((id) => query.answers.includes(id)).length
    const read = ids.filter((id) => query.answers.includes(id) || query.others.includes(id)).length
    shown += read
    right += good
    unjudged += ids.length - read
    if (read > 0 && read === ids.length && good === 0) wrong++
    if (ids.length === 0) {
      if (query.answerable) silent++
      else silentRightly++
    }
  }
  return {
    queries: queries.length,
    reviews: pool.length,
    precision: right / shown,
    wrong: wrong / queries.length,
    silentThoughAnswerable: silent / answerable,
    silentRightly: silentRightly / (queries.length - answerable),
    unjudged,
  }
}
