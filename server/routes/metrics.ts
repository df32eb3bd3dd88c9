import { demand } from '../http/api-error.ts'
import { requireOperator } from '../http/auth.ts'
import { noParameters, type OpenRoute } from '../http/route.ts'
import { isFromThisMachine } from '../http/this-machine.ts'
import type { Metrics } from '../metrics.ts'

/** `this machine`: requests made on the machine of a server that listens on the loopback interface alone need no token. */
export type MetricsAccess = 'this machine' | 'operator'

export interface MetricsDeps {
  metrics: Metrics
  access: MetricsAccess
  operatorToken: string
}

/** `GET /metrics` for Prometheus. It tells the projects' names and sizes, so it takes the operator token. */
export function metricsRoute({ metrics, access, operatorToken }: MetricsDeps): OpenRoute {
  return {
    method: 'GET',
    path: '/metrics',
    access: 'open',
    async handle(call) {
      const { request } = call
      const isLocal = access === 'this machine' && isFromThisMachine(request)
      if (!isLocal) requireOperator(request.headers.get('authorization'), operatorToken)
      demand(noParameters(call))
      return { status: 200, body: await metrics.page(), headers: { 'content-type': metrics.contentType } }
    },
  }
}
