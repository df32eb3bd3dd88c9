import { IMPORT_MEDIA_TYPES } from '../../../src/contract/import.ts'
import { IMPORT_FILE_BYTES } from '../../../src/contract/limits.ts'
import { scopeOf } from '../../console/scope.ts'
import type { ConsoleRoute } from '../../http/request-pipeline.ts'
import { isSessionActive } from '../../sql/access/console-sessions.ts'
import { type ImportDeps, sendErrorsCsv, startImport } from '../imports/imports.ts'
import type { UploadQueues } from '../imports/upload-queue.ts'

/** The same imports as by a key, in the name of who is signed in: one that ends meanwhile ends the import too. */
export function consoleImportRoutes(deps: ImportDeps, queues: UploadQueues): ConsoleRoute[] {
  const { sql } = deps
  const path = '/console/api/projects/:project/:env/imports'
  return [
    {
      method: 'POST',
      path,
      access: 'console',
      body: { maxBytes: IMPORT_FILE_BYTES, mediaTypes: IMPORT_MEDIA_TYPES },
      time: 'own',
      async handle(call) {
        const scope = await scopeOf(call, sql)
        const { id } = call.session
        return startImport(call, { ...scope, isAllowed: () => isSessionActive(sql, id) }, deps, queues)
      },
    },
    {
      method: 'GET',
      path: `${path}/:id/errors.csv`,
      access: 'console',
      handle: async (call) => sendErrorsCsv(call, await scopeOf(call, sql), deps),
    },
  ]
}
