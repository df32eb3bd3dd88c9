import pLimit, { type LimitFunction } from 'p-limit'
import type { Pool } from '../deps.ts'

/** One writes, and the next one has come to the project's lock. */
const AT_ONCE = 2

interface Line {
  enter: LimitFunction
  length: number
}

/** Of each pool, by the project. */
const lines = new WeakMap<Pool, Map<string, Line>>()

/**
 * Runs pushes of a project in the order in which they came. They wait for each other in any case, and at the project's lock each
 * would have a connection: sixty at once left none to the requests of others for seconds, and one to those of the embedded database
 * when all were done.
 */
export async function inLine<T>(pool: Pool, projectId: string, work: () => Promise<T>): Promise<T> {
  const ofPool = lines.get(pool) ?? new Map<string, Line>()
  lines.set(pool, ofPool)
  const line = ofPool.get(projectId) ?? { enter: pLimit(AT_ONCE), length: 0 }
  ofPool.set(projectId, line)
  line.length++
  try {
    return await line.enter(work)
  } finally {
    if (--line.length === 0) ofPool.delete(projectId)
  }
}
