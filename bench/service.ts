/** A whole service in this process, on a fresh database, for measurements that also need the database itself. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { createApp } from '../server/app.ts'
import { startAutoanalyze } from '../server/db/autovacuum.ts'
import { connect } from '../server/db/connect.ts'
import { openEmbedded } from '../server/db/embedded/open-embedded.ts'
import { migrate } from '../server/db/migrate.ts'
import type { Log, Pool } from '../server/deps.ts'
import { createBuiltinEmbedder } from '../server/embed/builtin/embedder.ts'
import type { Embedder } from '../server/embed/embedder.ts'
import { hashKey, keyHint, newApiKey } from '../server/http/api-key.ts'
import { Worker } from '../server/indexing/worker.ts'
import type { Allowance } from '../server/ingest/accept.ts'
import { createResultCache, DEFAULT_CACHE_BOUNDS } from '../server/search/cache.ts'
import { createExplain } from '../server/search/explain.ts'
import { SearchMemory } from '../server/search/memory/search-memory.ts'
import { createSearch } from '../server/search/search.ts'
import { createSentimentClassifier } from '../server/sentiment/classifier.ts'
import { createKey } from '../server/sql/access/keys.ts'
import { activateModel, cursorSecret } from '../server/sql/installation/installation.ts'
import { createProject, getProject, type Project } from '../server/sql/projects/projects.ts'

export const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }

export interface BenchDatabase {
  sql: Pool
  /** Absent for the embedded one. */
  url?: string
  close(): Promise<void>
}

const KEPT = 'pullquote_bench_'

/**
 * `embedded`, or the address of a PostgreSQL server on which a database is made and dropped again. One that a measurement
 * left (`embedded:FOLDER`, or the address of a `pullquote_bench_…`) is taken as it is, and stays.
 */
export async function openBenchDatabase(kind: string): Promise<BenchDatabase> {
  if (kind.startsWith('embedded:')) {
    const { sql, close } = await openEmbedded(kind.slice('embedded:'.length), silent)
    await migrate(sql, silent)
    return { sql, close }
  }
  if (kind === 'embedded') {
    const home = await mkdtemp(join(tmpdir(), 'pullquote-bench-'))
    const { sql, close } = await openEmbedded(home, silent)
    await migrate(sql, silent)
    return { sql, close: () => close().then(() => rm(home, { recursive: true, force: true })) }
  }
  if (new URL(kind).pathname.startsWith(`/${KEPT}`)) {
    const sql = connect({ url: kind })
    await migrate(sql, silent)
    return { sql, url: kind, close: () => sql.end({ timeout: 5 }) }
  }
  const name = `${KEPT}${randomUUID().slice(0, 8)}`
  const administrator = postgres(kind, { max: 1, onnotice() {} })
  await administrator.unsafe(`create database ${name}`)
  const url = new URL(kind)
  url.pathname = `/${name}`
  const sql = connect({ url: url.href })
  await migrate(sql, silent)
  // As a server does: plans made for empty tables read whole projects.
  const analyzing = startAutoanalyze(sql, silent)
  return {
    sql,
    url: url.href,
    async close() {
      analyzing.stop()
      await sql.end({ timeout: 5 })
      await administrator.unsafe(`drop database ${name} with (force)`)
      await administrator.end()
    },
  }
}

export interface BenchService {
  database: BenchDatabase
  sql: Pool
  embedder: Embedder
  modelId: number
  project: Project
  worker: Worker
  memory: SearchMemory | undefined
  fetch(request: Request): Promise<Response>
  /** A request to the API with one of the project's keys, in turn, so that no rate limit is met. */
  request(path: string, init?: RequestInit): Promise<Response>
  keys: string[]
  close(): Promise<void>
}

/** @param kind as {@link openBenchDatabase} takes it, or a database that is open and migrated */
export async function openBenchService(
  kind: string | BenchDatabase,
  {
    keys: keyCount = 50,
    embedder: given,
    searchMemory = false,
    allowance = {},
  }: { keys?: number; embedder?: Embedder; searchMemory?: boolean | number; allowance?: Allowance } = {},
): Promise<BenchService> {
  const database = typeof kind === 'string' ? await openBenchDatabase(kind) : kind
  const { sql } = database
  const embedder = given ?? (await createBuiltinEmbedder())
  const { modelId } = await activateModel(sql, { name: embedder.id, dimensions: embedder.dimensions })
  const exclusive = database.url === undefined
  const worker = new Worker({ sql, embedder, classify: createSentimentClassifier(), log: silent, modelId, exclusive })
  const cache = createResultCache(DEFAULT_CACHE_BOUNDS)
  const memory = searchMemory
    ? new SearchMemory({
        sql,
        log: silent,
        budget: searchMemory === true ? 4e9 : searchMemory,
        dimensions: embedder.dimensions,
        decisive: embedder.decisive,
      })
    : undefined
  const app = createApp({
    sql,
    search: createSearch({ sql, embedder, modelId, memory, cache, log: silent }),
    explain: createExplain({ sql, embedder, modelId }),
    insights: { nearest: async () => [], counting: false },
    doctor: async () => [],
    worker,
    clock: () => new Date(),
    log: silent,
    docsUrl: 'http://bench.test/docs',
    operatorToken: randomUUID(),
    cursorSecret: await cursorSecret(sql),
    allowance,
    model: { name: embedder.id, id: modelId },
  })
  const project = (await getProject(sql, 'bench')) ?? (await makeProject(sql, 'bench'))
  const keys = await makeKeys(sql, project, keyCount)
  const fetch = async (request: Request) => app.fetch(request)
  return {
    database,
    sql,
    embedder,
    modelId,
    project,
    worker,
    memory,
    keys,
    fetch,
    request: requester(fetch, keys),
    async close() {
      await worker.stop()
      await memory?.stop()
      await database.close()
    },
  }
}

/** The same service, with requests on behalf of another, new project. */
export async function besideProject(service: BenchService, name: string): Promise<BenchService> {
  const project = await makeProject(service.sql, name)
  const keys = await makeKeys(service.sql, project, 20)
  return { ...service, project, keys, request: requester(service.fetch, keys) }
}

export function requester(fetch: BenchService['fetch'], keys: readonly string[]): BenchService['request'] {
  let turn = 0
  return async (path, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${keys[turn++ % keys.length]}`)
    return fetch(new Request(`http://bench.test${path}`, { ...init, headers }))
  }
}

export async function makeProject(sql: Pool, name: string): Promise<Project> {
  const project = await createProject(sql, { name, plan: 'paid' })
  if (typeof project === 'string') throw new Error(project)
  return project
}

/** Secret live keys. A key may send 1,000 requests a minute. */
export async function makeKeys(sql: Pool, project: Project, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, () => newApiKey('secret', 'live'))
  for (const key of keys) {
    await createKey(sql, {
      projectId: project.id,
      env: 'live',
      kind: 'secret',
      keyHash: hashKey(key),
      hint: keyHint(key),
    })
  }
  return keys
}
