import pLimit, { type LimitFunction } from 'p-limit'
import type { Pool } from '../deps.ts'

/** While one writes, the next waits at the project's lock already. */
const CONCURRENT_PUSHES = 2

/** Keyed by pool and project. */
const queues = new WeakMap<Pool, Map<string, LimitFunction>>()

/**
 * Runs the pushes of a project in order of arrival. They would wait for each other anyway, at the project's lock, each
 * holding a connection: sixty at once left none for other requests for seconds, and with the embedded database kept all
 * others waiting until they were done.
 */
export async function queuePush<T>(pool: Pool, projectId: string, push: () => Promise<T>): Promise<T> {
  const ofPool = queues.get(pool) ?? new Map<string, LimitFunction>()
  queues.set(pool, ofPool)
  const queue = ofPool.get(projectId) ?? pLimit(CONCURRENT_PUSHES)
  ofPool.set(projectId, queue)
  try {
    return await queue(push)
  } finally {
    if (queue.activeCount + queue.pendingCount === 0) ofPool.delete(projectId)
  }
}
