import * as v from 'valibot'
import { errorEnvelope } from './errors.ts'
import { count, instant } from './scalars.ts'

/** What `GET /healthz` answers. */
export const healthResponse = v.object({ status: v.literal('ok') })

/** Why a worker indexes nothing now. */
const waitReason = v.picklist([
  'embedding_unavailable',
  'daily_allowance',
  'other_model',
  'disk_full',
  'database_unavailable',
  'internal',
])
export type WaitReason = v.InferOutput<typeof waitReason>

/** What a process holds in memory for searches. */
export const searchMemoryState = v.object({
  budget: count,
  bytes: count,
  /** Environments whose index answers, those being loaded, and those that do not fit. */
  loaded: count,
  loading: count,
  refused: count,
  excerpts: count,
  /** Threads that run, and how many ended by themselves. */
  threads: count,
  threads_lost: count,
  /** Searches answered in memory: by the event loop's thread, small ones, and by others. */
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

/** What `GET /readyz` answers, ready or not; when it is not, the error envelope stands beside it. */
export const readinessResponse = v.object({
  ready: v.boolean(),
  database: databaseState,
  model: modelState,
  /** Null when the database does not answer. */
  queue: v.nullable(queueState),
  worker: workerState,
  /** Null when the database does the searches; optional, since earlier servers do not have it. */
  search_memory: v.optional(v.nullable(searchMemoryState), null),
})
export type ReadinessResponse = v.InferOutput<typeof readinessResponse>

/** The same when it is not ready. */
export const notReadyResponse = v.object({ ...errorEnvelope.entries, ...readinessResponse.entries })
