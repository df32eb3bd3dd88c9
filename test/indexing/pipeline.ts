import type { Pool } from '../../server/deps.ts'
import { Worker, type WorkerDeps } from '../../server/indexing/worker.ts'
import { type AcceptedReview, accept } from '../../server/ingest/accept.ts'
import { activateModel } from '../../server/sql/installation/installation.ts'
import type { Environment, ReviewInput } from '../../src/contract/review.ts'
import { openTestDatabase, silent, type TestDatabase } from '../database.ts'
import { makeProject, review } from '../sql/fixtures.ts'
import { suite } from '../suite.ts'
import { FAKE_DIMENSIONS, type FakeEmbedder, fakeEmbedder } from './fake-embedder.ts'

/** An empty installation with one project, and workers on it that end with the test. */
export class PipelineFixture {
  #sql: Pool | undefined
  readonly workers: Worker[] = []
  modelId = 0
  projectId = ''

  constructor(sql?: Pool) {
    this.#sql = sql
  }

  get sql(): Pool {
    if (!this.#sql) throw new Error('the pipeline has no database yet')
    return this.#sql
  }

  async reset(sql: Pool = this.sql): Promise<void> {
    this.#sql = sql
    await sql`delete from projects`
    await sql`delete from embedding_usage`
    await sql`update installation set embedding_model_id = null`
    await sql`delete from embedding_models`
    this.projectId = (await makeProject(sql)).id
    this.modelId = (await activateModel(sql, { name: 'fake/1', dimensions: FAKE_DIMENSIONS })).modelId
  }

  /** Starts a worker; the fake embedder comes with it. */
  start(options: Partial<WorkerDeps> & { embedder?: FakeEmbedder } = {}): Worker & { embedder: FakeEmbedder } {
    const embedder = options.embedder ?? fakeEmbedder()
    const worker = new Worker({
      sql: this.sql,
      classify: (text) => (text.includes('awful') ? 'negative' : 'positive'),
      log: silent,
      modelId: this.modelId,
      pollMilliseconds: 50,
      ...options,
      embedder,
    })
    this.workers.push(worker)
    return Object.assign(worker, { embedder })
  }

  async stopAll(): Promise<void> {
    await Promise.all(this.workers.splice(0).map((worker) => worker.stop()))
  }

  async push(
    rows: (Partial<ReviewInput> & { external_id: string })[],
    env: Environment = 'live',
  ): Promise<AcceptedReview[]> {
    const input = rows.map(({ external_id, ...fields }) => review(external_id, fields))
    const accepted = await accept(this.sql, { id: this.projectId }, env, input, {})
    if ('limit' in accepted) throw new Error('over the cap')
    return accepted.reviews
  }

  async status(): Promise<Record<string, string>> {
    const rows = await this.sql<
      { external_id: string; status: string }[]
    >`select external_id, status from reviews order by 1`
    return Object.fromEntries(rows.map((row) => [row.external_id, row.status]))
  }

  /** Makes every job that waits for its next try due, instead of waiting for it. */
  async timePasses(): Promise<void> {
    await this.sql`update index_jobs set run_at = now() where lease_token is null`
  }

  async indexedCount(): Promise<number> {
    const [row] = await this.sql`select count(*)::int as n from reviews where status = 'indexed'`
    return row?.n
  }

  /** Lets every lease run out. */
  async leasesEnd(): Promise<void> {
    await this.sql`update index_jobs set run_at = now(), leased_until = now() where lease_token is not null`
  }
}

/** Reviews whose texts differ. */
export const many = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => ({
    external_id: `r${from + i}`,
    text: `Review number ${from + i} is unlike the others.`,
  }))

/** A suite with a database of its own, in which each test finds an empty installation. */
export function pipelineSuite(name: string) {
  const test = suite(name)
  const pipeline = new PipelineFixture()
  let database: TestDatabase
  test.before(async () => {
    database = await openTestDatabase()
  })
  test.before.each(() => pipeline.reset(database.sql))
  test.after.each(() => pipeline.stopAll())
  test.after(() => database.close())
  return { test, pipeline }
}
