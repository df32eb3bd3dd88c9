import * as v from 'valibot'
import { consoleLinksResponse, createdConsoleLink } from '../contract/console-link.ts'
import { doctorResponse } from '../contract/doctor.ts'
import { insightsResponse } from '../contract/insights.ts'
import { type CreateKeyBody, createdKey, keysResponse } from '../contract/key.ts'
import {
  type CreateProjectBody,
  type PatchProjectBody,
  project,
  projectsResponse,
  wipeResponse,
} from '../contract/project.ts'
import type { Environment } from '../contract/review.ts'
import { retrySetAsideResponse, setAsideResponse } from '../contract/set-aside.ts'
import { type BackupOptions, downloadBackup } from './backup.ts'
import { readAllPages, readFirstPage } from './pages.ts'
import { type CallOptions, createTransport, type Endpoint, type QueryParameters } from './transport.ts'

export type Operator = ReturnType<typeof createOperator>

/**
 * A client for the operator's routes, which are outside `/v1` and require the operator token.
 *
 * @param deps.signal aborts reads at once, and other requests only between attempts, so that their outcome is known
 */
export function createOperator(deps: Endpoint & { operatorToken: string; signal?: AbortSignal | undefined }) {
  const { signal } = deps
  const transport = createTransport({ ...deps, credential: 'operator token', bearer: deps.operatorToken })
  const call = <TSchema extends v.GenericSchema>(options: CallOptions<TSchema>) =>
    transport.call({ ...options, signal, signalEnds: options.method === 'GET' ? 'request' : 'waiting' })
  const get = <TSchema extends v.GenericSchema>(path: string, schema: TSchema, query: QueryParameters = {}) =>
    call({ method: 'GET', path: `/operator/${path}`, query, schema })
  const projectPage = (query: QueryParameters) => get('projects', projectsResponse, query)
  return {
    createProject: (body: CreateProjectBody) =>
      call({ method: 'POST', path: '/operator/projects', body, schema: project, creates: 'project' }),
    projects: () => readAllPages('projects', projectPage),
    /** The oldest ones, for callers that do not need all. */
    firstProjects: (limit: number) => readFirstPage('projects', projectPage, limit),
    project: (nameOrId: string) => get(`projects/${encodeURIComponent(nameOrId)}`, project),
    setProject: (nameOrId: string, body: PatchProjectBody) =>
      call({ method: 'PATCH', path: projectPath(nameOrId), body, schema: project }),
    deleteProject: (nameOrId: string) => call({ method: 'DELETE', path: projectPath(nameOrId), schema: v.unknown() }),
    createKey(body: CreateKeyBody) {
      // A duplicate of a key that expires is harmless, so the request may be retried.
      const creates = body.expires_in_seconds === undefined ? 'key' : undefined
      return call({ method: 'POST', path: '/operator/keys', body, schema: createdKey, creates })
    },
    keys: (project?: string) => readAllPages('keys', (page) => get('keys', keysResponse, { ...page, project })),
    /** Ignores the client's signal, because an interrupted command revokes its own key. */
    revokeKey(id: string, signal?: AbortSignal) {
      const path = `/operator/keys/${encodeURIComponent(id)}`
      return transport.call({ method: 'DELETE', path, schema: v.unknown(), signal, signalEnds: 'waiting' })
    },
    /** A console link: for one project and a number of days, or the operator's, which signs in once. */
    createConsoleLink: (body: { project?: string | undefined; days?: number | undefined }) =>
      call({
        method: 'POST',
        path: '/operator/console-links',
        body,
        schema: createdConsoleLink,
        creates: 'console link',
      }),
    consoleLinks: () => readAllPages('links', (page) => get('console-links', consoleLinksResponse, page)),
    revokeConsoleLink: (id: string) =>
      call({ method: 'DELETE', path: `/operator/console-links/${encodeURIComponent(id)}`, schema: v.unknown() }),
    doctor: async () => (await get('doctor', doctorResponse)).findings,
    insights: (query: { project: string; env: Environment; days: number; limit: number }) =>
      get('insights', insightsResponse, query),
    /** Reviews set aside from indexing, of one project or all. */
    setAside: (query: { project: string | undefined; limit: number }) => get('set-aside', setAsideResponse, query),
    /** @returns the number of reviews that will be retried */
    async retrySetAside(project: string | undefined) {
      const path = '/operator/set-aside/retry'
      return (await call({ method: 'POST', path, body: { project }, schema: retrySetAsideResponse })).queued
    },
    /** @returns the number of deleted reviews */
    async wipe(body: { project: string; env: Environment }) {
      return (await call({ method: 'POST', path: '/operator/wipe', body, schema: wipeResponse })).deleted
    },
    backup: (path: string, options: BackupOptions) => downloadBackup(transport.stream, path, options),
  }
}

function projectPath(nameOrId: string): string {
  return `/operator/projects/${encodeURIComponent(nameOrId)}`
}
