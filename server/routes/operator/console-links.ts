import * as v from 'valibot'
import { consoleLinksResponse, createConsoleLinkBody, createdConsoleLink } from '../../../src/contract/console-link.ts'
import { CONSOLE_LINK_DAYS } from '../../../src/contract/limits.ts'
import { operatorListParameters } from '../../../src/contract/operator-list.ts'
import { uuid } from '../../../src/contract/scalars.ts'
import type { AppDeps } from '../../app-deps.ts'
import { newSecret } from '../../console/sign-in.ts'
import { ApiError } from '../../http/api-error.ts'
import { hashKey } from '../../http/api-key.ts'
import { queryOf } from '../../http/query-rule.ts'
import { empty, json } from '../../http/response-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import {
  createConsoleLink,
  listConsoleLinks,
  OPERATOR_LINK_SECONDS,
  revokeConsoleLink,
} from '../../sql/access/console-sessions.ts'
import { PAGE_MEANINGS, readListPage } from './list-page.ts'
import { noSuchProject, operatorBody, requireProject } from './project-parameter.ts'

/** The operator's routes that create, list and revoke links to the console. */
export function consoleLinkRoutes(deps: AppDeps): Route[] {
  const { sql } = deps
  return [
    defineRoute({
      method: 'POST',
      path: '/operator/console-links',
      access: 'operator',
      body: operatorBody(createConsoleLinkBody, { project: 'Hotel', days: 30 }),
      responses: { 201: json(createdConsoleLink, 'Made.') },
      errors: ['not_found'],
      operationId: 'createConsoleLink',
      summary: 'Make a link that signs in to the console, shown this once',
      description:
        "With `project`, for the project's owner: as often as wanted, for so many days (30 by default). Without, for the operator: once, within ten minutes.",
      async handle({ body: { project: nameOrId, days = CONSOLE_LINK_DAYS.default } }) {
        if (!deps.console) throw new ApiError('not_found', 'The console is off: start the server with --console.')
        const project = nameOrId === undefined ? null : await requireProject(sql, nameOrId)
        const token = newSecret()
        const seconds = project === null ? OPERATOR_LINK_SECONDS : days * 86_400
        const link = { projectId: project?.id ?? null, tokenHash: hashKey(token), seconds }
        const made = await createConsoleLink(sql, link)
        if (!made) throw noSuchProject()
        return {
          status: 201,
          body: {
            id: made.id,
            project: project?.name ?? null,
            // In the fragment, which browsers do not send: it appears in no log and no referrer.
            path: `/console#sign-in=${token}`,
            public_url: deps.console.publicUrl ?? null,
            expires_at: made.expiresAt.toISOString(),
          },
        }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/operator/console-links',
      access: 'operator',
      query: queryOf(v.object(operatorListParameters), PAGE_MEANINGS),
      responses: { 200: json(consoleLinksResponse, 'Links, newest first: one page, or all.') },
      operationId: 'listConsoleLinks',
      summary: 'List links to the console',
      description: 'With the last sign-in of each. The links themselves are not shown again.',
      async handle({ query }) {
        const { page, next_cursor } = await readListPage(['console links'], query, deps.cursorSecret, (page) =>
          listConsoleLinks(sql, page),
        )
        return { status: 200, body: { links: page, next_cursor } }
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/operator/console-links/:id',
      access: 'operator',
      pathParameters: { id: { schema: uuid } },
      responses: { 204: empty('Revoked.') },
      operationId: 'revokeConsoleLink',
      summary: 'Revoke a link to the console, and sign everybody out who used it',
      description: 'A second call is 404.',
      async handle({ params: { id } }) {
        if (await revokeConsoleLink(sql, id)) return { status: 204 }
        throw new ApiError('not_found', 'There is no link with this id that could still be revoked.')
      },
    }),
  ]
}
