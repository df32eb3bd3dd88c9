import { healthResponse, readinessResponse } from '../../src/contract/health.ts'
import { reviewIdPrefix, reviewIdsResponse } from '../../src/contract/review.ts'
import { noteParameters, noteResponse } from '../../src/contract/snippet-note.ts'
import { whoamiResponse } from '../../src/contract/whoami.ts'
import { answerSchemaOf, type Json, jsonSchemaOf } from './json-schema.ts'
import { errors, queryParameters, ref, success } from './parts.ts'

const tags = ['Service']
const headers = {}

const readiness = answerSchemaOf(readinessResponse)

/** An answer that is no JSON. */
function page(description: string, mediaType: string): Json {
  return { ...success(description, {}, { headers }), content: { [mediaType]: { schema: { type: 'string' } } } }
}

const always = ['unsupported_media_type', 'validation_failed'] as const

/** What stands beside the API: health, metrics, its own description, the snippet. */
export const servicePaths = {
  '/review-ids/{beginning}': {
    get: {
      operationId: 'reviewIds',
      tags,
      summary: 'Ids of reviews that begin so, at most ten',
      security: [{ secretKey: [] }],
      parameters: [
        {
          name: 'beginning',
          in: 'path',
          required: true,
          description: '4 to 36 letters of an id.',
          schema: jsonSchemaOf(reviewIdPrefix),
        },
      ],
      responses: {
        '200': success('None, one or several ids.', answerSchemaOf(reviewIdsResponse)),
        ...errors(
          'unauthorized',
          'forbidden',
          'not_found',
          ...always,
          'rate_limited',
          'internal',
          'service_unavailable',
        ),
      },
    },
  },
  '/whoami': {
    get: {
      operationId: 'whoami',
      tags,
      summary: 'Of which project and environment a secret key is',
      security: [{ secretKey: [] }],
      responses: {
        '200': success('Its id, project and environment.', answerSchemaOf(whoamiResponse)),
        ...errors('unauthorized', 'forbidden', ...always, 'rate_limited', 'internal', 'service_unavailable'),
      },
    },
  },
  '/healthz': {
    get: {
      operationId: 'health',
      tags,
      summary: 'Whether the process answers',
      security: [],
      responses: {
        '200': success('It does.', answerSchemaOf(healthResponse), { headers }),
        ...errors(...always),
      },
    },
  },
  '/readyz': {
    get: {
      operationId: 'readiness',
      tags,
      summary: 'Whether database, model and worker are ready, and how far the indexing is',
      security: [],
      responses: {
        '200': success('Ready.', readiness, { headers }),
        '503': success(
          'Not ready: the error envelope and the checks.',
          { allOf: [ref('Error'), readiness] },
          { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } },
        ),
        ...errors(...always),
      },
    },
  },
  '/metrics': {
    get: {
      operationId: 'metrics',
      tags,
      summary: 'Requests, latencies, queue, cache and quotas, for Prometheus',
      security: [{ operatorToken: [] }],
      responses: { '200': page('The page.', 'text/plain'), ...errors('unauthorized', ...always, 'internal') },
    },
  },
  '/docs/errors': {
    get: {
      operationId: 'errorReference',
      tags,
      summary: 'Every error code, when it comes and what to do',
      security: [],
      responses: { '200': page('The page that `doc_url` leads to.', 'text/html'), ...errors(...always) },
    },
  },
  '/openapi.json': {
    get: {
      operationId: 'description',
      tags,
      summary: 'This description',
      security: [],
      responses: { '200': success('OpenAPI 3.1.', { type: 'object' }, { headers }), ...errors(...always) },
    },
  },
  '/snippet.js': {
    get: {
      operationId: 'snippet',
      tags,
      summary: 'The tag for web pages',
      description:
        'The current file. Under its content, `/snippet.<hash>.js`, it and those of earlier releases never change.',
      security: [],
      responses: {
        '200': page('The file.', 'text/javascript'),
        '304': { description: 'The file is the one that the client has.' },
        ...errors('not_found', ...always),
      },
    },
  },
  '/snippet/note': {
    get: {
      operationId: 'snippetNote',
      tags,
      summary: "Which reviews a publishable key's pages show, as a sentence",
      description: "Made of the project's settings as they are now, for any origin. It counts against no limit.",
      security: [],
      parameters: queryParameters(noteParameters.entries, {
        key: 'A publishable key.',
        lang: 'Language of the sentence, a BCP 47 tag.',
        min_rating: 'As the page asks, where it is stricter.',
      }),
      responses: {
        '200': success('The sentence.', answerSchemaOf(noteResponse), { headers }),
        ...errors('unauthorized', ...always, 'internal', 'service_unavailable'),
      },
    },
  },
}
