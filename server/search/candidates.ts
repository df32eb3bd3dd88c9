import type { Sql } from '../deps.ts'
import type { Embedder } from '../embed/embedder.ts'
import type { Policy, Thresholds } from './policy.ts'
import type { Candidate } from './rank.ts'
import type { WordForms } from './words.ts'

/** What every search needs. */
export interface ModelDeps {
  sql: Sql
  embedder: Embedder
  /** The embedder's row in `embedding_models`. */
  modelId: number
}

/** How far a search for candidates looks, and how many it returns. */
export interface SearchDepth {
  /** `nearest`: only the nearest excerpts by cosine (`NEAREST_LIMIT`). `all`: every excerpt at or above the word tier. */
  among: 'nearest' | 'all'
  /** Maximum number of candidates, best first by fused rank. */
  limit: number
}

/** The criteria of a search for candidates. */
export interface CandidateQuery {
  vector: Float32Array
  forms: readonly WordForms[]
  policy: Policy
  thresholds: Thresholds
  depth: SearchDepth
}

export interface Candidates {
  /** Those that pass the thresholds, best first. */
  passing: Candidate[]
  /** No excerpt outside those examined has a higher cosine than this. Null when none of them could pass. */
  horizon: number | null
}
