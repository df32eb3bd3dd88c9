import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Embedder } from '../../server/embed/embedder.ts'
import { type Thresholds, thresholdsOf } from '../../server/search/policy.ts'
import { type Candidate, rank } from '../../server/search/rank.ts'
import { openBenchService } from '../service.ts'
import type { RankingTask } from './development-sets.ts'
import { gainOf, type Interval, mean, ranking } from './measures.ts'
import { candidatesOf, store } from './search-table.ts'

const FLOORS = [0.64, 0.65, 0.66, 0.67, 0.68, 0.69, 0.7]
const NO_THRESHOLDS: Thresholds = { floor: -1, wordTier: -1 }
const EVERY = 3
/** Untracked: the corpus's text must not be committed. */
const FOLDER = join(import.meta.dirname, '.sets')

interface WholeReview {
  pool: string
  text: string
  /** The sentences it was put together from. */
  sentences: { id: string; start: number; end: number }[]
}

export interface WholeQuery {
  text: string
  pool: string
  relevant: Set<string>
}

/**
 * Puts the DSTC reviews together again from their sentences, whose ids say review and place, and writes them to the
 * untracked folder, so that they can be looked at. A question about one business is judged over all of its reviews.
 */
export function buildWholeReviews(task: RankingTask): { reviews: WholeReview[]; queries: WholeQuery[] } {
  const reviews = new Map<string, WholeReview>()
  for (const [i, text] of task.documents.entries()) {
    const { id = '', pool = '' } = task.sources[i] ?? {}
    const key = id.slice(0, id.lastIndexOf('/'))
    const review = reviews.get(key) ?? { pool, text: '', sentences: [] }
    if (review.text !== '') review.text += ' '
    review.sentences.push({ id, start: review.text.length, end: review.text.length + text.length })
    review.text += text
    reviews.set(key, review)
  }
  const queries = task.queries
    .filter(({ businesses }) => businesses === 1)
    .map(({ text, pool, relevant }) => ({
      text,
      pool: task.sources[pool[0] ?? -1]?.pool ?? '',
      relevant: new Set([...relevant].map((i) => task.sources[i]?.id ?? '')),
    }))
  mkdirSync(FOLDER, { recursive: true })
  const lines = (rows: object[]) => `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`
  writeFileSync(join(FOLDER, 'whole.reviews.jsonl'), lines([...reviews.values()]))
  writeFileSync(join(FOLDER, 'whole.queries.jsonl'), lines(queries.map((q) => ({ ...q, relevant: [...q.relevant] }))))
  return { reviews: [...reviews.values()], queries: queries.filter((_, i) => i % EVERY === 0) }
}

export interface WholeFigures {
  name: string
  /** Of excerpts: relevant is one that holds a part of a relevant sentence. */
  ndcg: number
  atFloors: {
    floor: number
    precision: number
    recall: number
    /** Of all these excerpts; precision weighs more. */
    half: number
    /** Share of questions with an answer that get none. */
    silent: number
    /** Share of off-domain queries without a result, over every excerpt. */
    offDomain: number
  }[]
}

/** The search over whole reviews, by whole excerpts and by sentences, as the product stores and ranks them. */
export async function measureWholeReviews(
  kind: string,
  embedder: Embedder,
  task: RankingTask,
  offDomain: readonly string[],
): Promise<{ figures: WholeFigures[]; gain: Interval; vectors: number }> {
  const { reviews, queries } = buildWholeReviews(task)
  const service = await openBenchService(kind, { embedder, keys: 1 })
  const { sql } = service
  try {
    const pools = [...new Set(queries.map(({ pool }) => pool))]
    const membersOf = (pool: string) => reviews.flatMap((review, i) => (review.pool === pool ? [i] : []))
    const scopes = await store(
      service,
      reviews.map(({ text }) => text),
      pools.map((pool) => ({ pool: membersOf(pool) })),
    )
    const [count] = await sql<{ excerpts: number; vectors: number }[]>`
      select count(*)::int as excerpts, sum(1 + coalesce(cardinality(sentences), 0))::int as vectors from excerpts`
    const slices = new Map(
      (
        await sql<{ id: string; start: number; end: number }[]>`
        select id, start_offset as start, end_offset as end from excerpts`
      ).map((row) => [row.id, row]),
    )
    const measure = async (name: string): Promise<WholeFigures & { each: number[] }> => {
      const each: number[] = []
      const found: { all: Candidate[]; good(candidate: Candidate): boolean; count: number }[] = []
      for (const query of queries) {
        const scope = scopes.get(membersOf(query.pool).join())
        if (!scope) continue
        const { all, documents } = await candidatesOf(service, scope, query.text)
        const good = ({ id, reviewId }: Candidate) => {
          const slice = slices.get(id)
          const parts = reviews[documents.get(reviewId) ?? -1]?.sentences ?? []
          return parts.some(
            (part) => slice && query.relevant.has(part.id) && part.start < slice.end && part.end > slice.start,
          )
        }
        const ranked = rank(all, NO_THRESHOLDS, { limit: all.length, onePerReview: false })
        const relevant = ranked.filter(good).length
        const order = ranked.map((_, place) => -place)
        const isGood = (place: number) => {
          const at = ranked[place]
          return at !== undefined && good(at)
        }
        each.push(ranking(order, isGood, relevant).ndcg)
        found.push({ all, good, count: relevant })
      }
      const leaks = new Map(FLOORS.map((floor) => [floor, 0]))
      const lowest = thresholdsOf(Math.min(...FLOORS))
      for (const query of offDomain) {
        const all: Candidate[] = []
        for (const scope of scopes.values()) all.push(...(await candidatesOf(service, scope, query, lowest)).all)
        for (const floor of FLOORS) {
          if (rank(all, thresholdsOf(floor), { limit: 1, onePerReview: false }).length > 0) {
            leaks.set(floor, (leaks.get(floor) ?? 0) + 1)
          }
        }
      }
      const atFloors = FLOORS.map((floor) => {
        let [hits, passed, relevant, silent] = [0, 0, 0, 0]
        for (const { all, good, count } of found) {
          const through = rank(all, thresholdsOf(floor), { limit: all.length, onePerReview: false })
          hits += through.filter(good).length
          passed += through.length
          relevant += count
          if (through.length === 0) silent++
        }
        const [precision, recall] = [hits / passed, hits / relevant]
        const half = (1.25 * precision * recall) / (0.25 * precision + recall)
        const offDomainSilent = 1 - (leaks.get(floor) ?? 0) / offDomain.length
        return { floor, precision, recall, half, silent: silent / found.length, offDomain: offDomainSilent }
      })
      return { name, ndcg: mean(each), atFloors, each }
    }
    const sentences = await measure('best of excerpt and sentences')
    await sql`update excerpts set sentences = null, sentence_starts = null`
    await sql`vacuum analyze excerpts`
    const whole = await measure('whole excerpts')
    return {
      figures: [whole, sentences],
      gain: gainOf(sentences.each, whole.each),
      vectors: (count?.vectors ?? 0) / (count?.excerpts ?? 1),
    }
  } finally {
    await service.close()
  }
}
