import * as v from 'valibot'
import { errorEnvelope } from './errors.ts'
import { bytes, count, instant } from './scalars.ts'

/** Response of `GET /healthz`. */
export const healthResponse = v.object({ status: v.literal('ok') })

/** Why a worker is not indexing. */
const waitReason = v.picklist([
  'embedding_unavailable',
  'daily_allowance',
  'other_model',
  'disk_full',
  'database_unavailable',
  'internal',
])
export type WaitReason = v.InferOutput<typeof waitReason>

/** A process's memory for searches. */
export const searchMemoryState = v.object({
  budget: bytes,
  bytes,
  /** Environments whose index is loaded, loading, or found no room when it was last searched. */
  loaded: count,
  loading: count,
  refused: count,
  excerpts: count,
  /** Running threads, and those that ended unexpectedly. */
  threads: count,
  threads_lost: count,
  /** Searches answered in memory: small ones on the event loop's thread, others on scan threads. */
  inline: count,
  threaded: count,
})
export type SearchMemoryState = v.InferOutput<typeof searchMemoryState>

export const databaseState = v.object({ ok: v.boolean() })
export const modelState = v.object({ name: v.string(), active: v.boolean() })
export const queueState = v.object({
  queued: count,
  running: count,
  failing: count,
  /** Optional: earlier servers set nothing aside. */
  set_aside: v.optional(count, 0),
  oldest_seconds: count,
})
export const workerState = v.object({
  status: v.picklist(['idle', 'indexing', 'waiting', 'stopped']),
  waiting: v.nullable(v.object({ reason: waitReason, since: instant, until: instant })),
  indexed: count,
  failed: count,
  last_indexed_at: v.nullable(instant),
})

/** Response of `GET /readyz`, ready or not; when not ready, the error envelope is added. */
export const readinessResponse = v.object({
  ready: v.boolean(),
  database: databaseState,
  model: modelState,
  /** Null when the database does not respond. */
  queue: v.nullable(queueState),
  worker: workerState,
  /** Null when the database does the searches; optional, because earlier servers do not send it. */
  search_memory: v.optional(v.nullable(searchMemoryState), null),
})
export type ReadinessResponse = v.InferOutput<typeof readinessResponse>

/** The response when it is not ready. */
export const notReadyResponse = v.object({ ...errorEnvelope.entries, ...readinessResponse.entries })
