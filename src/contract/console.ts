import * as v from 'valibot'
import { finding } from './doctor.ts'
import { explainedExcerpt } from './explain.ts'
import { fields } from './fields.ts'
import { insightsResponse } from './insights.ts'
import { URI_LENGTH } from './limits.ts'
import { createProjectBody, excerptPolicy, origin, plan } from './project.ts'
import { queryResponse } from './query.ts'
import { rating, reviewStatus, sentiment, source } from './review.ts'
import { count, similarity } from './scalars.ts'
import { isStorable } from './text.ts'

/** Requests and responses of the console's routes. Internal: the console page always has the server's version. */

export const signInBody = fields({ link: v.pipe(v.string(), v.maxLength(100)) })
/** The settings of the first project. */
export const firstProjectBody = v.pick(createProjectBody, ['name', 'excerpts'])
export const explainReviewBody = fields({ q: v.string(), review: v.string() })
/** The page whose snippet query is previewed. */
export const pageBody = fields({ url: v.pipe(v.string(), v.maxLength(URI_LENGTH)) })
/** Hides a review, or one of its excerpts. */
export const hideBody = fields({ hidden: v.boolean() })
export const trySettingsBody = fields({ similarity_floor: similarity, min_rating: rating, excerpts: excerptPolicy })
export const changeSettingsBody = fields({
  /** The revision of the settings that the change is based on. */
  revision: v.pipe(v.number(), v.integer('must be a whole number')),
  similarity_floor: v.optional(similarity),
  min_rating: v.optional(rating),
  excerpts: v.optional(excerptPolicy),
  add_origin: v.optional(origin),
})

const POSITION = /^(?:(-?\d{1,15})|none)_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Unix milliseconds of the years 1 to 9999, the range of a review's date. */
const TIMES = { first: -62_135_596_800_000, last: 253_402_300_799_999 }

function isPosition(text: string): boolean {
  const [found, time = '0'] = POSITION.exec(text) ?? []
  return found !== undefined && Number(time) >= TIMES.first && Number(time) <= TIMES.last
}

/** The query string of the list of reviews. */
export const consoleReviewParameters = v.object({
  /** Substring of the text or the name. */
  q: v.optional(v.pipe(v.string(), v.maxLength(200), v.check(isStorable, 'cannot be looked for'))),
  source: v.optional(source),
  /** 0 means unrated. */
  stars: v.optional(v.pipe(v.string(), v.regex(/^[0-5]$/), v.transform(Number))),
  state: v.optional(v.picklist(['shown', 'hidden', 'sentence_hidden', 'indexing'])),
  after: v.optional(v.pipe(v.string(), v.check(isPosition, 'is no position of this list'))),
})
export type ConsoleReviewParameters = v.InferOutput<typeof consoleReviewParameters>

export const consoleSession = v.object({
  operator: v.boolean(),
  projects: v.array(v.object({ id: v.string(), name: v.string() })),
  expires_at: v.string(),
})
export type ConsoleSession = v.InferOutput<typeof consoleSession>

export const consoleHealth = v.object({
  reviews: v.object({ live: count, test: count, limit: count }),
  queue: v.object({ waiting: count, set_aside: count }),
  /** Uncached queries of this month (UTC). */
  quota: v.object({ used: count, limit: count }),
  /** For the operator only. */
  search_memory: v.exactOptional(v.nullable(v.object({ bytes: count, budget: count, excerpts: count }))),
  findings: v.exactOptional(v.array(finding)),
})
export type ConsoleHealth = v.InferOutput<typeof consoleHealth>

export const consoleSearch = v.object({
  /** As visitors see it. */
  response: queryResponse,
  /** Why each result appears, by `excerpt_id`; empty without a query. */
  explained: v.array(explainedExcerpt),
  /** Near excerpts that do not appear, nearest first. */
  near: v.array(explainedExcerpt),
  floor: v.number(),
  word_tier: v.number(),
})
export type ConsoleSearch = v.InferOutput<typeof consoleSearch>

export const consoleProject = v.object({
  name: v.string(),
  plan,
  similarity_floor: v.number(),
  min_rating: v.number(),
  excerpts: excerptPolicy,
  origins: v.array(v.string()),
  /** The note below reviews, by language; empty when all are shown. */
  notes: v.record(v.string(), v.string()),
  /** Grows with every change; a change request names the revision it is based on. */
  revision: count,
})
export type ConsoleProject = v.InferOutput<typeof consoleProject>

const triedResult = v.object({
  excerpt: v.string(),
  rating: v.nullable(v.number()),
  author_name: v.nullable(v.string()),
})
export type TriedResult = v.InferOutput<typeof triedResult>

/** One of the most frequent queries, before and after a change of settings. */
const triedQuery = v.object({
  query: v.string(),
  searches: count,
  before: count,
  after: count,
  comes_in: v.array(triedResult),
  drops_out: v.array(triedResult),
})
export type TriedQuery = v.InferOutput<typeof triedQuery>

export const consoleInsights = v.object({
  ...insightsResponse.entries,
  /** Each day with searches, oldest first. */
  by_day: v.array(v.object({ day: v.string(), days_ago: count, searches: count, unanswered: count })),
})
export type ConsoleInsights = v.InferOutput<typeof consoleInsights>

const consoleReview = v.object({
  id: v.string(),
  source,
  /** For a custom source, the platform that its metadata names. */
  platform: v.nullable(v.string()),
  rating: v.nullable(v.number()),
  text: v.string(),
  author_name: v.nullable(v.string()),
  occurred_at: v.nullable(v.string()),
  hidden: v.boolean(),
  status: reviewStatus,
  sentiment: v.nullable(sentiment),
  /** Number of its hidden excerpts. */
  hidden_excerpts: count,
})
export type ConsoleReview = v.InferOutput<typeof consoleReview>

export const consoleReviews = v.object({
  reviews: v.array(consoleReview),
  /** Cursor of the next page; null on the last. */
  next: v.nullable(v.string()),
  /** The page is incomplete because the scan reached its bound: the rest begins at `next`. */
  broken_off: v.boolean(),
})
export type ConsoleReviews = v.InferOutput<typeof consoleReviews>

const consoleExcerpt = v.object({
  id: v.string(),
  text: v.string(),
  hidden: v.boolean(),
  /** Its own sentiment; null when not classified yet. */
  verdict: v.nullable(sentiment),
})
export type ConsoleExcerpt = v.InferOutput<typeof consoleExcerpt>

export const consolePageText = v.object({
  url: v.string(),
  origin: v.string(),
  /** The queries that the snippet would send on that page: the second only if nothing fits the first. */
  queries: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(2)),
})
export type ConsolePageText = v.InferOutput<typeof consolePageText>
