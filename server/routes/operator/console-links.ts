import type { ListedConsoleLink } from '../../../src/contract/console-link.ts'
import { createConsoleLinkBody } from '../../../src/contract/console-link.ts'
import { CONSOLE_LINK_DAYS } from '../../../src/contract/limits.ts'
import { validate } from '../../../src/contract/validate.ts'
import type { ConsoleSettings } from '../../console/access.ts'
import { newSecret } from '../../console/sign-in.ts'
import type { Pool } from '../../deps.ts'
import { ApiError, assertValid } from '../../http/api-error.ts'
import { hashKey } from '../../http/api-key.ts'
import { jsonBody, noParameters, type OperatorRoute } from '../../http/request-pipeline.ts'
import {
  type ConsoleLink,
  createConsoleLink,
  listConsoleLinks,
  OPERATOR_LINK_SECONDS,
  revokeConsoleLink,
} from '../../sql/access/console-sessions.ts'
import { OPERATOR_BODY_BYTES, requireProject } from './projects.ts'

/** The routes by which the operator gives links to the console, lists and revokes them. */
export function operatorConsoleRoutes(deps: { sql: Pool; console?: ConsoleSettings }): OperatorRoute[] {
  const { sql } = deps
  return [
    {
      method: 'POST',
      path: '/operator/console-links',
      access: 'operator',
      body: { maxBytes: OPERATOR_BODY_BYTES },
      async handle(call) {
        const [, body] = assertValid(noParameters(call), validate(createConsoleLinkBody, jsonBody(call)))
        if (!deps.console) throw new ApiError('not_found', 'The console is off: start the server with --console.')
        const project = body.project === undefined ? null : await requireProject(sql, body.project)
        const token = newSecret()
        const seconds = project === null ? OPERATOR_LINK_SECONDS : (body.days ?? CONSOLE_LINK_DAYS.default) * 86_400
        const made = await createConsoleLink(sql, {
          projectId: project?.id ?? null,
          tokenHash: hashKey(token),
          seconds,
        })
        if (!made) throw new ApiError('not_found', 'There is no project with this name or id.')
        return {
          status: 201,
          body: {
            id: made.id,
            project: project?.name ?? null,
            // Behind the #, which browsers keep to themselves: it stands in no log and no referrer.
            path: `/console#sign-in=${token}`,
            public_url: deps.console.publicUrl ?? null,
            expires_at: made.expiresAt.toISOString(),
          },
        }
      },
    },
    {
      method: 'GET',
      path: '/operator/console-links',
      access: 'operator',
      async handle(call) {
        assertValid(noParameters(call))
        return { status: 200, body: { links: (await listConsoleLinks(sql)).map(shown) } }
      },
    },
    {
      method: 'DELETE',
      path: '/operator/console-links/:id',
      access: 'operator',
      async handle(call) {
        assertValid(noParameters(call))
        if (await revokeConsoleLink(sql, call.params.id ?? '')) return { status: 204 }
        throw new ApiError('not_found', 'There is no link with this id that could still be revoked.')
      },
    },
  ]
}

function shown(link: ConsoleLink): ListedConsoleLink {
  return {
    id: link.id,
    project: link.project,
    created_at: link.createdAt.toISOString(),
    expires_at: link.expiresAt.toISOString(),
    used_at: link.usedAt?.toISOString() ?? null,
    revoked_at: link.revokedAt?.toISOString() ?? null,
    sessions: link.sessions,
  }
}
