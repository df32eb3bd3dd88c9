import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { withTimeLimit } from './db/deadline.ts'
import type { Pool } from './deps.ts'
import type { CompletedRequest } from './http/respond.ts'
import type { Worker } from './indexing/worker.ts'
import type { SearchMemory } from './search/memory/search-memory.ts'
import { queueCounts } from './sql/queue/counts.ts'
import { dayUsage } from './sql/usage/embedding-usage.ts'
import { usageOfProjects } from './sql/usage/usage-overview.ts'

export type Metrics = ReturnType<typeof createMetrics>

interface MetricsDeps {
  sql: Pool
  worker: Pick<Worker, 'state'>
  memory?: Pick<SearchMemory, 'state'> | undefined
}

/** Prometheus waits ten seconds. */
const DATABASE_MS = 5_000

/** From a cached query (under a millisecond) to a backup. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** The process's metrics, in a registry of their own. */
export function createMetrics({ sql, worker, memory }: MetricsDeps) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'pullquote_http_request_duration_seconds',
    help: 'Time to answer a request, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: SECONDS,
    registers,
  })
  const cache = new Counter({
    name: 'pullquote_query_cache_total',
    help: 'Answered queries by what the result cache did.',
    labelNames: ['outcome'],
    registers,
  })
  const gauge = <T extends string>(name: string, help: string, labelNames: T[] = []) =>
    new Gauge({ name: `pullquote_${name}`, help, labelNames, registers })
  const up = gauge('database_up', 'Whether the database answered this scrape.')
  const queue = gauge('queue_reviews', 'Reviews that wait for indexing, by state.', ['state'])
  const setAside = gauge('set_aside_reviews', 'Reviews that failed twice by their own fault and are not tried again.')
  const oldest = gauge('queue_oldest_seconds', 'How long the oldest review has waited.')
  const indexed = gauge('indexed_reviews', 'Reviews indexed by this process since it started.')
  const failed = gauge('index_failures', 'Tries to index that failed in this process since it started.')
  const embedded = gauge('embeddings_today', 'Texts embedded for reviews today (UTC), by all servers.')
  const memoryBytes = gauge('search_memory_bytes', 'Bytes of vectors in the memory of this process.')
  const memoryExcerpts = gauge('search_memory_excerpts', 'Excerpts that this process searches in memory.')
  const memoryIndexes = gauge('search_memory_environments', 'Environments by whether they are in memory.', ['state'])
  const SCANS = 'Searches of this process in memory since it started, by thread.'
  const memoryScans = gauge('search_memory_scans', SCANS, ['by'])
  const THREADS = 'Threads that search in memory, and those that ended by themselves.'
  const memoryThreads = gauge('search_memory_threads', THREADS, ['state'])
  const reviews = gauge('reviews', 'Stored reviews by project and environment.', ['project', 'env'])
  const queries = gauge('uncached_queries_month', 'Uncached queries of this month (UTC) by project.', ['project'])

  async function ask(): Promise<void> {
    const state = worker.state()
    indexed.set(state.indexed)
    failed.set(state.failed)
    const held = memory?.state()
    memoryBytes.set(held?.bytes ?? 0)
    memoryExcerpts.set(held?.excerpts ?? 0)
    for (const name of ['loaded', 'loading', 'refused'] as const) memoryIndexes.set({ state: name }, held?.[name] ?? 0)
    memoryScans.set({ by: 'main' }, held?.inline ?? 0)
    memoryScans.set({ by: 'other' }, held?.threaded ?? 0)
    memoryThreads.set({ state: 'running' }, held?.threads ?? 0)
    memoryThreads.set({ state: 'lost' }, held?.threads_lost ?? 0)
    try {
      await withTimeLimit(askDatabase, DATABASE_MS)
      up.set(1)
    } catch {
      // The page must still be served, or the alarm for a lost database would be a failed scrape.
      up.set(0)
    }
  }

  async function askDatabase(): Promise<void> {
    const counts = await queueCounts(sql)
    for (const name of ['queued', 'running', 'failing'] as const) queue.set({ state: name }, counts[name])
    setAside.set(counts.set_aside)
    oldest.set(counts.oldest_seconds)
    embedded.set((await dayUsage(sql)).texts)
    reviews.reset()
    queries.reset()
    for (const project of await usageOfProjects(sql)) {
      reviews.set({ project: project.name, env: 'live' }, project.live)
      reviews.set({ project: project.name, env: 'test' }, project.test)
      queries.set({ project: project.name }, project.uncachedQueries)
    }
  }

  return {
    observe({ method, route = 'none', status, seconds: taken, cache: outcome }: CompletedRequest) {
      seconds.observe({ route, method, status: String(status) }, taken)
      if (outcome !== undefined) cache.inc({ outcome: outcome.toLowerCase() })
    },
    contentType: registry.contentType,
    /** The page for Prometheus, with metrics of the database queried now. */
    async page() {
      await ask()
      return registry.metrics()
    },
  }
}
