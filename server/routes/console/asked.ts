import * as v from 'valibot'
import type { ConsoleAsked } from '../../../src/contract/console.ts'
import { integerParameter } from '../../../src/contract/scalars.ts'
import { validate } from '../../../src/contract/validate.ts'
import { scopeOf } from '../../console/scope.ts'
import type { Pool } from '../../deps.ts'
import { assertValid, validationFailed } from '../../http/api-error.ts'
import { parameterFindings, wellFormedParameters } from '../../http/query-string.ts'
import type { ConsoleRoute } from '../../http/request-pipeline.ts'
import type { FindBestCosines } from '../../search/best-cosine.ts'
import { searchesByDay } from '../../sql/usage/query-insights.ts'
import { insightsOf } from '../operator/insights.ts'

const parameters = v.strictObject({ days: v.optional(integerParameter({ min: 1, max: 366 }), '30') })
const MOST_QUERIES = 50

/** What visitors asked, and what they asked in vain. */
export function consoleAskedRoute(deps: { sql: Pool; nearest: FindBestCosines; counting: boolean }): ConsoleRoute {
  return {
    method: 'GET',
    path: '/console/api/projects/:project/:env/asked',
    access: 'console',
    async handle(call) {
      const details = parameterFindings(call.query, { known: (name) => name === 'days', once: () => true })
      if (details.length > 0) throw validationFailed(details)
      const [{ days }] = assertValid(validate(parameters, wellFormedParameters(call.query)))
      const { project, env } = await scopeOf(call, deps.sql)
      const body: ConsoleAsked = {
        ...(await insightsOf(deps, project, { env, days, limit: MOST_QUERIES })),
        by_day: await searchesByDay(deps.sql, project.id, env, days),
      }
      return { status: 200, body }
    },
  }
}
