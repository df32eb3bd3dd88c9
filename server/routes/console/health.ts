import type { ConsoleHealth } from '../../../src/contract/console.ts'
import { PLAN_LIMITS } from '../../../src/contract/limits.ts'
import type { AppDeps } from '../../app-deps.ts'
import { projectOf } from '../../console/scope.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { reviewCap } from '../../ingest/accept.ts'
import { projectQueue } from '../../sql/queue/counts.ts'
import { countReviews } from '../../sql/reviews/reviews.ts'
import { queriesThisMonth } from '../../sql/usage/query-usage.ts'

/** The state of the project; for the operator also that of the server. */
export function consoleHealthRoute({ sql, allowance, memory, doctor }: AppDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/console/api/projects/:project/health',
    access: 'console',
    async handle(context) {
      const { id, plan } = await projectOf(context, sql)
      const body: ConsoleHealth = {
        reviews: { ...(await countReviews(sql, id)), limit: reviewCap(plan, allowance) },
        queue: await projectQueue(sql, id),
        quota: { used: await queriesThisMonth(sql, id), limit: PLAN_LIMITS[plan].uncachedQueriesPerMonth },
      }
      if (context.session.projectId !== null) return { status: 200, body }
      return {
        status: 200,
        body: { ...body, search_memory: memory?.state() ?? null, findings: await doctor() },
      }
    },
  })
}
