import type { QueryRequest, QueryResult } from '../../src/contract/query.ts'
import type { Environment } from '../../src/contract/review.ts'
import type { Log } from '../deps.ts'
import { createToneReader } from '../sentiment/classifier.ts'
import type { ToneReader } from '../sentiment/sentiment.ts'
import type { Project } from '../sql/projects/projects.ts'
import type { Scope } from '../sql/scope.ts'
import { cacheKey, type ResultCache, type SearchOutcome } from './cache.ts'
import type { CandidateQuery, ModelDeps, SearchDepth } from './candidates.ts'
import { compareLanguages, createKnownLanguages, type KnownLanguages } from './language-penalty.ts'
import type { SearchMemory } from './memory/search-memory.ts'
import { policyOf, thresholdsOf } from './policy.ts'
import { createUsedUp, QueryCharge, QuotaUsedUp, type UsedUp } from './query-charge.ts'
import { CANDIDATE_LIMIT, isSettled, type Penalty, passes, rank } from './rank.ts'
import { matched, unmatched } from './results.ts'
import { createKnownExcerpts, createSecondLook, type KnownExcerpts } from './second-look.ts'
import { fetchExcerpts, fetchNewest } from './sql/excerpt-rows.ts'
import { findCandidates } from './sql/find-candidates.ts'
import {
  createKnownStems,
  findWordForms,
  type KnownStems,
  knownWordForms,
  rememberStems,
  wordFormsColumn,
} from './sql/word-forms.ts'
import { queryWords } from './words.ts'

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

interface Deps extends SearchDeps {
  known: KnownLanguages
  read: KnownExcerpts
  tone: ToneReader
  stems: KnownStems
  usedUp: UsedUp
}

type Computed = { ok: true; found: SearchOutcome } | Extract<SearchAnswer, { ok: false }>

/**
 * The search use-case. A cached answer counts nothing. Equal requests that miss at the same time share one computation
 * and one charge: the first is the miss, those that wait for it get a hit.
 *
 * The returned function throws {@link EmbeddingUnavailable} when `q` could not be embedded, and whatever the database
 * throws; a query that ends so is not charged.
 */
export function createSearch(given: SearchDeps): Search {
  const deps = {
    ...given,
    known: createKnownLanguages(),
    read: createKnownExcerpts(),
    tone: createToneReader(),
    stems: createKnownStems(),
    usedUp: createUsedUp(),
  }
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

/**
 * An uncached query is charged before it is embedded, so that one over the quota costs no provider anything. Where vectors are
 * made here and nothing else has to be asked, it is charged together with the reading of the rows, in one wait for both.
 */
async function compute(
  deps: Deps,
  { project, env, revision }: SearchContext,
  request: QueryRequest,
  skipQuota: boolean,
): Promise<Computed> {
  const { sql, modelId } = deps
  const scope = { projectId: project.id, env, modelId, revision }
  const words = request.q === undefined ? [] : queryWords(request.q)
  const configs = words.length === 0 ? undefined : await deps.memory?.configs(scope, revision)
  let forms = words.length === 0 ? [] : configs && knownWordForms(deps.stems, configs, words)
  const charge = skipQuota ? undefined : new QueryCharge(deps, project, deps.usedUp)
  try {
    if (!forms) {
      // One round trip for both; forms that the quota makes useless cost a tenth of a millisecond.
      forms = charge ? await charge.pay(wordFormsColumn(sql, scope, words)) : await findWordForms(sql, scope, words)
      rememberStems(deps.stems, forms, words)
    } else if (!deps.embedder.isInstant || charge?.isHopeless) await charge?.pay()
    const query = {
      policy: policyOf(project, request.filters),
      thresholds: thresholdsOf(project.similarityFloor),
      forms,
    }
    const found = await find(deps, scope, query, request, charge)
    await charge?.pay()
    return { ok: true, found }
  } catch (error) {
    if (error instanceof QuotaUsedUp) return { ok: false, code: error.code, retryAfterSeconds: error.retryAfterSeconds }
    await charge?.refund()
    throw error
  }
}

async function find(
  deps: Deps,
  scope: RevisedScope,
  query: Omit<CandidateQuery, 'vector' | 'depth'>,
  request: QueryRequest,
  charge: QueryCharge | undefined,
): Promise<SearchOutcome> {
  const { q } = request
  const newest = () =>
    alongWith(charge, fetchNewest(deps.sql, scope, query.policy, request.limit, request.include_text))
  if (q === undefined) return { match: 'recent', results: (await newest()).map(unmatched) }
  const results = await findMatches(deps, scope, query, { ...request, q }, charge)
  if (results.length > 0) return { match: 'query', results }
  if (request.fallback === 'none') return { match: 'none', results }
  const fallback = (await newest()).map(unmatched)
  return { match: fallback.length > 0 ? 'fallback' : 'none', results: fallback }
}

/** Rows, and the charge with them unless it is paid. */
async function alongWith<Rows>(charge: QueryCharge | undefined, reading: Promise<Rows>): Promise<Rows> {
  const [rows] = await Promise.all([reading, charge?.pay()])
  return rows
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
  charge: QueryCharge | undefined,
): Promise<QueryResult[]> {
  const { sql, embedder, memory } = deps
  const { policy, thresholds } = query
  const [vector] = await embedder.embed([request.q], 'query')
  if (!vector) throw new Error('The embedder returned no vector')
  const onePerReview = request.mode === 'reviews'
  const languages = compareLanguages(request.q, deps)
  const lookAgain = createSecondLook(request.q, { sql, embedder, tone: deps.tone, known: deps.read })
  const depth: SearchDepth = { among: 'nearest', limit: CANDIDATE_LIMIT }
  for (let attempt = 1; ; ) {
    // What was found in memory and has changed since is looked for in the database.
    const { passing, horizon } =
      (attempt === 1 ? await memory?.find(scope, scope.revision, { ...query, vector, depth }) : undefined) ??
      (await findCandidates(sql, scope, { ...query, vector, depth }))
    const options = { limit: request.limit, onePerReview }
    if (horizon !== null && !isSettled(rank(passing, thresholds, options), request.limit, horizon)) {
      depth.among = 'all'
      continue
    }
    if (passing.length === 0) return []
    const { candidates } = await lookAgain(scope, passing, (id, text) => languages.isOther(id, text))
    const looked = candidates.filter((candidate) => passes(candidate, thresholds))
    const rankWith = (penalty?: Penalty) => rank(looked, thresholds, { ...options, penalty })
    let winners = rankWith()
    if (winners.length === 0) return []
    // A few long reviews can fill the lists with their excerpts and leave no place for others.
    if (winners.length < request.limit && looked.length >= depth.limit) {
      depth.limit *= LONGER
      continue
    }
    const fetch = () => alongWith(charge, fetchExcerpts(sql, scope, policy, winners, request.include_text))
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
