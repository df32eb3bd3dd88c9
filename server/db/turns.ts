import { setTimeout as delay } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Pool } from '../deps.ts'
import { poolInBulkhead } from './pool-by-bulkheads.ts'

/** So long background work waits for requests, so that it goes on however many there are. */
const LONGEST_WAIT_MS = 100
const LOOK_AGAIN_MS = 3

interface Turns {
  /** How many requests are under way. */
  requests: number
  background: Pool
}

const turns = new WeakMap<Pool, Turns>()

/**
 * Lets requests go first on a pool of one connection, and background work take one turn at a time: two runners and two pushes
 * queued on the embedded database's, and each of a search's three statements waited for all of them (bench/RESULTS.md).
 */
export function withTurns(pool: Pool): Pool {
  const oneAtATime = pLimit(1)
  const state: Turns = { requests: 0, background: poolInBulkhead(pool, { run }) }
  function run<T>(work: () => PromiseLike<T>): Promise<T> {
    return oneAtATime(async () => {
      const end = performance.now() + LONGEST_WAIT_MS
      while (state.requests > 0 && performance.now() < end) await delay(LOOK_AGAIN_MS)
      return work()
    })
  }
  turns.set(pool, state)
  return pool
}

/**
 * The same pool for work that is to give way: indexing, storing what was pushed, removing reviews, and loading an index.
 */
export function inBackground(pool: Pool): Pool {
  return turns.get(pool)?.background ?? pool
}

/** Waits for background work within a request, which keeps that work waiting no longer. */
export async function whileBackground<T>(pool: Pool, awaited: Promise<T>): Promise<T> {
  const state = turns.get(pool)
  if (!state) return awaited
  state.requests--
  try {
    return await awaited
  } finally {
    state.requests++
  }
}

/** Runs a request that somebody waits for: background work begins nothing meanwhile. */
export async function beforeBackground<T>(pool: Pool, request: () => Promise<T>): Promise<T> {
  const state = turns.get(pool)
  if (!state) return request()
  state.requests++
  try {
    return await request()
  } finally {
    state.requests--
  }
}
