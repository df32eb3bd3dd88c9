import type { InsightsResponse } from '../../../src/contract/insights.ts'
import { insightsParameters } from '../../../src/contract/insights.ts'
import type { Environment } from '../../../src/contract/review.ts'
import { validate } from '../../../src/contract/validate.ts'
import type { Pool } from '../../deps.ts'
import { assertValid, validationFailed } from '../../http/api-error.ts'
import { parameterFindings } from '../../http/query-string.ts'
import type { OperatorRoute } from '../../http/request-pipeline.ts'
import type { FindBestCosines } from '../../search/best-cosine.ts'
import type { Project } from '../../sql/projects/projects.ts'
import { frequentQueries, insightTotals } from '../../sql/usage/query-insights.ts'
import { requireProject } from './projects.ts'

/** A query whose nearest excerpt is this close below the floor would have been answered with a slightly lower one. */
const NEAR = 0.06

/** `GET /operator/insights?project=NAME`: what visitors searched, and what they did not find. */
export function operatorInsightsRoute(deps: { sql: Pool; nearest: FindBestCosines; counting: boolean }): OperatorRoute {
  return {
    method: 'GET',
    path: '/operator/insights',
    access: 'operator',
    async handle({ query }) {
      const known = (name: string) => Object.hasOwn(insightsParameters.entries, name)
      const details = parameterFindings(query, { known, once: () => true })
      if (details.length > 0) throw validationFailed(details)
      const [asked] = assertValid(validate(insightsParameters, Object.fromEntries(query.parameters)))
      const project = await requireProject(deps.sql, asked.project)
      return { status: 200, body: await insightsOf(deps, project, asked) }
    },
  }
}

/** What visitors of a project searched in the last days, and what comes nearest to what they did not find. */
export async function insightsOf(
  deps: { sql: Pool; nearest: FindBestCosines; counting: boolean },
  project: Project,
  { env, days, limit }: { env: Environment; days: number; limit: number },
): Promise<InsightsResponse> {
  const [totals, top, unanswered] = [
    await insightTotals(deps.sql, project.id, env, days),
    await frequentQueries(deps.sql, project.id, env, { days, limit, by: 'searches' }),
    await frequentQueries(deps.sql, project.id, env, { days, limit, by: 'unanswered' }),
  ]
  const floor = project.similarityFloor
  const cosines = await deps.nearest(
    { project, env },
    unanswered.map((one) => one.query),
  )
  return {
    project: project.name,
    env,
    days,
    counting: deps.counting,
    floor,
    totals,
    top,
    unanswered: unanswered.map((one, i) => {
      const nearest = cosines[i] ?? null
      return { ...one, nearest, near_miss: nearest !== null && nearest < floor && nearest >= floor - NEAR }
    }),
  }
}
