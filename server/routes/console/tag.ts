import { type ConsolePageText, pageBody } from '../../../src/contract/console.ts'
import { BODY_BYTES } from '../../../src/contract/limits.ts'
import { pageQueries } from '../../../src/web-page/page-queries.ts'
import { projectOf, scopeOf } from '../../console/scope.ts'
import type { Pool } from '../../deps.ts'
import { ApiError } from '../../http/api-error.ts'
import { issueKey } from '../../http/api-key.ts'
import { jsonBody } from '../../http/body-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'

/** What a tag needs: a publishable key, and the queries that a page would send. */
export function consoleTagRoutes({ sql }: { sql: Pool }): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/console/api/projects/:project/:env/key',
      access: 'console',
      async handle(context) {
        const { project, env } = await scopeOf(context, sql)
        const fields = { projectId: project.id, env, kind: 'publishable', name: 'tag of the console' } as const
        const made = await issueKey(sql, fields)
        if (!made) throw new ApiError('not_found', 'This project no longer exists.')
        return { status: 201, body: { key: made.key } }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/console/api/projects/:project/page',
      access: 'console',
      body: jsonBody(pageBody, { maxBytes: BODY_BYTES.console }),
      async handle(context) {
        await projectOf(context, sql)
        // Seldom used, and their parser takes a start 40 ms.
        const [{ readPage }, { fetchPage, PageUnreadable }] = await Promise.all([
          import('../../../src/web-page/page-text.ts'),
          import('../../console/fetch-page.ts'),
        ])
        const anywhere = context.session.projectId === null
        const page = await fetchPage(context.body.url, { anywhere }).catch((error: unknown) => {
          if (!(error instanceof PageUnreadable)) throw error
          const { message } = error
          throw new ApiError('validation_failed', message, { details: [{ path: 'url', message }] })
        })
        const body: ConsolePageText = {
          url: page.url,
          origin: new URL(page.url).origin,
          queries: pageQueries(await readPage(page.html, page.url)),
        }
        return { status: 200, body }
      },
    }),
  ]
}
