import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import {
  IMPORT_MEDIA_TYPES,
  importLine,
  importParameters,
  importResponse,
  PROGRESS_MEDIA_TYPE,
} from '../../../src/contract/import.ts'
import { IMPORT_FILE_BYTES } from '../../../src/contract/limits.ts'
import { uuid } from '../../../src/contract/scalars.ts'
import { importOptions } from '../../../src/importer/formats/mapping.ts'
import type { Pool } from '../../deps.ts'
import { ApiError } from '../../http/api-error.ts'
import { fileBody } from '../../http/body-rule.ts'
import { queryOf } from '../../http/query-rule.ts'
import { json, text } from '../../http/response-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { isKeyActive } from '../../sql/access/keys.ts'
import { readImportReport } from '../../sql/reviews/import-reports.ts'
import { environmentOf } from '../../sql/scope.ts'
import { type ImportDeps, type Importer, startImport } from './start-import.ts'
import { UploadQueues } from './upload-queue.ts'

/** The query string of an upload. */
export const importQuery = {
  ...queryOf(importParameters, {
    file_name: 'Name of the file, for messages.',
    dry_run: 'Only report what would happen. Default: `false`.',
    mapping: 'A mapping, as JSON.',
  }),
  json: { mapping: importOptions },
}

export const importBody = fileBody({ maxBytes: IMPORT_FILE_BYTES, mediaTypes: IMPORT_MEDIA_TYPES })

/** This server's own routes for uploads, outside `/v1`. */
export function importRoutes(deps: ImportDeps, queues = new UploadQueues()): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/imports',
      access: 'secret key',
      query: importQuery,
      body: importBody,
      time: 'own',
      responses: {
        200: json(importResponse, 'Imported; rows that could not be imported are in `errors_csv`.', {
          alternatives: { [PROGRESS_MEDIA_TYPE]: importLine },
        }),
      },
      errors: ['review_limit_reached'],
      operationId: 'importFile',
      tag: 'Imports',
      summary: "Import a vendor's export",
      description: `The body is the file as it is: CSV, JSON, JSON lines, GeoJSON, XML, XLSX, or a zip such as a Google Takeout; at most 10 MiB. The format is recognised; \`mapping\` overrides it. With \`Accept: ${PROGRESS_MEDIA_TYPE}\` (or if that is preferred to JSON) the answer is the progress, one JSON object per line, with status 200 even if the import fails: the last line has \`result\` or \`error\`. Closing the connection ends the import between two batches. Sending the same file again continues or updates.`,
      handle: (context) => {
        const { keyId, project, env } = context.key
        return startImport(context, { project, env, isAllowed: () => isKeyActive(deps.sql, keyId) }, deps, queues)
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/imports/:id/errors.csv',
      access: 'secret key',
      pathParameters: { id: { schema: uuid } },
      responses: { 200: text('text/csv', 'The rows.') },
      operationId: 'getImportErrors',
      tag: 'Imports',
      summary: 'The rows that an import skipped',
      description: 'Line, reason, then the columns of the row, to be corrected and imported again. Kept for a week.',
      handle: ({ key, params }) => sendErrorsCsv(params.id, key, deps),
    }),
  ]
}

const decompress = promisify(gunzip)

/** The rows that an import left out. */
export async function sendErrorsCsv(id: string, importer: Pick<Importer, 'project' | 'env'>, { sql }: { sql: Pool }) {
  const stored = await readImportReport(sql, environmentOf(importer), id)
  if (stored === undefined) {
    const message = 'There is no such errors.csv: it is kept for a week, for the project and environment of its import.'
    throw new ApiError('not_found', message)
  }
  return {
    status: 200 as const,
    body: (await decompress(stored)).toString('utf8'),
    headers: { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': 'attachment; filename="errors.csv"' },
  }
}
