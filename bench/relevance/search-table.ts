import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Embedder } from '../../server/embed/embedder.ts'
import { accept } from '../../server/ingest/accept.ts'
import { policyOf, type Thresholds, thresholdsOf } from '../../server/search/policy.ts'
import { type Candidate, rank } from '../../server/search/rank.ts'
import { createExcerptCache, createSecondLook } from '../../server/search/second-look.ts'
import { findCandidates } from '../../server/search/sql/find-candidates.ts'
import { findWordForms } from '../../server/search/sql/word-forms.ts'
import { languagesOf, queryWords } from '../../server/search/words.ts'
import { createToneReader } from '../../server/sentiment/classifier.ts'
import { type BenchService, makeProject, openBenchService } from '../service.ts'
import type { DevelopmentSets } from './development-sets.ts'
import { gainOf, type Interval, mean, ranking } from './measures.ts'

const FLOOR = 0.66
const tone = createToneReader()
/** Lets every excerpt compete, so that only the order is measured. */
const NO_THRESHOLDS: Thresholds = { floor: -1, wordTier: -1 }
/** Longer than any pool. */
const LIST_LENGTH = 5000
const BATCH = 100
/** A task with more is thinned evenly. */
const MOST_QUERIES = 500

/** One way to order candidates. */
interface Order {
  name: string
  sort(candidates: Candidate[]): { reviewId: string }[]
}

const best = (candidates: Candidate[], value: (c: Candidate) => number) => {
  const seen = new Set<string>()
  const sorted = [...candidates].sort((a, b) => value(b) - value(a) || b.cosine - a.cosine)
  return sorted.filter(({ reviewId }) => !seen.has(reviewId) && seen.add(reviewId))
}

const ranked = (all: Candidate[]) => rank(all, NO_THRESHOLDS, { limit: LIST_LENGTH, onePerReview: true })

export const ORDERS: Order[] = [
  {
    name: 'text rank alone',
    sort: (all) =>
      best(
        all.filter((c) => c.textRank !== null),
        (c) => c.textRank ?? 0,
      ),
  },
  { name: 'vectors alone', sort: (all) => best(all, (c) => c.cosine) },
  { name: 'fused', sort: (all) => ranked(all.map(({ coverage, tone, ...found }) => found)) },
  { name: 'fused, the first looked at again', sort: (all) => ranked(all) },
]

export interface OrderFigures {
  name: string
  dstcMap: number
  dstcNdcg: number
  aspectNdcg: number
  subjqaMrr: number
}

/** What the shipped order, the last, gains over another, in the task's first figure. */
export interface GainFigures extends Interval {
  task: string
  over: string
}

/** What reaches a visitor at the default floor: over all queries of a task, precision and recall of what passes. */
export interface PassingFigures {
  task: string
  rule: string
  precision: number
  recall: number
  /** Share of queries with no result at all. */
  empty: number
}

/**
 * Stores every sentence of the ranking tasks as a review of its own, a project a task with the pool as metadata that the
 * searches filter by, lets the worker chunk, embed and index them, and ranks with the SQL and the fusion of `/v1/query`.
 *
 * @param kind `embedded`, or the address of a PostgreSQL server
 */
export async function measureSearch(kind: string, embedder: Embedder, sets: DevelopmentSets) {
  const service = await openBenchService(kind, { embedder, keys: 1 })
  try {
    const orders = ORDERS.map(({ name }) => ({ name, dstcMap: 0, dstcNdcg: 0, aspectNdcg: 0, subjqaMrr: 0 }))
    const gains: GainFigures[] = []
    const passing: PassingFigures[] = []
    for (const { name, documents, queries: every } of sets.tasks) {
      // a search has one business's reviews; a few questions of the sets compare several
      const single = every.filter(({ businesses }) => businesses === 1)
      const queries = single.filter((_, i) => i % Math.ceil(single.length / MOST_QUERIES) === 0)
      const scopes = await store(service, documents, queries)
      const found = new Map<number, Found>()
      for (const [i, query] of queries.entries()) {
        const scope = scopes.get(query.pool.join())
        if (scope) found.set(i, await candidatesOf(service, scope, query.text))
      }
      const values: number[][] = []
      for (const [o, order] of ORDERS.entries()) {
        const rows = queries.flatMap((query, i) => {
          const of = found.get(i)
          if (!of) return []
          const ids = order.sort(of.all).map(({ reviewId }) => of.documents.get(reviewId) ?? -1)
          return ranking(
            ids.map((_, place) => -place),
            (place) => query.relevant.has(ids[place] ?? -1),
            query.relevant.size,
          )
        })
        const into = orders[o]
        if (!into) continue
        if (name === 'dstc')
          [into.dstcMap, into.dstcNdcg] = [mean(rows.map((r) => r.ap)), mean(rows.map((r) => r.ndcg))]
        else if (name === 'aspect') into.aspectNdcg = mean(rows.map((r) => r.ndcg))
        else into.subjqaMrr = mean(rows.map((r) => r.rr))
        values.push(rows.map(({ ap, ndcg, rr }) => (name === 'dstc' ? ap : name === 'aspect' ? ndcg : rr)))
      }
      const shipped = values.at(-1) ?? []
      for (const [o, { name: over }] of ORDERS.slice(0, -1).entries()) {
        gains.push({ task: name, over, ...gainOf(shipped, values[o] ?? []) })
      }
      for (const [rule, thresholds] of [
        ['floor only', { floor: FLOOR, wordTier: FLOOR }],
        ['floor and word tier', thresholdsOf(FLOOR)],
      ] as const) {
        let [hits, passed, relevant, empty] = [0, 0, 0, 0]
        for (const [i, of] of found) {
          const query = queries[i]
          const through = rank(of.all, thresholds, { limit: LIST_LENGTH, onePerReview: true })
          hits += through.filter(({ reviewId }) => query?.relevant.has(of.documents.get(reviewId) ?? -1)).length
          passed += through.length
          relevant += query?.relevant.size ?? 0
          if (through.length === 0) empty++
        }
        passing.push({ task: name, rule, precision: hits / passed, recall: hits / relevant, empty: empty / found.size })
      }
    }
    const off = await store(service, sets.offDomainPool, [{ pool: sets.offDomainPool.map((_, i) => i) }])
    const [scope] = off.values()
    let silent = 0
    const leaks: string[] = []
    for (const query of sets.offDomain) {
      const { all } = scope ? await candidatesOf(service, scope, query, thresholdsOf(FLOOR)) : { all: [] }
      if (rank(all, thresholdsOf(FLOOR), { limit: 1, onePerReview: true }).length === 0) silent++
      else leaks.push(query)
    }
    return { orders, gains, passing, silent: silent / sets.offDomain.length, leaks }
  } finally {
    await service.close()
  }
}

interface Stored {
  projectId: string
  name: string
  /** Review id → position among the task's documents. */
  documents: Map<string, number>
}

interface Found {
  all: Candidate[]
  documents: Map<string, number>
}

/** One project; each different pool of the queries becomes a value of the metadata key `pool`. */
export async function store(
  { sql, worker }: BenchService,
  documents: readonly string[],
  queries: readonly { pool: number[] }[],
): Promise<Map<string, Stored>> {
  const scopes = new Map<string, Stored>()
  const project = await makeProject(sql, `task ${randomUUID()}`)
  for (const { pool } of queries) {
    const key = pool.join()
    if (scopes.has(key)) continue
    const name = String(scopes.size)
    const ids = new Map<string, number>()
    for (let from = 0; from < pool.length; from += BATCH) {
      const part = pool.slice(from, from + BATCH)
      const rows = part.map((i) => ({
        external_id: `${name}-${i}`,
        metadata: { pool: name },
        source: 'google' as const,
        rating: 5,
        text: documents[i] ?? '',
        author_name: 'Guest',
        occurred_at: new Date('2026-01-01T00:00:00Z'),
      }))
      const answer = await accept(sql, project, 'live', rows, {})
      if ('limit' in answer) throw new Error('a pool does not fit the plan')
      for (const [k, review] of answer.reviews.entries()) ids.set(review.id, part[k] ?? -1)
    }
    scopes.set(key, { projectId: project.id, name, documents: ids })
  }
  worker.nudge()
  while ((await sql`select 1 from index_jobs limit 1`).length > 0) await sleep(100)
  // the planner must not take the tables for empty
  await sql`analyze`
  return scopes
}

export async function candidatesOf(
  service: BenchService,
  stored: Stored,
  q: string,
  thresholds = NO_THRESHOLDS,
): Promise<Found> {
  const { sql, embedder, modelId } = service
  const scope = { projectId: stored.projectId, env: 'live' as const, modelId }
  const words = queryWords(q)
  const forms = words.length === 0 ? [] : await findWordForms(sql, scope, words)
  const [vector] = await embedder.embed([q], 'query', undefined, languagesOf(forms))
  if (!vector) throw new Error('no vector')
  const policy = policyOf(
    { similarityFloor: FLOOR, minRating: 1, excerpts: 'all' },
    { metadata: [['pool', stored.name]] },
  )
  const depth = { among: 'all', limit: LIST_LENGTH } as const
  const { passing } = await findCandidates(sql, scope, { vector, forms, policy, thresholds, depth })
  const look = createSecondLook(q, languagesOf(forms), { sql, embedder, tone, excerptCache: createExcerptCache() })
  const { candidates } = await look(scope, passing)
  return { all: candidates, documents: stored.documents }
}
