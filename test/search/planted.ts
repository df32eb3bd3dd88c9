import { randomUUID } from 'node:crypto'
import type { Pool } from '../../server/deps.ts'
import type { Embedder } from '../../server/embed/embedder.ts'
import { createResultCache, type ResultCache } from '../../server/search/cache.ts'
import type { SearchMemory } from '../../server/search/memory/search-memory.ts'
import { createSearch, type Search, type SearchContext } from '../../server/search/search.ts'
import { textSearchConfig } from '../../server/sql/excerpts/text-config.ts'
import { parseQueryBody } from '../../src/contract/parse-query.ts'
import type { QueryRequest } from '../../src/contract/query.ts'
import type { Environment, Source } from '../../src/contract/review.ts'
import { openTestDatabase, silent, type TestDatabase } from '../database.ts'
import { suite } from '../suite.ts'

type PlantedSentence = readonly [start: number, cosine: number]

/** A review whose excerpts lie at chosen cosines from every query. */
export interface Planted {
  env?: Environment
  source?: Source
  rating?: number | null
  sentiment?: 'positive' | 'neutral' | 'negative'
  hidden?: boolean
  language?: string | null
  occurred_at?: string | null
  metadata?: Record<string, string>
  modelId?: number
  /** The slices in order; the review's text is all of them, joined by blanks. */
  slices: readonly (readonly [text: string, cosine: number, sentences?: readonly PlantedSentence[]])[]
}

type PlantedEmbedder = Embedder & { calls: number; failure?: Error }

/** A database with one model and one project, planted reviews, and a search over them. */
export class Garden {
  #sql: Pool | undefined
  modelId = 0
  context = emptyContext()
  embedder = plantedEmbedder()

  constructor(sql?: Pool) {
    this.#sql = sql
  }

  get sql(): Pool {
    if (!this.#sql) throw new Error('the garden is not opened')
    return this.#sql
  }

  /** Begins anew, in an emptied database: each test plants its own. */
  async open(name = 'Lakeside', sql: Pool = this.sql): Promise<this> {
    this.#sql = sql
    this.context = emptyContext()
    this.embedder = plantedEmbedder()
    await sql`delete from projects`
    await sql`delete from embedding_models`
    this.modelId = await this.model('planted', 3)
    this.context.project = { ...this.context.project, id: await this.project(name) }
    return this
  }

  async project(name: string): Promise<string> {
    const [row] = await this.sql<{ id: string }[]>`insert into projects (name) values (${name}) returning id`
    if (!row) throw new Error('no project')
    await this.sql`insert into environments (project_id, env) values (${row.id}, 'live'), (${row.id}, 'test')`
    return row.id
  }

  async model(name: string, dimensions: number): Promise<number> {
    const [row] = await this.sql<{ id: number }[]>`
      insert into embedding_models (name, dimensions) values (${name}, ${dimensions}) returning id`
    return row?.id ?? 0
  }

  /** Inserts the review as the pipeline would and returns its id. */
  async plant(review: Planted, projectId = this.context.project.id): Promise<string> {
    const id = randomUUID()
    const { env = 'live', source = 'google', rating = 5, hidden = false, language = 'en' } = review
    const text = review.slices.map(([slice]) => slice).join(' ')
    const sentiment = review.sentiment ?? (rating === null || rating > 3 ? 'positive' : 'negative')
    const occurredAt = review.occurred_at === undefined ? '2026-01-01T00:00:00Z' : review.occurred_at
    await this.sql`
      insert into reviews (project_id, id, env, source, external_id, rating, text, author_name, occurred_at, url, language,
        metadata, sentiment, sentiment_source, hidden_at, status)
      values (${projectId}, ${id}, ${env}, ${source}, ${id}, ${rating}, ${text}, 'Ada', ${occurredAt},
        'https://example.com/r', ${language}, ${JSON.stringify(review.metadata ?? {})}::text::jsonb, ${sentiment},
        ${rating === null ? 'model' : 'rating'}, ${hidden ? new Date() : null}, 'indexed')`
    let start = 0
    for (const [ordinal, [slice, cosine, sentences]] of review.slices.entries()) {
      const config = textSearchConfig(language)
      const vectorAt = (x: number) => JSON.stringify(review.modelId ? [x, 0] : [x, Math.sqrt(1 - x ** 2), 0])
      const vectors = sentences ? `{${sentences.map(([, x]) => `"${vectorAt(x)}"`).join(',')}}` : null
      const starts = sentences ? `{${sentences.map(([at]) => at).join(',')}}` : null
      await this.sql`
        insert into excerpts (project_id, review_id, ordinal, id, env, start_offset, end_offset, text, search_config,
          lexemes, embedding_model_id, embedding, sentences, sentence_starts, rating, sentiment, hidden, source,
          occurred_at)
        values (${projectId}, ${id}, ${ordinal}, ${randomUUID()}, ${env}, ${start}, ${start + slice.length}, ${slice},
          ${config}, excerpt_lexemes(${config}::text::regconfig, ${slice}), ${review.modelId ?? this.modelId},
          ${vectorAt(cosine)}::text::vector, ${vectors}::text::vector[],
          ${starts}::text::int[], ${rating}, ${sentiment}, ${hidden}, ${source}, ${occurredAt})`
      start += slice.length + 1
    }
    return id
  }

  /** Copies a review's first excerpt so often, as further excerpts of the same review. */
  async multiply(reviewId: string, copies: number): Promise<void> {
    await this.sql`
      insert into excerpts (project_id, review_id, ordinal, id, env, start_offset, end_offset, text, search_config,
        lexemes, embedding_model_id, embedding, rating, sentiment, hidden, source, occurred_at)
      select project_id, review_id, copy, gen_random_uuid(), env, start_offset, end_offset, text, search_config,
        lexemes, embedding_model_id, embedding, rating, sentiment, hidden, source, occurred_at
      from excerpts, generate_series(1, ${copies}::int) as copy where review_id = ${reviewId} and ordinal = 0`
  }

  /** A search with a cache that keeps nothing, by default. */
  search(
    cache: ResultCache = createResultCache({ entries: 0, bytes: 0 }),
    memory?: SearchMemory,
    isModelActive?: () => boolean,
  ): Search {
    const { sql, embedder, modelId } = this
    return createSearch({ sql, embedder, modelId, cache, memory, log: silent, isModelActive })
  }

  /** What a request body finds, uncached. */
  async find(body: object) {
    const answer = await this.search()(this.context, requestOf(body), { bypassCache: false })
    if (!answer.ok) throw new Error(answer.code)
    return answer
  }

  /** The excerpts that a request body finds, in order. */
  async excerpts(body: object): Promise<string[]> {
    return (await this.find(body)).results.map((result) => result.excerpt)
  }
}

export function requestOf(body: object): QueryRequest {
  const parsed = parseQueryBody(body)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.details))
  return parsed.value
}

function emptyContext(): SearchContext {
  return {
    project: { id: '', plan: 'free', similarityFloor: 0.66, minRating: 4, excerpts: 'all' },
    env: 'live',
    revision: '0',
  }
}

function plantedEmbedder(): PlantedEmbedder {
  return {
    id: 'planted',
    dimensions: 3,
    calls: 0,
    async embed(texts) {
      this.calls++
      // A turn of the loop, so that requests overlap as they do with a real provider.
      await new Promise((resolve) => setImmediate(resolve))
      if (this.failure) throw this.failure
      return texts.map(() => Float32Array.of(1, 0, 0))
    },
  }
}

/** A suite with a database of its own, in which each test finds its garden opened anew. */
export function gardenSuite(name: string, garden = new Garden()) {
  const test = suite(name)
  let database: TestDatabase
  test.before(async () => {
    database = await openTestDatabase()
  })
  test.before.each(async () => {
    await garden.open('Lakeside', database.sql)
  })
  test.after(() => database.close())
  return { test, garden }
}
