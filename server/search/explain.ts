import type { ExplainedExcerpt, Explanation, Removal } from '../../src/contract/explain.ts'
import type { QueryRequest } from '../../src/contract/query.ts'
import type { StoredReview } from '../../src/contract/review.ts'
import type { Doubt } from '../embed/embedder.ts'
import { createToneReader } from '../sentiment/classifier.ts'
import { environmentRevision } from '../sql/excerpts/search-rows.ts'
import type { Scope } from '../sql/scope.ts'
import type { ModelDeps } from './candidates.ts'
import { compareLanguages, createLanguageCache } from './language-penalty.ts'
import type { SearchMemory } from './memory/search-memory.ts'
import { type Policy, policyOf, type Thresholds, thresholdsOf } from './policy.ts'
import { fusedParts, type Penalty, passes, type Ranked, rank } from './rank.ts'
import type { SearchContext } from './search.ts'
import { createExcerptCache, createSecondLook } from './second-look.ts'
import { findCandidates } from './sql/find-candidates.ts'
import { type ScoredExcerpt, scoreExcerpts } from './sql/measure-excerpts.ts'
import { findWordForms } from './sql/word-forms.ts'
import { languagesOf, lexemesOf, type QueryWord, readWords, requiredMatches, type WordForms } from './words.ts'

export type Explain = (
  context: Pick<SearchContext, 'project' | 'env'>,
  request: QueryRequest & { q: string },
  review?: StoredReview,
) => Promise<Explanation>

export interface ExplainDeps extends ModelDeps {
  memory?: Pick<SearchMemory, 'find'> | undefined
}

/** Longer than anyone reads; a review ranked beyond it has a null `place`. */
const RANKING_LENGTH = 1_000

/**
 * Explains why excerpts appear, with the words, candidates and ranking of a search and all their numbers. It is a
 * diagnostic, so it is not cached and does not count against the quota.
 */
export function createExplain({ sql, embedder, modelId, memory }: ExplainDeps): Explain {
  const languageCache = createLanguageCache()
  const excerptCache = createExcerptCache()
  const tone = createToneReader()
  return async function explain({ project, env }, request, review) {
    const scope: Scope = { projectId: project.id, env, modelId }
    const policy = policyOf(project, request.filters)
    const thresholds = thresholdsOf(project.similarityFloor)
    const words = readWords(request.q, embedder.languages)
    const forms = words.length === 0 ? [] : await findWordForms(sql, scope, words)
    const likely = languagesOf(forms)
    const [vector] = await embedder.embed([request.q], 'query', undefined, likely)
    if (!vector) throw new Error('The embedder returned no vector')
    const query = { vector, forms }
    const wanted = { ...query, policy, thresholds, depth: { among: 'all', limit: RANKING_LENGTH } } as const
    const revision = memory && (await environmentRevision(sql, scope))
    const found = (await memory?.find(scope, revision ?? '0', wanted)) ?? (await findCandidates(sql, scope, wanted))
    const lookAgain = createSecondLook(request.q, likely, { sql, embedder, tone, excerptCache })
    const { candidates: passing, doubt } = await lookAgain(scope, found.passing)
    const languages = compareLanguages(request.q, { sql, embedder, languageCache })
    const penalty = await languages.penalty(scope, passing)
    const onePerReview = request.mode === 'reviews'
    const ranking = rank(passing, thresholds, { limit: RANKING_LENGTH, onePerReview, penalty })
    const shown = ranking.slice(0, request.limit)
    const asked: Asked = { words, forms, policy, thresholds, doubt, limit: request.limit }

    const ids = new Set([...shown.map(({ reviewId }) => reviewId), ...(review ? [review.id] : [])])
    const measured = ids.size === 0 ? [] : await scoreExcerpts(sql, scope, query, [...ids])
    const described = new Map(
      measured.map((row) => {
        const other_language = languages.isOther(row.id, row.excerpt)
        const described = describe(row, asked, ranking)
        return [row.id, { ...described, other_language, ...partsOf(ranking[(described.place ?? 0) - 1], penalty) }]
      }),
    )
    const base = {
      words: words.flatMap(({ text, counts }) => (counts ? text : [])),
      off_domain: doubt?.words ?? [],
      floor: thresholds.floor,
      word_tier: thresholds.wordTier,
      min_rating: policy.minRating,
      limit: request.limit,
      results: shown.flatMap(({ id }) => described.get(id) ?? []),
    }
    if (!review) return base
    const excerpts = measured.flatMap((row) => (row.reviewId === review.id ? (described.get(row.id) ?? []) : []))
    const removed = removals(review, excerpts, asked)
    return { ...base, review: { id: review.id, appears: removed.length === 0, removed_by: removed, excerpts } }
  }
}

/** What the query asks for, and what decides who answers it. */
interface Asked {
  words: readonly QueryWord[]
  forms: readonly WordForms[]
  policy: Policy
  thresholds: Thresholds
  doubt: Doubt | undefined
  limit: number
}

function describe(
  row: ScoredExcerpt,
  { words, forms, policy, thresholds, doubt }: Asked,
  ranking: readonly Ranked[],
): Omit<ExplainedExcerpt, 'other_language' | 'coverage' | 'adds'> {
  const form = forms.find(({ config }) => config === row.config)
  const place = ranking.findIndex(({ id }) => id === row.id)
  const cosine = row.measured === null ? null : (doubt?.lessen(row.measured) ?? row.measured)
  const tier =
    cosine === null || !passes({ ...row, cosine }, thresholds) ? 'none' : cosine >= thresholds.floor ? 'floor' : 'words'
  return {
    excerpt_id: row.id,
    review_id: row.reviewId,
    excerpt: row.excerpt,
    cosine,
    sentence: nearestSentence(row),
    words_matched: form
      ? words.flatMap(({ text, counts }, i) =>
          counts && lexemesOf(form, i).some((all) => all.every((lexeme) => row.lexemes.includes(lexeme))) ? text : [],
        )
      : [],
    words_needed: form ? requiredMatches(form) : 0,
    text_rank: ranking[place]?.textRank ?? null,
    passes_by: tier,
    hidden: row.withheld,
    complaint: policy.withoutComplaints && (row.verdict ?? 'negative') === 'negative',
    fused: ranking[place]?.fused ?? null,
    place: place < 0 ? null : place + 1,
  }
}

/** How its cosine became its fused rank; nulls for an excerpt that does not pass. */
function partsOf(ranked: Ranked | undefined, penalty: Penalty): Pick<ExplainedExcerpt, 'coverage' | 'adds'> {
  if (!ranked) return { coverage: null, adds: null }
  const taken = penalty(ranked)
  const { tone, ...added } = fusedParts(ranked)
  const adds = { ...added, tone: tone - taken.tone, language: taken.language === 0 ? 0 : -taken.language }
  return { coverage: ranked.coverage ?? null, adds }
}

/** The sentence whose vector is nearer than the whole excerpt's; null when there is none. */
function nearestSentence({ excerpt, starts, distances, measured }: ScoredExcerpt): string | null {
  if (!starts || !distances || measured === null) return null
  const nearest = distances.findIndex((distance) => distance !== null && 1 - distance === measured)
  return nearest < 0 ? null : excerpt.slice(starts[nearest], starts[nearest + 1]).trim() || null
}

/** Everything that keeps the review out of the results, policy first. */
function removals(review: StoredReview, excerpts: readonly ExplainedExcerpt[], asked: Asked): Removal[] {
  const byPolicy = policyRemovals(review, asked.policy)
  const indexed = excerpts.filter(({ cosine }) => cosine !== null)
  if (indexed.length === 0) return [...byPolicy, { by: 'indexing', message: 'it is not indexed yet' }]
  const shown = indexed.filter(({ hidden, complaint }) => !hidden && !complaint)
  const passing = shown.filter(({ passes_by }) => passes_by !== 'none')
  if (passing.length === 0) return [...byPolicy, whyNonePasses(indexed, shown, asked)]
  const { limit } = asked
  if (byPolicy.length > 0 || passing.some(({ place }) => place !== null && place <= limit)) return byPolicy
  const best = Math.min(...passing.map(({ place }) => place ?? Number.POSITIVE_INFINITY))
  const where = Number.isFinite(best) ? `at place ${best}` : `beyond place ${RANKING_LENGTH}`
  return [{ by: 'limit', message: `it is relevant and stands ${where}, after the ${limit} that were asked for` }]
}

/** Everything about the review itself that the policy leaves out. */
function policyRemovals(review: StoredReview, policy: Policy): Removal[] {
  const found: Removal[] = []
  const add = (by: Removal['by'], message: string) => found.push({ by, message })
  if (review.hidden) add('hidden', 'it is hidden')
  if (review.rating !== null && review.rating < policy.minRating) {
    add('min_rating', `it has ${review.rating} of 5 stars, and ${policy.minRating} are the least that may appear`)
  }
  if (review.rating === null && review.sentiment === 'negative') add('negative', 'it has no stars and reads negative')
  if (policy.sources && !policy.sources.includes(review.source)) {
    add('source', `it comes from ${review.source}, which the source filter leaves out`)
  }
  if (policy.since && (review.occurred_at === null || new Date(review.occurred_at) < policy.since)) {
    add('since', `it is older than ${policy.since.toISOString()}`)
  }
  for (const [key, value] of policy.metadata) {
    if (Object.hasOwn(review.metadata, key) && review.metadata[key] === value) continue
    add('metadata', `its metadata has not ${key}=${value}`)
  }
  return found
}

/** @param shown those that are neither hidden nor left out as complaints */
function whyNonePasses(
  indexed: readonly ExplainedExcerpt[],
  shown: readonly ExplainedExcerpt[],
  asked: Asked,
): Removal {
  const held = indexed.find((each) => !shown.includes(each) && (shown.length === 0 || each.passes_by !== 'none'))
  if (!held) return { by: 'relevance', message: irrelevance(shown, asked) }
  if (held.hidden) return { by: 'excerpt_hidden', message: 'the excerpt that would appear was hidden' }
  return { by: 'complaint', message: 'the excerpt that would appear reads as a complaint, and the project shows none' }
}

/** Why none of the excerpts is a match, told by the nearest one. */
function irrelevance(excerpts: readonly ExplainedExcerpt[], { thresholds, doubt }: Asked): string {
  const [nearest] = excerpts
  const cosine = nearest?.cosine ?? 0
  const to = (value: number) => value.toFixed(3)
  const lessened = doubt
    ? `, lessened because no excerpt near the query says what it is about (${doubt.words.join(', ')})`
    : ''
  if (cosine < thresholds.wordTier) {
    return `its nearest excerpt has a cosine of ${to(cosine)}${lessened}, below the floor ${thresholds.floor} and the word tier ${thresholds.wordTier}`
  }
  const { words_matched, words_needed } = nearest ?? { words_matched: [], words_needed: 0 }
  const words =
    words_needed === 0
      ? 'the query has no words that count'
      : `it has ${words_matched.length} of ${words_needed} words needed`
  return `its nearest excerpt has a cosine of ${to(cosine)}${lessened}, below the floor ${thresholds.floor}; the word tier ${thresholds.wordTier} does not help, since ${words}`
}
