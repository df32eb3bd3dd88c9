import { demand } from '../http/api-error.ts'
import { noParameters, type Route } from '../http/route.ts'
import type { Metrics } from '../metrics.ts'

/**
 * `GET /metrics` for Prometheus. It tells the projects' names and sizes, so it takes the operator token, unless the
 * server listens on the loopback interface alone (`access: 'open'`).
 */
export function metricsRoute({ metrics, access }: { metrics: Metrics; access: 'open' | 'operator' }): Route {
  return {
    method: 'GET',
    path: '/metrics',
    access,
    async handle(call) {
      demand(noParameters(call))
      return { status: 200, body: await metrics.page(), headers: { 'content-type': metrics.contentType } }
    },
  }
}
