import type { SetAsideResponse } from '../../../src/contract/set-aside.ts'
import { retrySetAsideBody, setAsideParameters } from '../../../src/contract/set-aside.ts'
import { validate } from '../../../src/contract/validate.ts'
import type { Pool } from '../../deps.ts'
import { assertValid, validationFailed } from '../../http/api-error.ts'
import { parameterFindings } from '../../http/query-string.ts'
import { jsonBody, noParameters, type OperatorRoute } from '../../http/request-pipeline.ts'
import type { Worker } from '../../indexing/worker.ts'
import { listSetAside, retrySetAside } from '../../sql/queue/set-aside.ts'
import { OPERATOR_BODY_BYTES, requireProject } from './projects.ts'

/** The routes that tell which reviews are not indexed any more and why, and have them tried again. */
export function operatorSetAsideRoutes({ sql, worker }: { sql: Pool; worker: Pick<Worker, 'nudge'> }): OperatorRoute[] {
  const idOf = async (project: string | undefined) =>
    project === undefined ? undefined : (await requireProject(sql, project)).id
  return [
    {
      method: 'GET',
      path: '/operator/set-aside',
      access: 'operator',
      async handle({ query }) {
        const known = (name: string) => Object.hasOwn(setAsideParameters.entries, name)
        const details = parameterFindings(query, { known, once: () => true })
        if (details.length > 0) throw validationFailed(details)
        const [asked] = assertValid(validate(setAsideParameters, Object.fromEntries(query.parameters)))
        const found = await listSetAside(sql, { projectId: await idOf(asked.project), limit: asked.limit })
        const reviews = found.reviews.map(({ externalId, since, ...one }) => ({
          ...one,
          external_id: externalId,
          since: since.toISOString(),
        }))
        return { status: 200, body: { total: found.total, reviews } satisfies SetAsideResponse }
      },
    },
    {
      method: 'POST',
      path: '/operator/set-aside/retry',
      access: 'operator',
      body: { maxBytes: OPERATOR_BODY_BYTES },
      async handle(call) {
        const [, body] = assertValid(noParameters(call), validate(retrySetAsideBody, jsonBody(call)))
        const queued = await retrySetAside(sql, { projectId: await idOf(body.project) })
        if (queued > 0) worker.nudge()
        return { status: 200, body: { queued } }
      },
    },
  ]
}
