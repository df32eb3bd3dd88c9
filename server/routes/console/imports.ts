import { scopeOf } from '../../console/scope.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { isSessionActive } from '../../sql/access/console-sessions.ts'
import { importBody, importQuery, sendErrorsCsv } from '../imports/imports.ts'
import { type ImportDeps, startImport } from '../imports/start-import.ts'
import type { UploadQueues } from '../imports/upload-queue.ts'

/** The same imports as with a key, on behalf of a session; when the session ends, so does the import. */
export function consoleImportRoutes(deps: ImportDeps, queues: UploadQueues): Route[] {
  const { sql } = deps
  const path = '/console/api/projects/:project/:env/imports'
  return [
    defineRoute({
      method: 'POST',
      path,
      access: 'console',
      query: importQuery,
      body: importBody,
      time: 'own',
      async handle(context) {
        const scope = await scopeOf(context, sql)
        const { id } = context.session
        return startImport(context, { ...scope, isAllowed: () => isSessionActive(sql, id) }, deps, queues)
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/:id/errors.csv`,
      access: 'console',
      handle: async (context) => sendErrorsCsv(context.params.id, await scopeOf(context, sql), deps),
    }),
  ]
}
