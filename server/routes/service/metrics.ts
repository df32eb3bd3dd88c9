import { text } from '../../http/response-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import type { Metrics } from '../../metrics.ts'

/**
 * `GET /metrics` for Prometheus. It reveals the projects' names and sizes, so it always requires the operator token: a proxy
 * that adds no header makes every visitor look like this machine.
 */
export function metricsRoute(metrics: Metrics): Route {
  return defineRoute({
    method: 'GET',
    path: '/metrics',
    access: 'operator',
    responses: { 200: text('text/plain', 'The page.') },
    operationId: 'getMetrics',
    tag: 'Service',
    summary: 'Requests, latencies, queue, cache and quotas, for Prometheus',
    description: 'In the text format. It takes the operator token, also on the machine itself.',
    handle: async () => ({
      status: 200,
      body: await metrics.page(),
      headers: { 'content-type': metrics.contentType },
    }),
  })
}
