import type { QueryRequest } from '../../src/contract/query.ts'
import type { Environment } from '../../src/contract/review.ts'
import type { Log } from '../deps.ts'
import { OtherModelActive, ReviewsReindexing } from '../embed/embedder.ts'
import { createToneReader } from '../sentiment/classifier.ts'
import type { Project } from '../sql/projects/projects.ts'
import { awaitsModel } from '../sql/queue/awaits-model.ts'
import { cacheKey, type ResultCache, type SearchOutcome } from './cache.ts'
import type { CandidateQuery, ModelDeps } from './candidates.ts'
import { findMatches, type MatchDeps, type RevisedScope } from './find-matches.ts'
import { createLanguageCache } from './language-penalty.ts'
import type { SearchMemory } from './memory/search-memory.ts'
import { policyOf, thresholdsOf } from './policy.ts'
import { createExhaustedQuotas, type ExhaustedQuotas, QueryCharge, QuotaExceeded } from './query-charge.ts'
import { unmatched } from './results.ts'
import { createExcerptCache } from './second-look.ts'
import { fetchNewest } from './sql/excerpt-rows.ts'
import {
  cachedWordForms,
  createStemCache,
  findWordForms,
  rememberStems,
  type StemCache,
  wordFormsColumn,
} from './sql/word-forms.ts'
import { readWords } from './words.ts'

export interface SearchDeps extends ModelDeps {
  cache: ResultCache
  log: Log
  /** In-memory indexes; if omitted, the database does all searches. */
  memory?: SearchMemory | undefined
  /** Whether excerpts are still indexed for this server's model; default yes. */
  isModelActive?: (() => boolean) | undefined
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
  /** Not a visitor's search: not counted by insights. */
  skipInsights?: boolean
  /** Does not count against the monthly quota. */
  skipQuota?: boolean
}

export type Search = (context: SearchContext, request: QueryRequest, options: SearchOptions) => Promise<SearchAnswer>

interface Deps extends SearchDeps, Omit<MatchDeps, keyof SearchDeps> {
  stems: StemCache
  exhaustedQuotas: ExhaustedQuotas
}

type Computed = { ok: true; found: SearchOutcome } | Extract<SearchAnswer, { ok: false }>

/**
 * The search use case. A cached answer is not charged. Identical concurrent requests share one computation and one
 * charge: the first is the miss, those that wait for it are hits.
 *
 * The returned function throws `EmbeddingUnavailable` when `q` cannot be embedded, and passes on database errors;
 * a query that fails is not charged.
 */
export function createSearch(given: SearchDeps): Search {
  const deps = {
    ...given,
    languageCache: createLanguageCache(),
    excerptCache: createExcerptCache(),
    tone: createToneReader(),
    stems: createStemCache(),
    exhaustedQuotas: createExhaustedQuotas(),
  }
  const { cache, modelId } = deps
  const running = new Map<string, Promise<Computed>>()

  return async function search(context, request, { bypassCache, skipQuota = false }) {
    const { project, env, revision } = context
    const key = cacheKey({ projectId: project.id, env, revision, modelId, settings: project }, request)
    if (bypassCache) return toAnswer(await computeAndKeep(), 'BYPASS')
    const kept = cache.get(key)
    // Computed before this server knew of the other model: see `find`.
    const isOutdated = kept && matchedNothing(kept) && deps.isModelActive?.() === false
    if (kept && !isOutdated) return { ok: true, cache: 'HIT', ...kept }
    const shared = running.get(key)
    if (shared) {
      const computed = await shared
      // A quota that refused a visitor does not apply to a caller exempt from it.
      if (computed.ok || !skipQuota) return toAnswer(computed, 'HIT')
    }
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

function matchedNothing({ match }: SearchOutcome): boolean {
  return match === 'none' || match === 'fallback'
}

function toAnswer(computed: Computed, cache: 'HIT' | 'MISS' | 'BYPASS'): SearchAnswer {
  return computed.ok ? { ok: true, cache, ...computed.found } : computed
}

/**
 * An uncached query is charged before it is embedded, so that one over the quota costs nothing at a provider. When
 * vectors are computed here and nothing else must be fetched, the charge runs in parallel with the search in memory.
 */
async function compute(
  deps: Deps,
  { project, env, revision }: SearchContext,
  request: QueryRequest,
  skipQuota: boolean,
): Promise<Computed> {
  const { sql, modelId } = deps
  const scope = { projectId: project.id, env, modelId, revision }
  const words = request.q === undefined ? [] : readWords(request.q, deps.embedder.languages)
  const configs = words.length === 0 ? undefined : await deps.memory?.configs(scope, revision)
  let forms = words.length === 0 ? [] : configs && cachedWordForms(deps.stems, configs, words)
  const charge = skipQuota ? undefined : new QueryCharge(deps, project, deps.exhaustedQuotas)
  try {
    if (!forms) {
      // One round trip for both; forms that the quota makes useless cost a tenth of a millisecond.
      forms = charge ? await charge.pay(wordFormsColumn(sql, scope, words)) : await findWordForms(sql, scope, words)
      rememberStems(deps.stems, forms, words)
    } else if (!deps.embedder.isInstant || charge?.isHopeless) await charge?.pay()
    else charge?.begin()
    const query = {
      policy: policyOf(project, request.filters),
      thresholds: thresholdsOf(project.similarityFloor),
      forms,
    }
    const found = await find(deps, scope, query, request)
    await charge?.pay()
    return { ok: true, found }
  } catch (error) {
    if (error instanceof QuotaExceeded)
      return { ok: false, code: error.code, retryAfterSeconds: error.retryAfterSeconds }
    await charge?.refund()
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
  // A server with another model has removed this one's excerpts, so an empty result does not mean that nothing fits.
  if (deps.isModelActive?.() === false) throw new OtherModelActive()
  if (await awaitsModel(deps.sql, scope)) throw new ReviewsReindexing()
  if (request.fallback === 'none') return { match: 'none', results }
  const fallback = (await newest()).map(unmatched)
  return { match: fallback.length > 0 ? 'fallback' : 'none', results: fallback }
}
