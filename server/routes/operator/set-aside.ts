import {
  retrySetAsideBody,
  retrySetAsideResponse,
  setAsideParameters,
  setAsideResponse,
} from '../../../src/contract/set-aside.ts'
import type { Pool } from '../../deps.ts'
import { queryOf } from '../../http/query-rule.ts'
import { json } from '../../http/response-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import type { Worker } from '../../indexing/worker.ts'
import { listSetAside, retrySetAside } from '../../sql/queue/set-aside.ts'
import { operatorBody, requireProject } from './project-parameter.ts'

/** The routes that list reviews that are no longer indexed, with the reason, and retry them. */
export function operatorSetAsideRoutes({ sql, worker }: { sql: Pool; worker: Pick<Worker, 'nudge'> }): Route[] {
  const idOf = async (project: string | undefined) =>
    project === undefined ? undefined : (await requireProject(sql, project)).id
  return [
    defineRoute({
      method: 'GET',
      path: '/operator/set-aside',
      access: 'operator',
      query: queryOf(setAsideParameters, {
        project: 'Name or id of a project; all unless given.',
        limit: 'Most reviews; `total` counts them all.',
      }),
      responses: { 200: json(setAsideResponse, 'The latest first.') },
      errors: ['not_found'],
      operationId: 'listSetAside',
      summary: 'Reviews that are not indexed any more, and why',
      description:
        'Each failed twice by its own fault. It is tried again when its text or the model changes, or when that is asked for.',
      async handle({ query: { project, limit } }) {
        return { status: 200, body: await listSetAside(sql, { projectId: await idOf(project), limit }) }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/operator/set-aside/retry',
      access: 'operator',
      body: operatorBody(retrySetAsideBody, { project: 'Hotel' }),
      responses: { 200: json(retrySetAsideResponse, 'How many.') },
      errors: ['not_found'],
      operationId: 'retrySetAside',
      summary: 'Have reviews that were set aside tried again',
      description: 'Those of one project, or all without `project`.',
      async handle({ body: { project } }) {
        const queued = await retrySetAside(sql, { projectId: await idOf(project) })
        if (queued > 0) worker.nudge()
        return { status: 200, body: { queued } }
      },
    }),
  ]
}
