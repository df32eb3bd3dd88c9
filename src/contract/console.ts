import type { Finding } from './doctor.ts'
import type { ExplainedExcerpt } from './explain.ts'
import type { InsightsResponse } from './insights.ts'
import type { QueryResponse } from './query.ts'

/** What the routes of the console answer to its page, which is of the same version: no interface for others. */

export interface ConsoleHealth {
  reviews: { live: number; test: number; limit: number }
  queue: { waiting: number; set_aside: number }
  /** Uncached queries of this month (UTC). */
  quota: { used: number; limit: number }
  /** For the operator only. */
  search_memory?: { bytes: number; budget: number; excerpts: number } | null
  findings?: Finding[]
}

export interface ConsoleSearch {
  /** As visitors get it. */
  response: QueryResponse
  /** Why each of the results is there, by its `excerpt_id`; empty without a query. */
  explained: ExplainedExcerpt[]
  /** What comes near and does not appear, nearest first. */
  near: ExplainedExcerpt[]
  floor: number
  word_tier: number
}

export interface ConsoleProject {
  name: string
  plan: 'free' | 'paid'
  similarity_floor: number
  min_rating: number
  excerpts: 'all' | 'no_complaints'
  origins: string[]
  /** What the note below reviews says, by language; empty where all are shown. */
  notes: Record<string, string>
  /** Grows with every change: a change says which one it was made of. */
  revision: number
}

/** One of the most asked queries, before a change of settings and after it. */
export interface TriedQuery {
  query: string
  searches: number
  before: number
  after: number
  comes_in: TriedResult[]
  drops_out: TriedResult[]
}

export interface TriedResult {
  excerpt: string
  rating: number | null
  author_name: string | null
}

export interface ConsoleAsked extends InsightsResponse {
  /** Of each day with searches, oldest first. */
  by_day: { day: string; searches: number; unanswered: number }[]
}

export interface ConsoleReview {
  id: string
  source: string
  rating: number | null
  text: string
  author_name: string | null
  occurred_at: string | null
  hidden: boolean
  status: 'indexing' | 'indexed'
  sentiment: string | null
  /** How many of its excerpts are hidden. */
  hidden_excerpts: number
}

export interface ConsoleReviews {
  reviews: ConsoleReview[]
  /** Where the next page begins; null on the last. */
  next: string | null
}

export interface ConsoleExcerpt {
  id: string
  text: string
  hidden: boolean
  verdict: 'positive' | 'neutral' | 'negative' | null
}

export interface ConsolePageText {
  url: string
  origin: string
  h1: string
  title: string
  /** What the snippet would ask on that page. */
  query: string
}
