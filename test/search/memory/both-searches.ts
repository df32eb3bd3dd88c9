/** One environment that is searched in memory and by the database: test/search/memory/one-meaning.db.test.ts. */
import * as assert from 'uvu/assert'
import { seeded, type takeReviews } from '../../../bench/corpus.ts'
import type { Pool } from '../../../server/deps.ts'
import { createBuiltinEmbedder } from '../../../server/embed/builtin/embedder.ts'
import { Worker } from '../../../server/indexing/worker.ts'
import { accept } from '../../../server/ingest/accept.ts'
import { createResultCache } from '../../../server/search/cache.ts'
import type { CandidateQuery } from '../../../server/search/candidates.ts'
import { SearchMemory } from '../../../server/search/memory/search-memory.ts'
import { createSearch } from '../../../server/search/search.ts'
import { createSentimentClassifier } from '../../../server/sentiment/classifier.ts'
import { environmentRevision } from '../../../server/sql/excerpts/search-rows.ts'
import { activateModel } from '../../../server/sql/installation/installation.ts'
import { createProject, type Project } from '../../../server/sql/projects/projects.ts'
import { openTestDatabase, silent, type TestDatabase } from '../../database.ts'
import { until } from '../../waiting.ts'
import { hashedEmbedder } from '../hashed-embedder.ts'
import { requestOf } from '../planted.ts'

// Half of the reviews are in other languages, which a search puts behind those in the query's.
// Whatever is found is looked at again.
const { languages, coverage } = await createBuiltinEmbedder()
export const embedder = { ...hashedEmbedder(), languages, coverage }
export const random = seeded(Number(process.env.PULLQUOTE_TEST_SEED ?? 11))
export const ROUNDS = Number(process.env.PULLQUOTE_TEST_ROUNDS ?? 30)
export const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
export const QUERIES = [
  'quiet room at night',
  'friendly staff',
  'rude staff',
  'breakfast',
  'the',
  'swimming pool for children and dogs',
  'ruhiges Zimmer',
  'gemuetliches fruhstuck',
  'Petit déjeuner délicieux',
  'bathroom with a shower',
  'Wi-Fi at check-in',
  'zzz',
]

/** The review with any metadata of a few that requests filter by. */
export function withMetadata(review: ReturnType<typeof takeReviews>[number], i: number) {
  const branch = any(['north', 'south', 'a longer name of a branch than is kept as it is, by far and more than that'])
  return { ...review, metadata: { branch, season: any(['summer', 'winter']), visit: String(i) } }
}

/** A request with any of the options that decide what is found. */
export function anyRequest() {
  return requestOf({
    q: any(QUERIES),
    limit: any([1, 3, 5, 20]),
    mode: any(['excerpts', 'reviews']),
    fallback: any(['none', 'recent']),
    filters: {
      ...(random() < 0.3 && { min_rating: any([1, 2, 5]) }),
      ...(random() < 0.3 && { source: any([['google'], ['yelp', 'custom'], ['nowhere']]) }),
      ...(random() < 0.3 && { since: any(['2024-01-01T00:00:00Z', '2026-01-01T00:00:00Z']) }),
      ...(random() < 0.3 && {
        metadata: any([{ branch: 'north' }, { branch: 'south' }, { branch: 'north', season: 'summer' }]),
      }),
    },
  })
}

/** What a memory is asked when nothing is to be left out. */
export function everything(vector: Float32Array): CandidateQuery {
  const policy = { minRating: 1, withoutComplaints: false, sources: undefined, since: undefined, metadata: [] }
  return { vector, forms: [], policy, thresholds: { floor: 0, wordTier: 0 }, depth: { among: 'nearest', limit: 10 } }
}

export class BothSearches {
  readonly #database: TestDatabase
  readonly #searches = new Map<SearchMemory | undefined, ReturnType<typeof createSearch>>()
  readonly modelId: number
  readonly worker: Worker
  readonly memory: SearchMemory
  project: Project

  private constructor(database: TestDatabase, project: Project, modelId: number) {
    const { sql } = database
    this.#database = database
    this.project = project
    this.modelId = modelId
    this.worker = new Worker({ sql, embedder, classify: createSentimentClassifier(), log: silent, modelId })
    // Every scan in a thread; the other memories of the tests are small enough for none.
    const { dimensions, decisive } = embedder
    this.memory = new SearchMemory({ sql, log: silent, budget: 1e9, dimensions, decisive, threads: 2, inlineBytes: -1 })
  }

  static async open(): Promise<BothSearches> {
    const database = await openTestDatabase()
    const made = await createProject(database.sql, { name: 'one meaning', plan: 'paid' })
    if (typeof made === 'string') throw new Error(made)
    const { id: name, dimensions } = embedder
    return new BothSearches(database, made, (await activateModel(database.sql, { name, dimensions })).modelId)
  }

  get sql(): Pool {
    return this.#database.sql
  }

  async close(): Promise<void> {
    await this.memory.stop()
    await this.worker.stop()
    await this.#database.close()
  }

  /** Resolves when they are indexed. */
  async push(reviews: ReturnType<typeof takeReviews>): Promise<void> {
    for (let at = 0; at < reviews.length; at += 100) {
      await accept(this.sql, this.project, 'live', reviews.slice(at, at + 100), {})
    }
    this.worker.nudge()
    await this.worker.idle()
    // A worker that backs off is idle too.
    await until('all is indexed', async () => (await this.sql`select 1 from index_jobs limit 1`).length === 0)
  }

  /** What each answers to a request at this moment's revision, the database last. */
  async answers(
    request: ReturnType<typeof anyRequest>,
    settings: Partial<Project>,
    memories = [this.memory],
  ): Promise<unknown[]> {
    const revision = (await environmentRevision(this.sql, { projectId: this.project.id, env: 'live' })) ?? ''
    const context = { project: { ...this.project, ...settings }, env: 'live' as const, revision }
    const found: unknown[] = []
    for (const used of [...memories, undefined]) {
      const answer = await this.#searchWith(used)(context, request, { bypassCache: true })
      if (!answer.ok) throw new Error(answer.code)
      found.push({ match: answer.match, results: answer.results })
    }
    return found
  }

  async loaded(one = this.memory): Promise<void> {
    await until('the index is loaded', async () => {
      await this.answers(requestOf({ q: 'anything' }), {}, [one])
      return one.state().loaded === 1
    })
  }

  async compare(rounds: number, what: string, one = this.memory): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      const request = anyRequest()
      const excerpts = any(['all', 'all', 'no_complaints'] as const)
      const settings = { similarityFloor: any([0.5, 0.66, 0.66, 0.8]), minRating: any([1, 3, 4]), excerpts }
      const [ours, theirs] = await this.answers(request, settings, [one])
      assert.equal(ours, theirs, `${what}, ${JSON.stringify({ request, settings })}`)
    }
  }

  /** A memory of its own, as another server has, that stops before its `page`-th page of rows and does `work` then. */
  interrupted(page: number, work: () => Promise<unknown>): SearchMemory & { wasInterrupted(): boolean } {
    let pages = 0
    const sql = new Proxy(this.sql, {
      get(target, key, receiver) {
        // Each page of rows has a transaction of its own.
        if (key !== 'begin') return Reflect.get(target, key, receiver)
        return async (...given: Parameters<typeof target.begin>) => {
          if (++pages === page) await work()
          return target.begin(...given)
        }
      },
    })
    const made = new SearchMemory({
      sql,
      log: silent,
      budget: 1e9,
      dimensions: embedder.dimensions,
      decisive: embedder.decisive,
      pageRows: 300,
    })
    return Object.assign(made, { wasInterrupted: () => pages >= page })
  }

  /** One a server, which remembers words and languages of what it has met. Without a memory it is the database that searches. */
  #searchWith(memory: SearchMemory | undefined): ReturnType<typeof createSearch> {
    const { sql, modelId } = this
    const cache = createResultCache({ entries: 0, bytes: 0 })
    const search = this.#searches.get(memory) ?? createSearch({ sql, embedder, modelId, cache, memory, log: silent })
    this.#searches.set(memory, search)
    return search
  }
}
