import pLimit, { type LimitFunction } from 'p-limit'
import type { Pool } from '../deps.ts'

/** While one writes, the next one has come to the project's lock. */
const CONCURRENT_PUSHES = 2

/** By pool and project. */
const queues = new WeakMap<Pool, Map<string, LimitFunction>>()

/**
 * Runs the pushes of a project in the order in which they came. They wait for each other anyway, at the project's lock, and
 * would each hold a connection there: sixty at once left none for other requests for seconds, and kept those of the
 * embedded database waiting until all were done.
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
