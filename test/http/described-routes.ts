import { routesOf } from '../../server/app.ts'
import type { Route } from '../../server/http/route.ts'
import { createMetrics } from '../../server/metrics.ts'
import { noDatabase } from './no-database.ts'

/** The routes of a server that has everything, to be looked at and not called. */
export function describedRoutes(): Route[] {
  const deps = noDatabase()
  return routesOf({ ...deps, metrics: createMetrics(deps) })
}
