import type { ConsoleInsights } from '../../../src/contract/console.ts'
import { insightsParameters, insightsResponse } from '../../../src/contract/insights.ts'
import type { Environment } from '../../../src/contract/review.ts'
import type { AppDeps } from '../../app-deps.ts'
import { queryOf } from '../../http/query-rule.ts'
import { json } from '../../http/response-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import type { Project } from '../../sql/projects/projects.ts'
import { readInsights } from '../../sql/usage/query-insights.ts'
import { PROJECT_MEANING, requireProject } from './project-parameter.ts'

/** A query whose nearest excerpt is this close below the floor would have been answered with a slightly lower floor. */
const NEAR = 0.06

/** `GET /operator/insights?project=NAME`: what visitors searched for and did not find. */
export function operatorInsightsRoute(deps: AppDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/operator/insights',
    access: 'operator',
    query: queryOf(insightsParameters, {
      project: PROJECT_MEANING,
      env: 'Environment.',
      days: 'How many days back, today included.',
      limit: 'Most queries in each list.',
    }),
    responses: { 200: json(insightsResponse, 'Totals, the most frequent queries, and those without an answer.') },
    errors: ['not_found', 'embedding_unavailable'],
    operationId: 'getInsights',
    summary: 'What visitors searched, and what they did not find',
    description:
      'Counts by day, kept for a limited time, without addresses. With the cosine of the excerpt that comes nearest to each query that found nothing.',
    async handle({ query }) {
      const project = await requireProject(deps.sql, query.project)
      const { by_day: _, ...body } = await insightsOf(deps, project, query)
      return { status: 200, body }
    },
  })
}

/** What a project's visitors searched for in the last days, and the nearest excerpts for what they did not find. */
export async function insightsOf(
  { sql, insights: { nearest: findNearest, counting } }: Pick<AppDeps, 'sql' | 'insights'>,
  project: Project,
  { env, days, limit }: { env: Environment; days: number; limit: number },
): Promise<ConsoleInsights> {
  const { totals, top, unanswered, byDay } = await readInsights(sql, { projectId: project.id, env }, { days, limit })
  const floor = project.similarityFloor
  const queries = unanswered.map((one) => one.query)
  const cosines = await findNearest({ project, env }, queries)
  return {
    project: project.name,
    env,
    days,
    counting,
    floor,
    totals,
    top,
    unanswered: unanswered.map((one, i) => {
      const nearest = cosines[i] ?? null
      return { ...one, nearest, near_miss: nearest !== null && nearest < floor && nearest >= floor - NEAR }
    }),
    by_day: byDay,
  }
}
