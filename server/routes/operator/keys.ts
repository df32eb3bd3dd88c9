import type { ListedKey } from '../../../src/contract/key.ts'
import { createKeyBody } from '../../../src/contract/key.ts'
import { validate } from '../../../src/contract/validate.ts'
import type { Clock, Pool } from '../../deps.ts'
import { ApiError, assertValid, validationFailed } from '../../http/api-error.ts'
import { hashKey, keyHint, newApiKey } from '../../http/api-key.ts'
import { parameterFindings } from '../../http/query-string.ts'
import { jsonBody, noParameters, type OperatorRoute } from '../../http/request-pipeline.ts'
import { createKey, type KeyRecord, listKeys, revokeKey } from '../../sql/access/keys.ts'
import { OPERATOR_BODY_BYTES, requireProject } from './projects.ts'

/** The routes by which the operator makes, lists and revokes API keys. */
export function operatorKeyRoutes({ sql, clock }: { sql: Pool; clock: Clock }): OperatorRoute[] {
  return [
    {
      method: 'POST',
      path: '/operator/keys',
      access: 'operator',
      body: { maxBytes: OPERATOR_BODY_BYTES },
      async handle(call) {
        const [, body] = assertValid(noParameters(call), validate(createKeyBody, jsonBody(call)))
        const project = await requireProject(sql, body.project)
        const key = newApiKey(body.kind, body.env)
        const seconds = body.expires_in_seconds
        const record = await createKey(sql, {
          projectId: project.id,
          env: body.env,
          kind: body.kind,
          keyHash: hashKey(key),
          hint: keyHint(key),
          name: body.name,
          ...(seconds === undefined ? {} : { expiresAt: new Date(clock().getTime() + seconds * 1000) }),
        })
        if (record === undefined) throw new ApiError('not_found', 'There is no project with this name or id.')
        const { hint: _, revoked_at: __, last_used_at: ___, ...fresh } = shown(record)
        return { status: 201, body: { ...fresh, key } }
      },
    },
    {
      method: 'GET',
      path: '/operator/keys',
      access: 'operator',
      async handle({ query }) {
        const isProject = (parameter: string) => parameter === 'project'
        const details = parameterFindings(query, { known: isProject, once: isProject })
        if (details.length > 0) throw validationFailed(details)
        const name = query.parameters.get('project') ?? undefined
        const project = name === undefined ? undefined : await requireProject(sql, name)
        return { status: 200, body: { keys: (await listKeys(sql, project?.id)).map(shown) } }
      },
    },
    {
      method: 'DELETE',
      path: '/operator/keys/:id',
      access: 'operator',
      async handle(call) {
        assertValid(noParameters(call))
        if (await revokeKey(sql, call.params.id ?? '')) return { status: 204 }
        throw new ApiError('not_found', 'There is no key with this id that could still be revoked.')
      },
    },
  ]
}

function shown(key: KeyRecord): ListedKey {
  return {
    id: key.id,
    kind: key.kind,
    env: key.env,
    project: key.project,
    name: key.name,
    hint: key.hint,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  }
}
