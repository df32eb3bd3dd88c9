import { explainFields } from '../../src/contract/explain.ts'
import { queryBody } from '../../src/contract/query.ts'
import { type Json, jsonSchemaOf } from './json-schema.ts'
import { errors, ref, success } from './parts.ts'

const query = jsonSchemaOf(queryBody)
const own = jsonSchemaOf(explainFields)

/** The body of a query, in which `q` must stand, and the fields of this route. */
const schema: Json = {
  ...query,
  properties: { ...Object(query.properties), ...Object(own.properties) },
  required: ['q'],
}

/** `/explain`. */
export const explainPath = {
  '/explain': {
    post: {
      operationId: 'explainQuery',
      tags: ['Explain'],
      summary: 'Why a query returns what it returns',
      description:
        'The body of `POST /v1/query` with `q`; besides `review`, the id of a review that is missed, and `floor`, to see what another relevance floor would do. Counts against no quota. At most 16 KiB.',
      security: [{ secretKey: [] }],
      requestBody: {
        required: true,
        content: { 'application/json': { schema, example: { q: 'breakfast on the terrace', floor: 0.6 } } },
      },
      responses: {
        '200': success('What is returned and why, and what keeps the named review away.', ref('Explanation')),
        ...errors(
          'unauthorized',
          'forbidden',
          'not_found',
          'payload_too_large',
          'unsupported_media_type',
          'validation_failed',
          'rate_limited',
          'internal',
          'embedding_unavailable',
          'service_unavailable',
        ),
      },
    },
  },
}
