import * as v from 'valibot'
import { integerParameter } from '../../../src/contract/scalars.ts'
import type { AppDeps } from '../../app-deps.ts'
import { scopeOf } from '../../console/scope.ts'
import { queryOf } from '../../http/query-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { insightsOf } from '../operator/insights.ts'

const MAX_QUERIES = 50

/** What visitors searched for, and which searches found nothing. */
export function consoleInsightsRoute(deps: AppDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/console/api/projects/:project/:env/asked',
    access: 'console',
    query: queryOf(v.object({ days: v.optional(integerParameter({ min: 1, max: 366 }), '30') })),
    async handle(context) {
      const { days } = context.query
      const scope = await scopeOf(context, deps.sql)
      const body = await insightsOf(deps, scope.project, { env: scope.env, days, limit: MAX_QUERIES })
      return { status: 200, body }
    },
  })
}
