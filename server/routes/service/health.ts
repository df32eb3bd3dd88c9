import { healthResponse, notReadyResponse, readinessResponse } from '../../../src/contract/health.ts'
import type { AppDeps } from '../../app-deps.ts'
import { withTimeLimit } from '../../db/deadline.ts'
import { isWritable } from '../../db/session-settings.ts'
import { unlessServerLost } from '../../db/unavailable.ts'
import { ApiError } from '../../http/api-error.ts'
import { toErrorEnvelope } from '../../http/error-envelope.ts'
import { json } from '../../http/response-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import type { WorkerState } from '../../indexing/worker.ts'
import { activeModelId } from '../../sql/installation/installation.ts'
import { queueCounts } from '../../sql/queue/counts.ts'

export type HealthDeps = Pick<AppDeps, 'sql' | 'worker' | 'memory' | 'model' | 'docsUrl' | 'databaseTimeoutMs'>

/** `GET /healthz`: the process answers. Nothing else is checked, so that a database outage restarts no server. */
export const healthz = defineRoute({
  method: 'GET',
  path: '/healthz',
  access: 'open',
  query: 'ignored',
  responses: { 200: json(healthResponse, 'It does.') },
  operationId: 'getHealth',
  summary: 'Whether the process answers',
  description: '200 as soon as it does, also while the database is away.',
  handle: async () => ({ status: 200, body: { status: 'ok' as const } }),
})

/** `GET /readyz`: whether this server can do its work, and the progress of indexing. 503 when it cannot. */
export function readyz(deps: HealthDeps): Route {
  // Shared: anyone may ask, and each check counts the whole queue. A hundred strangers at once took all connections.
  let looking: ReturnType<typeof look> | undefined
  const lookTogether = () => {
    looking ??= look(deps).finally(() => {
      looking = undefined
    })
    return looking
  }
  return defineRoute({
    method: 'GET',
    path: '/readyz',
    access: 'open',
    query: 'ignored',
    responses: {
      200: json(readinessResponse, 'Ready.'),
      503: json(notReadyResponse, 'Not ready: the error envelope and the checks.', {
        headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
      }),
    },
    operationId: 'getReadiness',
    summary: 'Whether database, model and worker are ready, and how far the indexing is',
    description: 'For load balancers: 503 takes this server out, with the checks beside the error.',
    async handle({ requestId }) {
      const worker = describeWorker(deps.worker.state())
      const { database, model, queue } = await lookTogether()
      const ready = database.ok && model.active && worker.status !== 'stopped'
      const checks = { ready, database, model, queue, worker, search_memory: deps.memory?.state() ?? null }
      if (ready) return { status: 200, body: checks }
      const message = 'This server is not ready: see the checks beside this error.'
      const error = new ApiError('service_unavailable', message)
      return {
        status: 503,
        body: { ...toErrorEnvelope(error, requestId, deps.docsUrl), ...checks },
        headers: { 'retry-after': '1' },
      }
    },
  })
}

/** A probe usually waits a few seconds; a database silent for this long is unavailable. */
const LOOK_MS = 3_000

async function look({ sql, model: { name, id }, databaseTimeoutMs = LOOK_MS }: HealthDeps) {
  try {
    // A lost cluster server must not make load balancers drop this server: the other projects are still answered.
    const ask = () => Promise.all([activeModelId(sql), unlessServerLost(queueCounts(sql)), isWritable(sql)])
    const [active, counts, writable] = await withTimeLimit(ask, Math.min(databaseTimeoutMs, LOOK_MS))
    return {
      // On a read-only database no request gets past the count of its key.
      database: { ok: writable },
      model: { name, active: active === id },
      queue: counts ? { ...counts, oldest_seconds: Math.round(counts.oldest_seconds) } : null,
    }
  } catch {
    return { database: { ok: false }, model: { name, active: false }, queue: null }
  }
}

/** Anyone may read it, so it omits the answers of an embedding service, which may name hosts and parts of keys. */
function describeWorker({ status, waiting, indexed, failed, lastIndexedAt }: WorkerState) {
  const shown = waiting && {
    reason: waiting.reason,
    since: waiting.since.toISOString(),
    until: waiting.until.toISOString(),
  }
  return { status, waiting: shown ?? null, indexed, failed, last_indexed_at: lastIndexedAt?.toISOString() ?? null }
}
