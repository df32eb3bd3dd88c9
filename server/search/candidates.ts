/**
 * All SQL of a search. Policy and filters stand in every statement, so that what may not appear never leaves the
 * database.
 *
 * Statements whose best plan depends on the project are not prepared: a prepared one gets a generic plan after five
 * runs, and then a small project may pay for a scan of its large neighbour, or a large one for a walk of its index.
 * postgres.js prepares every tagged query, so these are composed as text; a value stands in it only as a placeholder.
 */
import type { Metadata } from '../../src/contract/metadata.ts'
import type { Environment, Source } from '../../src/contract/review.ts'
import type { Sql } from '../deps.ts'
import { MOST_SENTENCES } from '../store/save-excerpts.ts'
import { vectorText } from '../store/vector-text.ts'
import type { NearExcerpt } from './memory/nearest-excerpts.ts'
import type { Bars, Policy } from './policy.ts'
import { type Candidate, NEAREST, RARITY, TEXT_WEIGHT } from './rank.ts'
import { distinctStems, halfOf, type QueryWord, type WordForms } from './words.ts'

/** Whose excerpts are searched. */
export interface Scope {
  projectId: string
  env: Environment
  /** Vectors of another model are never compared. */
  modelId: number
}

/** An excerpt and its review, as a result shows them. */
export interface ExcerptRow {
  id: string
  excerpt: string
  /** UTF-16 offsets into the review's text, end exclusive. */
  start: number
  end: number
  /** Whether the excerpt is the whole review. */
  whole: boolean
  reviewId: string
  rating: number | null
  authorName: string | null
  authorAvatarUrl: string | null
  source: Source
  occurredAt: Date | null
  url: string | null
  metadata: Metadata
  /** The review's text; null when it was not asked for. */
  text: string | null
}

/**
 * Stems the words of a query with every text-search configuration that the scope's excerpts use. Which ones those are
 * is read from an index by jumping from one to the next, about 0.02 ms each.
 */
export async function findWordForms(sql: Sql, scope: Scope, words: readonly QueryWord[]): Promise<WordForms[]> {
  const excerpts = sql`
    excerpts where project_id = ${scope.projectId} and env = ${scope.env} and embedding_model_id = ${scope.modelId}`
  const rows = await sql<Omit<WordForms, 'counts'>[]>`
    with recursive used (config) as (
      (select search_config from ${excerpts} order by search_config limit 1)
      union all
      select (select search_config from ${excerpts} and search_config > used.config order by search_config limit 1)
      from used where used.config is not null
    )
    select config, array(
      select coalesce((tsvector_to_array(excerpt_lexemes(config::regconfig, word)))[1], '')
      from unnest(${words.map(({ text }) => text)}::text[]) with ordinality as query (word, position) order by position
    ) as stems
    from used where config is not null`
  return rows.map((row) => ({ ...row, counts: words.map(({ counts }) => counts) }))
}

/** How far a statement looks, and how much of what it finds comes back. */
export interface Reach {
  /** `nearest`: only at the {@link NEAREST} excerpts by cosine. `all`: at every excerpt from the word tier up. */
  among: 'nearest' | 'all'
  /** Most candidates to return, the best by the fused rank. */
  listLength: number
}

export interface Candidates {
  /** Those that pass the bars, best first. */
  passing: Candidate[]
  /** No excerpt that was not looked at has a higher cosine than this. Null when nothing was left out that could pass. */
  horizon: number | null
}

/**
 * The excerpts that pass the bars, the first by the fused rank (see `fuse`).
 *
 * One exact pass over the scope's vectors. Words are looked at only in the nearest excerpts, which is what makes a query
 * cost hardly more than the pass: of 241,000 excerpts 5,000 to 150,000 reach the word tier, and asking each of them for
 * each word cost as much again. Among all, words are looked at wherever the cosine reaches the word tier. A word weighs
 * the same either way: its rarity is that among the nearest.
 */
export async function findCandidates(
  sql: Sql,
  scope: Scope,
  query: { vector: Float32Array; forms: readonly WordForms[] },
  policy: Policy,
  bars: Bars,
  reach: Reach,
  fromMemory?: readonly NearExcerpt[],
): Promise<Candidates> {
  if (fromMemory && !hasWords(query.forms)) return withoutWords(fromMemory, bars, reach)
  const { values, bind } = parameters()
  const words = wordMatches(bind, query.forms)
  const floor = `${bind(bars.floor)}::float8`
  const farthest = () => `${bind(farthestOf(query.forms, bars))}::float8`
  const has = words.each.map((_, i) => `has_${i}`)
  const weights = has.map((word, i) => {
    const count = `count(*) filter (where ${word})`
    return `power(ln(1 + (count(*) - ${count} + 0.5) / (${count} + 0.5)), ${RARITY})::float8 as weight_${i}`
  })
  const sum = (terms: string[]) => (terms.length === 0 ? '0' : terms.join(' + '))
  const rank = `nullif((${sum(has.map((word, i) => `case when ${word} then weight_${i} else 0 end`))})
    / nullif(${sum(has.map((_, i) => `weight_${i}`))}, 0), 0)`
  const best = `cosine + ${TEXT_WEIGHT} * coalesce("textRank", 0) desc, cosine desc, "reviewId", ordinal`
  function nearFromTable(): string {
    const distance = distanceTo(bind, query.vector, scope.modelId)
    return `select e.id, e.review_id, e.ordinal, e.search_config, e.lexemes, ${distance} as distance
      from excerpts e
      where ${publishable(bind, scope, policy)} and e.embedding_model_id = ${bind(scope.modelId)}::int
        -- Of the distance, because the cosine of a null vector is NaN and that is greater than any number.
        and ${distance} <= ${farthest()}
      ${reach.among === 'all' ? '' : `order by distance, e.review_id, e.ordinal limit ${NEAREST}`}`
  }
  // The ids, because an excerpt may have changed since: what it has become was not compared.
  function nearFromMemory(): string {
    const keys = (fromMemory ?? []).map(({ reviewId }) => reviewId)
    return `select e.id, e.review_id, e.ordinal, e.search_config, e.lexemes, wanted.distance
      from unnest(${bind(keys)}::uuid[], ${bind((fromMemory ?? []).map(({ ordinal }) => ordinal))}::int[],
        ${bind((fromMemory ?? []).map(({ id }) => id))}::uuid[],
        ${bind((fromMemory ?? []).map(({ distance }) => distance))}::float8[]) as wanted (review_id, ordinal, id, distance)
      join excerpts e on e.review_id = wanted.review_id and e.ordinal = wanted.ordinal and e.id = wanted.id
      where ${publishable(bind, scope, policy)} and e.embedding_model_id = ${bind(scope.modelId)}::int`
  }
  const rows = await sql.unsafe<(Candidate & { looked: number; farthest: number | null })[]>(
    `with near as (${fromMemory ? nearFromMemory() : nearFromTable()}),
    worded as materialized (
      select e.id, e.review_id, e.ordinal, 1 - e.distance as cosine, ${words.needed} as needed
        ${words.each.map((match, i) => `, ${match} as ${has[i]}`).join('')}
      from near e
    ),
    nearest as (select * from worded order by cosine desc, review_id, ordinal limit ${NEAREST}),
    weighed as (
      select count(*)::int as looked, min(cosine) as farthest ${weights.map((weight) => `, ${weight}`).join('')} from nearest
    ),
    ranked as (
      select id, review_id as "reviewId", ordinal, cosine, ${words.half(has)} as "matchesHalf", ${rank}::float8 as "textRank"
      from worded, weighed
    ),
    passing as (
      select * from ranked where cosine >= ${floor} or "matchesHalf"
      order by ${best}
      limit ${bind(reach.listLength)}::int
    )
    select passing.*, looked, farthest from weighed left join passing on true
    order by ${best}`,
    values,
    UNPREPARED,
  )
  const [first] = rows
  const cut = reach.among === 'nearest' && (fromMemory?.length ?? first?.looked) === NEAREST
  // Without a candidate there is one row, of the summary alone.
  const passing = rows.flatMap(({ looked, farthest, ...row }) => (row.id === null ? [] : [row]))
  return { passing, horizon: cut ? (first?.farthest ?? 1) : null }
}

/** The largest distance at which an excerpt may pass. */
export function farthestOf(forms: readonly WordForms[], bars: Bars): number {
  return 1 - (hasWords(forms) ? bars.wordTier : bars.floor)
}

function hasWords(forms: readonly WordForms[]): boolean {
  return forms.some((form) => distinctStems(form).some((stem) => stem !== ''))
}

/** What the statement would answer for a query whose words no configuration keeps. */
function withoutWords(near: readonly NearExcerpt[], bars: Bars, { listLength }: Reach): Candidates {
  const passing = near.map(({ distance, ...key }) => ({
    ...key,
    cosine: 1 - distance,
    matchesHalf: false,
    textRank: null,
  }))
  const horizon = near.length === NEAREST ? (passing.at(-1)?.cosine ?? null) : null
  return { passing: passing.filter(({ cosine }) => cosine >= bars.floor).slice(0, listLength), horizon }
}

/** The rows of these excerpts, in order, without those that have changed or may not appear any more. */
export async function fetchExcerpts(
  sql: Sql,
  scope: Scope,
  policy: Policy,
  keys: readonly Pick<Candidate, 'id' | 'reviewId' | 'ordinal'>[],
  withText: boolean,
): Promise<ExcerptRow[]> {
  const { values, bind } = parameters()
  const reviewIds = bind(keys.map((key) => key.reviewId))
  const ordinals = bind(keys.map((key) => key.ordinal))
  const ids = bind(keys.map((key) => key.id))
  const rows = await sql.unsafe<ExcerptRow[]>(
    `select ${columns(withText)}
    from unnest(${reviewIds}::uuid[], ${ordinals}::int[], ${ids}::uuid[])
      with ordinality as wanted (review_id, ordinal, id, position)
    join excerpts e on e.review_id = wanted.review_id and e.ordinal = wanted.ordinal and e.id = wanted.id
    join reviews review on review.project_id = e.project_id and review.id = e.review_id
    where ${publishable(bind, scope, policy)}
    order by wanted.position`,
    values,
    UNPREPARED,
  )
  return [...rows]
}

/** An excerpt with everything that decides its rank, whether or not it may appear. */
export interface Measured extends Omit<Candidate, 'textRank'> {
  excerpt: string
  /** Where the sentences with vectors of their own begin in the excerpt; null when there are none. */
  starts: number[] | null
  /** The cosine distances of those sentences, null beyond them. */
  distances: (number | null)[] | null
  /** Null when its vector is of another model. */
  measured: number | null
  config: string
  lexemes: string[]
}

/** All excerpts of these reviews, without policy and bars: what an explanation is made of. */
export async function measureExcerpts(
  sql: Sql,
  scope: Scope,
  query: { vector: Float32Array; forms: readonly WordForms[] },
  reviewIds: readonly string[],
): Promise<Measured[]> {
  const { values, bind } = parameters()
  const cosine = `1 - ${distanceTo(bind, query.vector, scope.modelId)}`
  const words = wordMatches(bind, query.forms)
  const rows = await sql.unsafe<Measured[]>(
    `select e.id, e.review_id as "reviewId", e.ordinal, e.text as excerpt, e.sentence_starts as starts, ${cosine} as measured,
      ${sentenceDistances(bind, query.vector, scope.modelId)} as distances,
      coalesce(${cosine}, 0) as cosine, ${words.half(words.each.map((_, i) => `e.has_${i}`))} as "matchesHalf",
      e.search_config as config, tsvector_to_array(e.lexemes) as lexemes
    from (
      -- All words, also those that do not count: PostgreSQL refuses a parameter that the statement does not mention.
      select e.*, ${words.needed} as needed ${words.each.map((match, i) => `, ${match} as has_${i}`).join('')}
      from excerpts e
    ) e
    where e.project_id = ${bind(scope.projectId)}::uuid and e.env = ${bind(scope.env)}::text
      and e.review_id = any (${bind(reviewIds)}::uuid[])
    order by measured desc nulls last, e.review_id, e.ordinal`,
    values,
    UNPREPARED,
  )
  return [...rows]
}

/** The newest publishable reviews, one row each, by their first excerpt. */
export async function fetchNewest(
  sql: Sql,
  scope: Scope,
  policy: Policy,
  limit: number,
  withText: boolean,
): Promise<ExcerptRow[]> {
  const { values, bind } = parameters()
  const rows = await sql.unsafe<ExcerptRow[]>(
    `with newest as materialized (
      select e.* from excerpts e where ${publishable(bind, scope, policy)} and e.ordinal = 0
      order by e.occurred_at desc nulls last, e.review_id desc limit ${bind(limit)}::int
    )
    select ${columns(withText)}
    from newest e
    join reviews review on review.project_id = ${bind(scope.projectId)}::uuid and review.id = e.review_id
    order by e.occurred_at desc nulls last, e.review_id desc`,
    values,
    UNPREPARED,
  )
  return [...rows]
}

/**
 * The distance of `excerpts e`: the least of its own vector's and its sentences'. A sentence that it has not got is null,
 * and so is its distance, which `least` passes over.
 */
function distanceTo(bind: Bind, query: Float32Array, modelId: number): string {
  const vector = `${bind(vectorText(query))}::text::vector`
  const sentences = Array.from({ length: MOST_SENTENCES }, (_, i) => `e.sentences[${i + 1}] <=> ${vector}`)
  // Vectors of two models may differ in length, which pgvector refuses: only a case is sure to be evaluated in order.
  return `case when e.embedding_model_id = ${bind(modelId)}::int
    then case when e.sentences is null then e.embedding <=> ${vector}
      else least(e.embedding <=> ${vector}, ${sentences.join(', ')}) end end`
}

/** The distance of each sentence of `excerpts e`, as an array. */
function sentenceDistances(bind: Bind, query: Float32Array, modelId: number): string {
  const vector = `${bind(vectorText(query))}::text::vector`
  const sentences = Array.from({ length: MOST_SENTENCES }, (_, i) => `e.sentences[${i + 1}] <=> ${vector}`)
  return `case when e.embedding_model_id = ${bind(modelId)}::int and e.sentences is not null
    then array[${sentences.join(', ')}] end`
}

type Value = string | number | readonly string[] | readonly number[]
type Bind = (value: Value) => string
const UNPREPARED = { prepare: false }

/** The values of one statement; `bind` keeps a value and returns the placeholder that stands for it. */
function parameters(): { values: Value[]; bind: Bind } {
  const values: Value[] = []
  return { values, bind: (value) => `$${values.push(value)}` }
}

/** The condition on `excerpts e` that the project's policy and the request's filters make. */
function publishable(bind: Bind, { projectId, env }: Scope, policy: Policy): string {
  const conditions = [
    `e.project_id = ${bind(projectId)}::uuid and e.env = ${bind(env)}::text and not e.hidden`,
    `(e.rating >= ${bind(policy.minRating)}::int or (e.rating is null and e.sentiment <> 'negative'))`,
  ]
  if (policy.sources) conditions.push(`e.source = any (${bind(policy.sources)}::text[])`)
  if (policy.since) conditions.push(`e.occurred_at >= ${bind(policy.since.toISOString())}::text::timestamptz`)
  if (policy.metadata.length > 0) {
    const pairs = bind(JSON.stringify(Object.fromEntries(policy.metadata)))
    conditions.push(`exists (select from reviews r
      where r.project_id = e.project_id and r.id = e.review_id and r.metadata @> ${pairs}::text::jsonb)`)
  }
  return conditions.join(' and ')
}

/** Conditions on the words of `excerpts e`, each row with the stems of its own configuration. */
interface WordMatches {
  /** One condition for each of the words that some row's configuration does not leave out. */
  each: string[]
  /** How many of those that count make half of them, 0 for none. */
  needed: string
  /** Whether half of them are there, told by `needed` and the results of `each`. */
  half(has: readonly string[]): string
}

/** The row's `search_config` picks what stands for it; with one configuration, as nearly all projects have, nothing to pick. */
function wordMatches(bind: Bind, every: readonly WordForms[]): WordMatches {
  const forms = every.map((form) => ({ ...form, stems: distinctStems(form) }))
  const positions = (forms[0]?.stems ?? []).flatMap((_, i) => (forms.some(({ stems }) => stems[i] !== '') ? [i] : []))
  if (positions.length === 0) return { each: [], needed: '0', half: () => 'false' }
  // A value that the statement does not mention is refused by PostgreSQL, so the only configuration stands nowhere.
  const configs = forms.length === 1 ? [] : forms.map(({ config }) => `${bind(config)}::text`)
  const pick = (of: readonly string[]) =>
    of.length === 1
      ? of[0]
      : `case e.search_config ${of.map((one, i) => `when ${configs[i]} then ${one}`).join(' ')} end`
  const each = positions.map((i) => {
    const matches = forms.map((form) => `e.lexemes @@ ${bind(quoted(form.stems[i] ?? ''))}::text::tsquery`)
    return `coalesce(${pick(matches)}, false)`
  })
  const needed = pick(forms.map((form) => `${bind(halfOf(form))}::int`)) ?? '0'
  const counted = positions.flatMap((position, i) => (every[0]?.counts[position] ? [i] : []))
  return {
    each,
    needed,
    half(has) {
      if (counted.length === 0) return 'false'
      return `coalesce(needed > 0 and ${counted.map((i) => `(${has[i]})::int`).join(' + ')} >= needed, false)`
    },
  }
}

/** A tsquery that matches the stem; one for nothing matches nothing. */
function quoted(stem: string): string {
  return stem === '' ? '' : `'${stem.replace(/['\\]/g, '$&$&')}'`
}

function columns(withText: boolean): string {
  return `e.id, e.text as excerpt, e.start_offset as start, e.end_offset as end, e.text = review.text as whole,
    review.id as "reviewId", review.rating, review.author_name as "authorName",
    review.author_avatar_url as "authorAvatarUrl", review.source, review.occurred_at as "occurredAt", review.url,
    review.metadata, ${withText ? 'review.text' : 'null'} as text`
}
