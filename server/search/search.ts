import { PLAN_LIMITS } from '../../src/contract/limits.ts'
import type { QueryRequest, QueryResult } from '../../src/contract/query.ts'
import type { Environment } from '../../src/contract/review.ts'
import type { Log } from '../deps.ts'
import type { Project } from '../sql/projects/projects.ts'
import type { Scope } from '../sql/scope.ts'
import { chargeQuery, refundQuery } from '../sql/usage/query-usage.ts'
import { cacheKey, type ResultCache, type SearchOutcome } from './cache.ts'
import type { CandidateQuery, ModelDeps, SearchDepth } from './candidates.ts'
import { compareLanguages, createKnownLanguages, type KnownLanguages } from './language-penalty.ts'
import type { SearchMemory } from './memory/search-memory.ts'
import { policyOf, type Thresholds, thresholdsOf } from './policy.ts'
import { apiScore, CANDIDATE_LIMIT, isSettled, type Penalty, type Ranked, rank } from './rank.ts'
import { createKnownWords, createSecondLook, type KnownWords } from './second-look.ts'
import { type ExcerptRow, fetchExcerpts, fetchNewest } from './sql/excerpt-rows.ts'
import { findCandidates } from './sql/find-candidates.ts'
import {
  createKnownStems,
  findWordForms,
  type KnownStems,
  knownWordForms,
  rememberStems,
  wordFormsColumn,
} from './sql/word-forms.ts'
import { queryWords, type WordForms } from './words.ts'

export interface SearchDeps extends ModelDeps {
  cache: ResultCache
  log: Log
  /** Vectors in memory; by default the database compares. */
  memory?: SearchMemory | undefined
}

export interface SearchContext {
  project: Pick<Project, 'id' | 'plan' | 'similarityFloor' | 'minRating' | 'excerpts'>
  env: Environment
  /** The environment's revision, read before the search. */
  revision: string
}

export type SearchAnswer =
  | ({ ok: true; cache: 'HIT' | 'MISS' | 'BYPASS' } & SearchOutcome)
  | { ok: false; code: 'query_quota_exceeded'; retryAfterSeconds: number }

export interface SearchOptions {
  bypassCache: boolean
  /** Not a visitor's search: insights leave it out. */
  skipInsights?: boolean
  /** Nor does it count against the month's quota. */
  skipQuota?: boolean
}

export type Search = (context: SearchContext, request: QueryRequest, options: SearchOptions) => Promise<SearchAnswer>

/** An environment as it is at a revision or later. */
type RevisedScope = Scope & { revision: string }

type Deps = SearchDeps & { known: KnownLanguages; words: KnownWords; stems: KnownStems }

type Computed = { ok: true; found: SearchOutcome } | Extract<SearchAnswer, { ok: false }>

/**
 * The search use-case. A cached answer counts nothing. Equal requests that miss at the same time share one computation
 * and one charge: the first is the miss, those that wait for it get a hit.
 *
 * The returned function throws {@link EmbeddingUnavailable} when `q` could not be embedded, and whatever the database
 * throws; a query that ends so is not charged.
 */
export function createSearch(given: SearchDeps): Search {
  const deps = { ...given, known: createKnownLanguages(), words: createKnownWords(), stems: createKnownStems() }
  const { cache, modelId } = deps
  const running = new Map<string, Promise<Computed>>()

  return async function search(context, request, { bypassCache, skipQuota = false }) {
    const { project, env, revision } = context
    const key = cacheKey({ projectId: project.id, env, revision, modelId, settings: project }, request)
    if (bypassCache) return toAnswer(await computeAndKeep(), 'BYPASS')
    const kept = cache.get(key)
    if (kept) return { ok: true, cache: 'HIT', ...kept }
    const shared = running.get(key)
    if (shared) return toAnswer(await shared, 'HIT')
    const computation = computeAndKeep().finally(() => running.delete(key))
    running.set(key, computation)
    return toAnswer(await computation, 'MISS')

    async function computeAndKeep(): Promise<Computed> {
      const computed = await compute(deps, context, request, skipQuota)
      if (computed.ok) cache.set(key, computed.found)
      return computed
    }
  }
}

function toAnswer(computed: Computed, cache: 'HIT' | 'MISS' | 'BYPASS'): SearchAnswer {
  return computed.ok ? { ok: true, cache, ...computed.found } : computed
}

/** An uncached query: charged first, so that one over the quota costs no embedding. */
async function compute(
  deps: Deps,
  { project, env, revision }: SearchContext,
  request: QueryRequest,
  skipQuota: boolean,
): Promise<Computed> {
  const { sql, modelId, log } = deps
  const scope = { projectId: project.id, env, modelId, revision }
  const words = request.q === undefined ? [] : queryWords(request.q)
  const policy = policyOf(project, request.filters)
  const thresholds = thresholdsOf(project.similarityFloor)
  const found = (asked: readonly WordForms[] = []) => {
    rememberStems(deps.stems, asked, words)
    return find(deps, scope, { policy, thresholds, forms: known ?? asked }, request)
  }
  const configs = deps.memory?.configs(scope, revision)
  const known = words.length === 0 ? [] : configs && knownWordForms(deps.stems, configs, words)
  if (skipQuota) return { ok: true, found: await found(known ? undefined : await findWordForms(sql, scope, words)) }
  const quota = PLAN_LIMITS[project.plan].uncachedQueriesPerMonth
  // One round trip for both; forms that the quota makes useless cost a tenth of a millisecond.
  const spent = await chargeQuery(sql, project.id, quota, known ? undefined : wordFormsColumn(sql, scope, words))
  if (!spent.ok) return { ok: false, code: 'query_quota_exceeded', retryAfterSeconds: spent.retryAfterSeconds }
  try {
    return { ok: true, found: await found(spent.beside) }
  } catch (error) {
    await refundQuery(sql, project.id, spent.month).catch(() => {
      log.warn({ project: project.id }, 'a failed query could not be taken off the quota')
    })
    throw error
  }
}

async function find(
  deps: Deps,
  scope: RevisedScope,
  query: Omit<CandidateQuery, 'vector' | 'depth'>,
  request: QueryRequest,
): Promise<SearchOutcome> {
  const { q } = request
  const newest = () => fetchNewest(deps.sql, scope, query.policy, request.limit, request.include_text)
  if (q === undefined) return { match: 'recent', results: (await newest()).map(unmatched) }
  const results = await findMatches(deps, scope, query, { ...request, q })
  if (results.length > 0) return { match: 'query', results }
  if (request.fallback === 'none') return { match: 'none', results }
  const fallback = (await newest()).map(unmatched)
  return { match: fallback.length > 0 ? 'fallback' : 'none', results: fallback }
}

/** Tries, when every winner of a search was changed or hidden before its row could be read. */
const ATTEMPTS = 3
/** How much longer the lists become when they hold too few different reviews. */
const LONGER = 8

async function findMatches(
  deps: Deps,
  scope: RevisedScope,
  query: Omit<CandidateQuery, 'vector' | 'depth'>,
  request: QueryRequest & { q: string },
): Promise<QueryResult[]> {
  const { sql, embedder, memory } = deps
  const { policy, thresholds } = query
  const [vector] = await embedder.embed([request.q], 'query')
  if (!vector) throw new Error('The embedder returned no vector')
  const onePerReview = request.mode === 'reviews'
  const languages = compareLanguages(request.q, deps)
  const lookAgain = createSecondLook(request.q, { sql, embedder, known: deps.words })
  const depth: SearchDepth = { among: 'nearest', limit: CANDIDATE_LIMIT }
  for (let attempt = 1; ; ) {
    // What was found in memory and has changed since is looked for in the database.
    const { passing, horizon } =
      (attempt === 1 ? await memory?.find(scope, scope.revision, { ...query, vector, depth }) : undefined) ??
      (await findCandidates(sql, scope, { ...query, vector, depth }))
    const options = { limit: request.limit, onePerReview }
    if (!isSettled(rank(passing, thresholds, options), request.limit, horizon)) {
      depth.among = 'all'
      continue
    }
    if (passing.length === 0) return []
    const looked = await lookAgain(scope, passing, (id, text) => languages.isOther(id, text))
    const rankWith = (penalty?: Penalty) => rank(looked, thresholds, { ...options, penalty })
    let winners = rankWith()
    // A few long reviews can fill the lists with their excerpts and leave no place for others.
    if (winners.length < request.limit && passing.length >= depth.limit) {
      depth.limit *= LONGER
      continue
    }
    const fetch = () => fetchExcerpts(sql, scope, policy, winners, request.include_text)
    // Only what loses by its language can give its place to another.
    const page = winners.length < request.limit ? [] : winners
    const byLanguage = async () => rankWith(await languages.penalty(scope, looked, page))
    const known = winners.some(({ id }) => languages.isOther(id))
    if (known) winners = await byLanguage()
    let rows = await fetch()
    if (!known && rows.some(({ id, excerpt }) => languages.isOther(id, excerpt))) {
      winners = await byLanguage()
      rows = await fetch()
    }
    if (rows.length > 0 || attempt++ === ATTEMPTS) return rows.map((row) => matched(row, winners, thresholds))
  }
}

function matched(row: ExcerptRow, winners: readonly Ranked[], thresholds: Thresholds): QueryResult {
  const winner = winners.find(({ id }) => id === row.id)
  if (!winner) throw new Error('A row was read that nobody asked for')
  const { from, text } = shownText(row)
  // Of a review of which a part may not appear, the excerpt may be all that is left.
  const isAll = row.whole || text === row.excerpt
  const highlight = isAll ? null : { start: row.start - from, end: row.end - from }
  return { ...unmatched(row), score: apiScore(winner.cosine, thresholds), matched: true, highlight }
}

function unmatched(row: ExcerptRow): QueryResult {
  const { text } = shownText(row)
  return {
    score: null,
    matched: false,
    excerpt: row.excerpt,
    excerpt_id: row.id,
    highlight: null,
    review: {
      id: row.reviewId,
      rating: row.rating,
      author_name: row.authorName,
      author_avatar_url: row.authorAvatarUrl,
      source: row.source,
      occurred_at: row.occurredAt?.toISOString() ?? null,
      url: row.url,
      metadata: row.metadata,
      ...(text === undefined ? {} : { text }),
    },
  }
}

/**
 * The part of a review's text around its excerpt in which nothing was hidden or is a complaint that may not appear: all
 * of it, as a rule. What an operator has hidden is in no answer, in whatever way it is asked for.
 *
 * @returns where it begins in the whole text; `text` is undefined where none was asked for
 */
function shownText({ text, from, to }: ExcerptRow): { from: number; text: string | undefined } {
  if (text === null) return { from, text: undefined }
  if (from === 0 && to === null) return { from, text }
  const part = text.slice(from, to ?? text.length)
  const begun = part.trimStart()
  return { from: from + part.length - begun.length, text: begun.trimEnd() }
}
