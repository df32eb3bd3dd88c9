import { IMPORT_MEDIA_TYPES, importProgress, importResponse, PROGRESS_MEDIA_TYPE } from '../../src/contract/import.ts'
import { mappingFile } from '../../src/importer/formats/mapping.ts'
import { jsonSchemaOf } from './json-schema.ts'
import { errors, ref, success } from './parts.ts'

const security = [{ secretKey: [] }]
const tags = ['Imports']
const bytes = { type: 'string', contentMediaType: 'application/octet-stream' }

const parameter = (name: string, description: string, schema: object, more: object = {}) => ({
  name,
  in: 'query',
  required: false,
  description,
  ...(Object.keys(schema).length > 0 ? { schema } : {}),
  ...more,
})

/** This server's own routes for uploads; they are no part of the contract's `/v1`. */
export const importPaths = {
  '/imports': {
    post: {
      operationId: 'importFile',
      tags,
      summary: "Import a vendor's export",
      description: `The body is the file as it is: CSV, JSON, JSON lines, GeoJSON, or a zip of them such as a Google Takeout; at most 10 MiB. The format is recognised; \`mapping\` overrides what was. With \`Accept: ${PROGRESS_MEDIA_TYPE}\` the answer tells the progress line by line, its last line has \`result\` or \`error\`, and closing the connection ends the import between two batches. Sending the same file again continues or updates.`,
      security,
      parameters: [
        parameter('file_name', 'Name of the file, for messages.', { type: 'string', maxLength: 255 }),
        parameter('dry_run', 'Only say what would happen.', { type: 'string', enum: ['true', 'false'] }),
        parameter(
          'mapping',
          'A mapping, as JSON.',
          {},
          { content: { 'application/json': { schema: jsonSchemaOf(mappingFile) } } },
        ),
      ],
      requestBody: {
        required: true,
        content: Object.fromEntries(IMPORT_MEDIA_TYPES.map((type) => [type, { schema: bytes }])),
      },
      responses: {
        '200': withProgress(success('Imported; rows that could not be are in `errors_csv`.', ref('ImportResult'))),
        ...errors(
          'unauthorized',
          'forbidden',
          'payload_too_large',
          'unsupported_media_type',
          'validation_failed',
          'review_limit_reached',
          'rate_limited',
          'internal',
          'service_unavailable',
        ),
      },
    },
  },
  '/imports/{id}/errors.csv': {
    get: {
      operationId: 'getImportErrors',
      tags,
      summary: 'The rows that an import skipped',
      description: 'Line, reason, then the columns of the row, to be mended and imported again. Kept for a week.',
      security,
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
      responses: {
        '200': { ...success('The rows.', {}), content: { 'text/csv': { schema: { type: 'string' } } } },
        ...errors(
          'unauthorized',
          'forbidden',
          'not_found',
          'unsupported_media_type',
          'validation_failed',
          'rate_limited',
          'internal',
          'service_unavailable',
        ),
      },
    },
  },
}

function withProgress<T extends object>(answer: T): T {
  const lines = { [PROGRESS_MEDIA_TYPE]: { schema: jsonSchemaOf(importProgress) } }
  return { ...answer, content: { ...('content' in answer ? (answer.content as object) : {}), ...lines } }
}

export const importSchemas = { ImportResult: importResponse }
