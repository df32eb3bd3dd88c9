import { consoleLinksResponse, createConsoleLinkBody, createdConsoleLink } from '../../src/contract/console-link.ts'
import { insightsParameters } from '../../src/contract/insights.ts'
import { createKeyBody } from '../../src/contract/key.ts'
import { createProjectBody, patchProjectBody, wipeBody } from '../../src/contract/project.ts'
import {
  retrySetAsideBody,
  retrySetAsideResponse,
  setAsideParameters,
  setAsideResponse,
} from '../../src/contract/set-aside.ts'
import { answerSchemaOf } from './json-schema.ts'
import { errors, noContent, queryParameters, ref, requestBody, success } from './parts.ts'

const security = [{ operatorToken: [] }]
const tags = ['Operator']
const headers = {}

const always = [
  'unauthorized',
  'unsupported_media_type',
  'validation_failed',
  'internal',
  'service_unavailable',
] as const
const withBody = [...always, 'payload_too_large'] as const

const project = {
  name: 'project',
  in: 'path',
  required: true,
  description: 'Name or id of the project.',
  schema: { type: 'string', minLength: 1 },
  example: 'Hotel',
}

/** The operator's routes. Their key is the operator token, which no API key replaces. */
export const operatorPaths = {
  '/operator/projects': {
    post: {
      operationId: 'createProject',
      tags,
      summary: 'Make a project',
      security,
      requestBody: requestBody(createProjectBody, {
        required: true,
        example: { name: 'Hotel', plan: 'free', origins: ['https://www.example.com'] },
      }),
      responses: { '201': success('Made.', ref('Project'), { headers }), ...errors(...withBody) },
    },
    get: {
      operationId: 'listProjects',
      tags,
      summary: 'List the projects',
      security,
      responses: {
        '200': success(
          'All projects.',
          {
            type: 'object',
            properties: { projects: { type: 'array', items: ref('Project') } },
            required: ['projects'],
          },
          { headers },
        ),
        ...errors(...always),
      },
    },
  },
  '/operator/projects/{project}': {
    parameters: [project],
    get: {
      operationId: 'getProject',
      tags,
      summary: 'Read a project',
      security,
      responses: { '200': success('The project.', ref('Project'), { headers }), ...errors(...always, 'not_found') },
    },
    patch: {
      operationId: 'updateProject',
      tags,
      summary: 'Change settings of a project',
      security,
      requestBody: requestBody(patchProjectBody, { required: true, example: { min_rating: 3 } }),
      responses: {
        '200': success('The project after the change.', ref('Project'), { headers }),
        ...errors(...withBody, 'not_found'),
      },
    },
    delete: {
      operationId: 'deleteProject',
      tags,
      summary: 'Delete a project with its keys and reviews',
      security,
      responses: { '204': noContent('Deleted.', headers), ...errors(...always, 'not_found') },
    },
  },
  '/operator/keys': {
    post: {
      operationId: 'createKey',
      tags,
      summary: 'Make an API key, shown this once',
      security,
      requestBody: requestBody(createKeyBody, {
        required: true,
        example: { project: 'Hotel', kind: 'publishable', env: 'live' },
      }),
      responses: { '201': success('Made.', ref('CreatedKey'), { headers }), ...errors(...withBody, 'not_found') },
    },
    get: {
      operationId: 'listKeys',
      tags,
      summary: 'List API keys',
      security,
      parameters: [{ ...project, in: 'query', required: false }],
      responses: {
        '200': success(
          'Keys, oldest first.',
          { type: 'object', properties: { keys: { type: 'array', items: ref('Key') } }, required: ['keys'] },
          { headers },
        ),
        ...errors(...always, 'not_found'),
      },
    },
  },
  '/operator/keys/{id}': {
    delete: {
      operationId: 'revokeKey',
      tags,
      summary: 'Revoke an API key',
      security,
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
      responses: { '204': noContent('Revoked.', headers), ...errors(...always, 'not_found') },
    },
  },
  '/operator/console-links': {
    post: {
      operationId: 'createConsoleLink',
      tags,
      summary: 'Make a link that signs in to the console, shown this once',
      description:
        "With `project`, for the project's owner: as often as wanted, for so many days (30 unless told). Without, for the operator: once, within ten minutes.",
      security,
      requestBody: requestBody(createConsoleLinkBody, { required: true, example: { project: 'Hotel', days: 30 } }),
      responses: {
        '201': success('Made.', answerSchemaOf(createdConsoleLink), { headers }),
        ...errors(...withBody, 'not_found'),
      },
    },
    get: {
      operationId: 'listConsoleLinks',
      tags,
      summary: 'List links to the console',
      security,
      responses: {
        '200': success('Links, newest first.', answerSchemaOf(consoleLinksResponse), { headers }),
        ...errors(...always),
      },
    },
  },
  '/operator/console-links/{id}': {
    delete: {
      operationId: 'revokeConsoleLink',
      tags,
      summary: 'Revoke a link to the console, and sign everybody out who used it',
      security,
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
      responses: { '204': noContent('Revoked.', headers), ...errors(...always, 'not_found') },
    },
  },
  '/operator/wipe': {
    post: {
      operationId: 'wipeReviews',
      tags,
      summary: "Remove every review of one of a project's environments",
      security,
      requestBody: requestBody(wipeBody, { required: true, example: { project: 'Hotel', env: 'test' } }),
      responses: {
        '200': success(
          'How many were removed.',
          { type: 'object', properties: { deleted: { type: 'integer', minimum: 0 } }, required: ['deleted'] },
          { headers },
        ),
        ...errors(...withBody, 'not_found'),
      },
    },
  },
  '/operator/insights': {
    get: {
      operationId: 'insights',
      tags,
      summary: 'What visitors searched, and what they did not find',
      description:
        'Counts by day, kept for a limited time, without addresses. With the cosine of the excerpt that comes nearest to each query that found nothing.',
      security,
      parameters: queryParameters(insightsParameters.entries, {
        project: 'Name or id of the project.',
        env: 'Environment.',
        days: 'How many days back, today included.',
        limit: 'Most queries in each list.',
      }).map((one) => (one.name === 'project' ? { ...one, required: true } : one)),
      responses: {
        '200': success('Totals, the most frequent queries, and those without an answer.', ref('Insights'), { headers }),
        ...errors(...always, 'not_found', 'embedding_unavailable'),
      },
    },
  },
  '/operator/set-aside': {
    get: {
      operationId: 'listSetAside',
      tags,
      summary: 'Reviews that are not indexed any more, and why',
      description:
        'Each failed twice by its own fault. It is tried again when its text or the model changes, or when that is asked for.',
      security,
      parameters: queryParameters(setAsideParameters.entries, {
        project: 'Name or id of a project; all unless given.',
        limit: 'Most reviews; `total` counts them all.',
      }),
      responses: {
        '200': success('The latest first.', answerSchemaOf(setAsideResponse), { headers }),
        ...errors(...always, 'not_found'),
      },
    },
  },
  '/operator/set-aside/retry': {
    post: {
      operationId: 'retrySetAside',
      tags,
      summary: 'Have reviews that were set aside tried again',
      security,
      requestBody: requestBody(retrySetAsideBody, { required: true, example: { project: 'Hotel' } }),
      responses: {
        '200': success('How many.', answerSchemaOf(retrySetAsideResponse), { headers }),
        ...errors(...withBody, 'not_found'),
      },
    },
  },
  '/operator/doctor': {
    get: {
      operationId: 'doctor',
      tags,
      summary: 'What is well with this server, what is not, and what to do about it',
      security,
      responses: { '200': success('A finding for each check.', ref('Diagnosis'), { headers }), ...errors(...always) },
    },
  },
  '/operator/backup': {
    get: {
      operationId: 'backup',
      tags,
      summary: 'A backup of everything, as one moment shows it',
      description: 'JSON lines, compressed with gzip; `pullquote restore` reads it. `x-backup` tells what is in it.',
      security,
      responses: {
        '200': {
          ...success('The file.', {}, { headers: { 'x-backup': { schema: { type: 'string' } } } }),
          content: { 'application/gzip': { schema: { type: 'string', contentMediaType: 'application/gzip' } } },
        },
        ...errors(...always),
      },
    },
  },
}
