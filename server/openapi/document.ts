import * as v from 'valibot'
import { errorEnvelope, listResponse, pushResponse, queryResponse, storedReview } from '../../src/contract/responses.ts'
import { importPaths, importSchemas } from './import-paths.ts'
import { type Json, jsonSchemaOf } from './json-schema.ts'
import { operatorPaths } from './operator-paths.ts'
import { errors, success } from './parts.ts'
import { queryPath } from './query-path.ts'
import { reviewPaths } from './review-paths.ts'

const instant = v.pipe(v.string(), v.isoTimestamp())
const environment = v.picklist(['live', 'test'])
const kind = v.picklist(['secret', 'publishable'])

const project = v.object({
  id: v.pipe(v.string(), v.uuid()),
  name: v.string(),
  plan: v.picklist(['free', 'paid']),
  origins: v.array(v.string()),
  similarity_floor: v.number(),
  min_rating: v.number(),
  reviews: v.object({ live: v.number(), test: v.number() }),
  created_at: instant,
})

const keyFields = { id: v.pipe(v.string(), v.uuid()), kind, env: environment, project: v.string(), created_at: instant }
const createdKey = v.object({ ...keyFields, key: v.string(), expires_at: v.nullable(instant) })
const key = v.object({
  ...keyFields,
  hint: v.string(),
  expires_at: v.nullable(instant),
  revoked_at: v.nullable(instant),
})

const SCHEMAS: Record<string, v.GenericSchema> = {
  StoredReview: storedReview,
  PushResponse: pushResponse,
  ListResponse: listResponse,
  QueryResponse: queryResponse,
  Error: errorEnvelope,
  Project: project,
  CreatedKey: createdKey,
  Key: key,
  ...importSchemas,
}

const anyObject: Json = { type: 'object' }

const servicePaths = {
  '/healthz': {
    get: {
      operationId: 'health',
      tags: ['Service'],
      summary: 'Whether the process answers',
      security: [],
      responses: {
        '200': success('It does.', anyObject, { headers: {} }),
        ...errors('unsupported_media_type', 'validation_failed'),
      },
    },
  },
  '/readyz': {
    get: {
      operationId: 'readiness',
      tags: ['Service'],
      summary: 'Whether database, model and worker are ready, and how far the indexing is',
      security: [],
      responses: {
        '200': success('Ready.', anyObject, { headers: {} }),
        '503': success('Not ready: the error envelope and the checks.', anyObject, { headers: {} }),
        ...errors('unsupported_media_type', 'validation_failed'),
      },
    },
  },
}

const header = (description: string, schema: Json) => ({ description, schema })

/** The API description (OpenAPI 3.1), made of the schemas that validate requests and describe answers. */
export function openApiDocument(serverUrl: string, version: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pullquote',
      version,
      description:
        "Turns a business's reviews into a corpus that can be searched by meaning. Results are verbatim slices of review texts; nothing is generated. Project and environment come from the key.",
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    tags: ['Query', 'Reviews', 'Imports', 'Operator', 'Service'].map((name) => ({ name })),
    paths: { ...queryPath, ...reviewPaths, ...importPaths, ...operatorPaths, ...servicePaths },
    components: {
      schemas: Object.fromEntries(Object.entries(SCHEMAS).map(([name, schema]) => [name, jsonSchemaOf(schema)])),
      headers: {
        RequestId: header('The id of the request, also in an error envelope.', { type: 'string', maxLength: 128 }),
        RateLimitPolicy: header('Requests allowed and the seconds of the window.', {
          type: 'string',
          pattern: '^\\d+;w=60$',
        }),
        RateLimitLimit: header('Requests allowed in a window.', { type: 'integer' }),
        RetryAfter: header('Seconds after which another try may succeed.', { type: 'integer', minimum: 1 }),
        Cache: header('Whether the answer came from the cache.', { type: 'string', enum: ['HIT', 'MISS', 'BYPASS'] }),
      },
      securitySchemes: {
        secretKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A key that begins with `svc_sk_`: for servers only.',
        },
        publishableKey: {
          type: 'http',
          scheme: 'bearer',
          description: "A key that begins with `svc_pk_`: for web pages, from the project's allowed origins.",
        },
        publishableKeyInQuery: { type: 'apiKey', in: 'query', name: 'key', description: 'A publishable key.' },
        operatorToken: { type: 'http', scheme: 'bearer', description: "The operator's token of this server." },
      },
    },
  }
}
