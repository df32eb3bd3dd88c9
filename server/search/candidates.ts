import type { Sql } from '../deps.ts'
import type { Embedder } from '../embed/embedder.ts'
import type { Policy, Thresholds } from './policy.ts'
import type { Candidate } from './rank.ts'
import type { WordForms } from './words.ts'

/** What every search works with. */
export interface ModelDeps {
  sql: Sql
  embedder: Embedder
  /** The embedder's row in `embedding_models`. */
  modelId: number
}

/** How far a search for candidates looks, and how much of what it finds comes back. */
export interface SearchDepth {
  /** `nearest`: only at the nearest excerpts by cosine (`NEAREST_LIMIT`). `all`: at every excerpt from the word tier up. */
  among: 'nearest' | 'all'
  /** Most candidates to return, the best by the fused rank. */
  limit: number
}

/** What candidates are looked for by. */
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
  /** No excerpt that was not looked at has a higher cosine than this. Null when nothing was left out that could pass. */
  horizon: number | null
}
