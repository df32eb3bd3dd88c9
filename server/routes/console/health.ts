import type { ConsoleHealth } from '../../../src/contract/console.ts'
import { PLAN_LIMITS } from '../../../src/contract/limits.ts'
import { projectOf } from '../../console/scope.ts'
import type { Pool } from '../../deps.ts'
import type { Doctor } from '../../doctor.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { type AcceptOptions, reviewCap } from '../../ingest/accept.ts'
import type { SearchMemory } from '../../search/memory/search-memory.ts'
import { projectQueue } from '../../sql/queue/counts.ts'
import { countReviews } from '../../sql/reviews/reviews.ts'
import { queriesThisMonth } from '../../sql/usage/query-usage.ts'

interface HealthDeps {
  sql: Pool
  allowance: AcceptOptions['allowance']
  memory?: Pick<SearchMemory, 'state'> | undefined
  doctor?: Doctor
}

/** How the project is doing; to the operator also how the server is. */
export function consoleHealthRoute({ sql, allowance, memory, doctor }: HealthDeps): Route {
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
        body: { ...body, search_memory: memory?.state() ?? null, findings: (await doctor?.()) ?? [] },
      }
    },
  })
}
