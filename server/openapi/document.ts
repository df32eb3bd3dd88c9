import { RATE_WINDOW_SECONDS, REQUEST_ID_LENGTH } from '../../src/contract/limits.ts'
import type { Route } from '../http/route.ts'
import { errorExamples } from './error-examples.ts'
import { type Json, namedSchemas } from './json-schema.ts'
import { operationOf } from './operation.ts'

const TAGS = {
  Query: '/v1: searching.',
  Reviews: '/v1: storing and managing reviews.',
  Explain: "This server's own, outside /v1: why results appear.",
  Imports: "This server's own, outside /v1: uploads of vendors' exports.",
  Operator: "This server's own, outside /v1: projects, keys and upkeep, by the operator's token.",
  Service: "This server's own, outside /v1: what monitors, browsers and people read.",
}

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description })
const header = (description: string, schema: Json) => ({ description, schema })

const ID = { type: 'string', maxLength: REQUEST_ID_LENGTH }
const POLICY = { type: 'string', pattern: `^\\d+;w=${RATE_WINDOW_SECONDS}$` }

/** `/v1/reviews/:id` in OpenAPI's notation. */
const template = (path: string) => path.replace(/:(\w+)/g, '{$1}')

/**
 * The API description (OpenAPI 3.1) of the routes that have a name, generated from the schemas of their requests and
 * responses.
 */
export function openApiDocument(routes: readonly Route[], serverUrl: string, version: string): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes.filter(({ operationId }) => operationId !== undefined)) {
    const path = template(route.path)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pullquote',
      version,
      description:
        "Turns a business's reviews into a corpus that can be searched by meaning. Results are verbatim slices of review texts; nothing is generated. Project and environment (live or test) come from the key.\n\nBodies are JSON in UTF-8 with `Content-Type: application/json`. Unknown fields and parameters are refused, not ignored; responses may gain fields in later versions. Lengths of texts are counted in UTF-16 code units, as in JavaScript. Timestamps in responses are in UTC.",
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: namedSchemas(),
      examples: errorExamples(`${serverUrl}/docs`),
      headers: {
        RequestId: header(
          'Id of the request, also in `error.request_id`. A valid `x-request-id` of the request is kept.',
          ID,
        ),
        RateLimitPolicy: header('Requests allowed and the seconds of the window.', POLICY),
        RateLimitLimit: header('Requests allowed in a window.', { type: 'integer' }),
        RetryAfter: header('Seconds after which another try may succeed.', { type: 'integer', minimum: 1 }),
        Cache: header('Whether the answer came from the cache.', { type: 'string', enum: ['HIT', 'MISS', 'BYPASS'] }),
      },
      securitySchemes: {
        secretKey: bearer('A key that begins with `svc_sk_`: for servers only.'),
        anyKey: bearer(
          "A secret key, or a publishable one, which begins with `svc_pk_`: for searches from web pages of the project's allowed origins.",
        ),
        operatorToken: bearer("The operator's token of this server."),
      },
    },
  }
}
