import * as v from 'valibot'
import { createdKey, createKeyBody, keysResponse } from '../../../src/contract/key.ts'
import { operatorListParameters } from '../../../src/contract/operator-list.ts'
import { uuid } from '../../../src/contract/scalars.ts'
import type { AppDeps } from '../../app-deps.ts'
import { ApiError } from '../../http/api-error.ts'
import { issueKey } from '../../http/api-key.ts'
import { queryOf } from '../../http/query-rule.ts'
import { empty, json } from '../../http/response-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { listKeys, revokeKey } from '../../sql/access/keys.ts'
import { PAGE_MEANINGS, readListPage } from './list-page.ts'
import { noSuchProject, operatorBody, PROJECT_MEANING, requireProject } from './project-parameter.ts'

/** The operator's routes that create, list and revoke API keys. */
export function operatorKeyRoutes({ sql, cursorSecret }: AppDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/operator/keys',
      access: 'operator',
      body: operatorBody(createKeyBody, { project: 'Hotel', kind: 'publishable', env: 'live' }),
      responses: { 201: json(createdKey, 'Made.') },
      errors: ['not_found'],
      operationId: 'createKey',
      summary: 'Make an API key, shown this once',
      description: 'The server keeps its hash alone. Without `expires_in_seconds` it is good until it is revoked.',
      async handle({ body: { project: nameOrId, kind, env, name, expires_in_seconds: seconds } }) {
        const project = await requireProject(sql, nameOrId)
        const issued = await issueKey(sql, { projectId: project.id, env, kind, name, expiresInSeconds: seconds })
        if (issued === undefined) throw noSuchProject()
        const { hint: _, revoked_at: __, last_used_at: ___, ...fresh } = issued.record
        return { status: 201, body: { ...fresh, key: issued.key } }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/operator/keys',
      access: 'operator',
      query: queryOf(v.object({ project: v.optional(v.string()), ...operatorListParameters }), {
        project: PROJECT_MEANING,
        ...PAGE_MEANINGS,
      }),
      responses: { 200: json(keysResponse, 'Keys, oldest first: one page, or all.') },
      errors: ['not_found'],
      operationId: 'listKeys',
      summary: 'List API keys',
      description: 'With the last use of each. The keys themselves are not shown again.',
      async handle({ query: { project: nameOrId, ...request } }) {
        const project = nameOrId === undefined ? undefined : await requireProject(sql, nameOrId)
        const { page, next_cursor } = await readListPage(['keys', project?.id ?? null], request, cursorSecret, (page) =>
          listKeys(sql, project?.id, page),
        )
        return { status: 200, body: { keys: page, next_cursor } }
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/operator/keys/:id',
      access: 'operator',
      pathParameters: { id: { schema: uuid } },
      responses: { 204: empty('Revoked.') },
      operationId: 'revokeKey',
      summary: 'Revoke an API key',
      description: 'At once, on all servers of the database. A second call is 404.',
      async handle({ params: { id } }) {
        if (await revokeKey(sql, id)) return { status: 204 }
        throw new ApiError('not_found', 'There is no key with this id that could still be revoked.')
      },
    }),
  ]
}
