import * as v from 'valibot'
import { createdKey, createKeyBody, keysResponse, type ListedKey } from '../../../src/contract/key.ts'
import { uuid } from '../../../src/contract/scalars.ts'
import type { Clock, Pool } from '../../deps.ts'
import { ApiError } from '../../http/api-error.ts'
import { hashKey, keyHint, newApiKey } from '../../http/api-key.ts'
import { queryOf } from '../../http/query-rule.ts'
import { empty, json } from '../../http/response-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { createKey, type KeyRecord, listKeys, revokeKey } from '../../sql/access/keys.ts'
import { noSuchProject, operatorBody, PROJECT_MEANING, requireProject } from './project-parameter.ts'

/** The routes by which the operator makes, lists and revokes API keys. */
export function operatorKeyRoutes({ sql, clock }: { sql: Pool; clock: Clock }): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/operator/keys',
      access: 'operator',
      body: operatorBody(createKeyBody, { project: 'Hotel', kind: 'publishable', env: 'live' }),
      responses: { 201: json(createdKey, 'Made.') },
      errors: ['not_found'],
      operationId: 'createKey',
      tag: 'Operator',
      summary: 'Make an API key, shown this once',
      async handle({ body: { project: nameOrId, kind, env, name, expires_in_seconds: seconds } }) {
        const project = await requireProject(sql, nameOrId)
        const key = newApiKey(kind, env)
        const expiresAt = seconds === undefined ? undefined : new Date(clock().getTime() + seconds * 1000)
        const made = { projectId: project.id, env, kind, keyHash: hashKey(key), hint: keyHint(key), name }
        const record = await createKey(sql, { ...made, ...(expiresAt && { expiresAt }) })
        if (record === undefined) throw noSuchProject()
        const { hint: _, revoked_at: __, last_used_at: ___, ...fresh } = toListedKey(record)
        return { status: 201, body: { ...fresh, key } }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/operator/keys',
      access: 'operator',
      query: queryOf(v.object({ project: v.optional(v.string()) }), { project: PROJECT_MEANING }),
      responses: { 200: json(keysResponse, 'Keys, oldest first.') },
      errors: ['not_found'],
      operationId: 'listKeys',
      tag: 'Operator',
      summary: 'List API keys',
      async handle({ query: { project: nameOrId } }) {
        const project = nameOrId === undefined ? undefined : await requireProject(sql, nameOrId)
        return { status: 200, body: { keys: (await listKeys(sql, project?.id)).map(toListedKey) } }
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/operator/keys/:id',
      access: 'operator',
      pathParameters: { id: { schema: uuid } },
      responses: { 204: empty('Revoked.') },
      errors: ['not_found'],
      operationId: 'revokeKey',
      tag: 'Operator',
      summary: 'Revoke an API key',
      async handle({ params: { id } }) {
        if (await revokeKey(sql, id)) return { status: 204 }
        throw new ApiError('not_found', 'There is no key with this id that could still be revoked.')
      },
    }),
  ]
}

function toListedKey(key: KeyRecord): ListedKey {
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
