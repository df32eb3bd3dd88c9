import type { QueryRequest, QueryResult } from '../../src/contract/query.ts'
import type { ToneReader } from '../sentiment/sentiment.ts'
import type { Scope } from '../sql/scope.ts'
import type { CandidateQuery, ModelDeps, SearchDepth } from './candidates.ts'
import { compareLanguages, type LanguageCache } from './language-penalty.ts'
import type { SearchMemory } from './memory/search-memory.ts'
import { CANDIDATE_LIMIT, isSettled, type Penalty, passes, rank } from './rank.ts'
import { matched } from './results.ts'
import { createSecondLook, type ExcerptCache } from './second-look.ts'
import { fetchExcerpts } from './sql/excerpt-rows.ts'
import { findCandidates } from './sql/find-candidates.ts'
import { languagesOf } from './words.ts'

export interface MatchDeps extends ModelDeps {
  memory?: SearchMemory | undefined
  languageCache: LanguageCache
  excerptCache: ExcerptCache
  tone: ToneReader
}

/** An environment at this revision or later. */
export type RevisedScope = Scope & { revision: string }

/** Attempts when every winner was changed or hidden before its row could be read. */
const ATTEMPTS = 3
/** Factor by which the candidate list grows when it holds too few different reviews. */
const LONGER = 8

/** The results of a query with text, in rank order and under the policy; empty when nothing passes the floor. */
export async function findMatches(
  deps: MatchDeps,
  scope: RevisedScope,
  query: Omit<CandidateQuery, 'vector' | 'depth'>,
  request: QueryRequest & { q: string },
): Promise<QueryResult[]> {
  const { sql, embedder, memory } = deps
  const { policy, thresholds } = query
  const onePerReview = request.mode === 'reviews'
  const languages = compareLanguages(request.q, deps)
  const likely = languagesOf(query.forms)
  const lookAgain = createSecondLook(request.q, likely, deps)
  const [vector] = await embedder.embed([request.q], 'query', undefined, likely)
  if (!vector) throw new Error('The embedder returned no vector')
  const depth: SearchDepth = { among: 'nearest', limit: CANDIDATE_LIMIT }
  for (let attempt = 1; ; ) {
    const wanted = { ...query, vector, depth }
    // A retry means that what memory found has changed since, so it asks the database.
    const { passing, horizon } =
      (attempt === 1 ? await memory?.find(scope, scope.revision, wanted) : undefined) ??
      (await findCandidates(sql, scope, wanted))
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
    // A few long reviews can fill the list with their excerpts and crowd out others.
    if (winners.length < request.limit && looked.length >= depth.limit) {
      depth.limit *= LONGER
      continue
    }
    const fetch = () => fetchExcerpts(sql, scope, policy, winners, request.include_text)
    // Only an excerpt that the language penalty demotes can give its place to another.
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
