import { assertValid } from '../../http/api-error.ts'
import { noParameters, type OperatorRoute } from '../../http/request-pipeline.ts'
import type { Metrics } from '../../metrics.ts'

/**
 * `GET /metrics` for Prometheus. It tells the projects' names and sizes, so it takes the operator token wherever the
 * request comes from: a proxy that sets no header of its own makes every visitor look like this machine.
 */
export function metricsRoute(metrics: Metrics): OperatorRoute {
  return {
    method: 'GET',
    path: '/metrics',
    access: 'operator',
    async handle(call) {
      assertValid(noParameters(call))
      return { status: 200, body: await metrics.page(), headers: { 'content-type': metrics.contentType } }
    },
  }
}
