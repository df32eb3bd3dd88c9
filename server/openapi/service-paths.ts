import * as v from 'valibot'
import { REVIEW_ID_PREFIX, reviewIds } from '../../src/contract/review-ids.ts'
import { whoami } from '../../src/contract/whoami.ts'
import { noteParameters } from '../routes/service/snippet-note.ts'
import { type Json, jsonSchemaOf } from './json-schema.ts'
import { errors, queryParameters, ref, success } from './parts.ts'

const tags = ['Service']
const headers = {}

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const instant = v.pipe(v.string(), v.isoTimestamp())
const readiness = jsonSchemaOf(
  v.object({
    ready: v.boolean(),
    database: v.object({ ok: v.boolean() }),
    model: v.object({ name: v.string(), active: v.boolean() }),
    queue: v.nullable(
      v.object({ queued: count, running: count, failing: count, set_aside: count, oldest_seconds: count }),
    ),
    worker: v.object({
      status: v.picklist(['idle', 'indexing', 'waiting', 'stopped']),
      waiting: v.nullable(
        v.object({
          reason: v.picklist([
            'embedding_unavailable',
            'daily_allowance',
            'other_model',
            'disk_full',
            'database_unavailable',
            'internal',
          ]),
          since: instant,
          until: instant,
        }),
      ),
      indexed: count,
      failed: count,
      last_indexed_at: v.nullable(instant),
    }),
    search_memory: v.nullable(
      v.object({
        budget: count,
        bytes: count,
        loaded: count,
        loading: count,
        refused: count,
        excerpts: count,
        threads: count,
        threads_lost: count,
        inline: count,
        threaded: count,
      }),
    ),
  }),
)

const note = v.object({ min_rating: v.pipe(v.number(), v.integer()), note: v.string(), lang: v.string() })

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
          schema: jsonSchemaOf(REVIEW_ID_PREFIX),
        },
      ],
      responses: {
        '200': success('None, one or several ids.', jsonSchemaOf(reviewIds)),
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
        '200': success('Its id, project and environment.', jsonSchemaOf(whoami)),
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
        '200': success('It does.', jsonSchemaOf(v.object({ status: v.literal('ok') })), { headers }),
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
        '200': success('The sentence.', jsonSchemaOf(note), { headers }),
        ...errors('unauthorized', ...always, 'internal', 'service_unavailable'),
      },
    },
  },
}
