import * as v from 'valibot'
import { queryBody } from './query.ts'
import { rating } from './review.ts'
import { count, similarity } from './scalars.ts'

/** `POST /explain`: this server's own route, outside `/v1`, for people who tune a project. */

/** The fields of its body besides those of a query. */
export const explainFields = v.object({ review: v.optional(v.string()), floor: v.optional(similarity) })

/** The body of a query with `q` required, plus the fields of this route. */
export const explainBody = v.pipe(
  v.strictObject({ ...queryBody.entries, ...explainFields.entries }),
  v.metadata({ required: ['q'] }),
)

export const explainedExcerpt = v.object({
  excerpt_id: v.string(),
  review_id: v.string(),
  excerpt: v.string(),
  /** Similarity of the vectors; null when the excerpt has no vector of the active model yet. */
  cosine: v.nullable(v.number()),
  /** The nearest part of the excerpt, to which `cosine` belongs; null when that is the whole excerpt. */
  sentence: v.optional(v.nullable(v.string()), null),
  /** The query's words that it contains, in any form. */
  words_matched: v.array(v.string()),
  /** Number of distinct words it must contain to pass at the word tier; 0 when words cannot help. */
  words_needed: count,
  /** Share of the query's words that it contains, rare ones weighing more; null when none, or when it does not pass. */
  text_rank: v.nullable(v.number()),
  /** Share of the query that it covers, word by word, 0 to 1; null when not among the first, or not passing. */
  coverage: v.optional(v.nullable(v.number()), null),
  /**
   * What is added to `cosine` to make `fused`: for words, for coverage, for the tone that the query asks for (negative
   * when the excerpt has the opposite one), and less for another language.
   */
  adds: v.optional(
    v.nullable(
      v.object({ words: v.number(), coverage: v.number(), tone: v.optional(v.number(), 0), language: v.number() }),
    ),
    null,
  ),
  /** Why it passes: its cosine, its words, or not at all. */
  passes_by: v.picklist(['floor', 'words', 'none']),
  hidden: v.optional(v.boolean(), false),
  /** Whether it is a complaint and the project shows none. */
  complaint: v.optional(v.boolean(), false),
  /** Whether it is in another language than the query, which lowers `fused`. */
  other_language: v.optional(v.boolean(), false),
  /** Its cosine plus `adds`, which decides the order; null when it does not pass. */
  fused: v.nullable(v.number()),
  /** Rank under the policy and filters, from 1; null when it is not ranked. */
  place: v.nullable(count),
})
export type ExplainedExcerpt = v.InferOutput<typeof explainedExcerpt>

export const removal = v.object({
  by: v.picklist([
    'hidden',
    'excerpt_hidden',
    'complaint',
    'min_rating',
    'negative',
    'source',
    'since',
    'metadata',
    'indexing',
    'relevance',
    'limit',
  ]),
  message: v.string(),
})
export type Removal = v.InferOutput<typeof removal>

/** Response of `POST /explain`. */
export const explanation = v.object({
  /** The query's words that count towards the word tier; generic ones do not. */
  words: v.array(v.string()),
  /** Words of the query that no near excerpt mentions, which lower every cosine. Usually empty. */
  off_domain: v.optional(v.array(v.string()), []),
  floor: v.number(),
  word_tier: v.number(),
  min_rating: rating,
  limit: count,
  /** The query's results, in order. */
  results: v.array(explainedExcerpt),
  /** The review that was asked about. */
  review: v.optional(
    v.object({
      id: v.string(),
      appears: v.boolean(),
      /** Everything that keeps it out; empty when it appears. */
      removed_by: v.array(removal),
      /** All its excerpts, nearest first. */
      excerpts: v.array(explainedExcerpt),
    }),
  ),
})
export type Explanation = v.InferOutput<typeof explanation>
