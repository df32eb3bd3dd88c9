import * as v from 'valibot'
import {
  type CreatedConsoleLink,
  consoleLinksResponse,
  createdConsoleLink,
  type ListedConsoleLink,
} from '../contract/console-link.ts'
import { doctorResponse, type Finding } from '../contract/doctor.ts'
import { type InsightsResponse, insightsResponse } from '../contract/insights.ts'
import { type CreatedKey, createdKey, type KeyKind, keysResponse, type ListedKey } from '../contract/key.ts'
import {
  type CreateProjectBody,
  type PatchProjectBody,
  type Project,
  project,
  projectsResponse,
  wipeResponse,
} from '../contract/project.ts'
import type { Environment } from '../contract/review.ts'
import { retrySetAsideResponse, type SetAsideResponse, setAsideResponse } from '../contract/set-aside.ts'
import type { Fetch } from './fetch.ts'
import type { RetryPolicy } from './retry.ts'
import { type CallOptions, createTransport } from './transport.ts'

/** A client of the operator's routes, which are outside `/v1` and guarded by the operator token. */
export interface Operator {
  createProject(fields: CreateProjectBody): Promise<Project>
  projects(): Promise<Project[]>
  project(nameOrId: string): Promise<Project>
  setProject(nameOrId: string, fields: PatchProjectBody): Promise<Project>
  deleteProject(nameOrId: string): Promise<void>
  createKey(fields: {
    project: string
    kind: KeyKind
    env: Environment
    name?: string | undefined
    expires_in_seconds?: number | undefined
  }): Promise<CreatedKey>
  keys(project?: string): Promise<ListedKey[]>
  /** Not ended by the signal of the client, since a command that was interrupted takes its own key back. */
  revokeKey(id: string, signal?: AbortSignal): Promise<void>
  /** A link to the console: for one project, for so many days; or the operator's, which signs in once. */
  createConsoleLink(fields: { project?: string | undefined; days?: number | undefined }): Promise<CreatedConsoleLink>
  consoleLinks(): Promise<ListedConsoleLink[]>
  revokeConsoleLink(id: string): Promise<void>
  doctor(): Promise<Finding[]>
  insights(asked: { project: string; env: Environment; days: number; limit: number }): Promise<InsightsResponse>
  /** Reviews that are not indexed any more, of one project or of all. */
  setAside(asked: { project: string | undefined; limit: number }): Promise<SetAsideResponse>
  /** @returns how many reviews are tried again */
  retrySetAside(project: string | undefined): Promise<number>
  /** @returns how many reviews were deleted */
  wipe(fields: { project: string; env: Environment }): Promise<number>
}

export function createOperator(deps: {
  fetch: Fetch
  baseUrl: string
  operatorToken: string
  retry?: RetryPolicy
  /** Ends the reading requests at once, and the waiting between two tries of the others, whose outcome is awaited. */
  signal?: AbortSignal | undefined
}): Operator {
  const { signal } = deps
  const caller = createTransport({ ...deps, presented: 'operator token', bearer: deps.operatorToken })
  const call = <TSchema extends v.GenericSchema>(options: CallOptions<TSchema>) =>
    caller.call({ ...options, signal, signalEnds: options.method === 'GET' ? 'request' : 'waiting' })
  return {
    async createProject(body) {
      return (await call({ method: 'POST', path: '/operator/projects', body, answer: project })).value
    },
    async projects() {
      return (await call({ method: 'GET', path: '/operator/projects', answer: projectsResponse })).value.projects
    },
    async project(nameOrId) {
      return (await call({ method: 'GET', path: projectPath(nameOrId), answer: project })).value
    },
    async setProject(nameOrId, body) {
      return (await call({ method: 'PATCH', path: projectPath(nameOrId), body, answer: project })).value
    },
    async deleteProject(nameOrId) {
      await call({ method: 'DELETE', path: projectPath(nameOrId), answer: v.unknown() })
    },
    async createKey(body) {
      return (await call({ method: 'POST', path: '/operator/keys', body, answer: createdKey })).value
    },
    async keys(name) {
      const query = new URLSearchParams(name === undefined ? {} : { project: name })
      return (await call({ method: 'GET', path: '/operator/keys', query, answer: keysResponse })).value.keys
    },
    async revokeKey(id, signal) {
      const path = `/operator/keys/${encodeURIComponent(id)}`
      await caller.call({ method: 'DELETE', path, answer: v.unknown(), signal, signalEnds: 'waiting' })
    },
    async createConsoleLink(body) {
      const answer = createdConsoleLink
      return (await call({ method: 'POST', path: '/operator/console-links', body, answer })).value
    },
    async consoleLinks() {
      return (await call({ method: 'GET', path: '/operator/console-links', answer: consoleLinksResponse })).value.links
    },
    async revokeConsoleLink(id) {
      const path = `/operator/console-links/${encodeURIComponent(id)}`
      await call({ method: 'DELETE', path, answer: v.unknown() })
    },
    async insights({ project, env, days, limit }) {
      const query = new URLSearchParams({ project, env, days: String(days), limit: String(limit) })
      return (await call({ method: 'GET', path: '/operator/insights', query, answer: insightsResponse })).value
    },
    async doctor() {
      return (await call({ method: 'GET', path: '/operator/doctor', answer: doctorResponse })).value.findings
    },
    async setAside({ project, limit }) {
      const query = new URLSearchParams({ ...(project === undefined ? {} : { project }), limit: String(limit) })
      return (await call({ method: 'GET', path: '/operator/set-aside', query, answer: setAsideResponse })).value
    },
    async retrySetAside(project) {
      const body = project === undefined ? {} : { project }
      return (await call({ method: 'POST', path: '/operator/set-aside/retry', body, answer: retrySetAsideResponse }))
        .value.queued
    },
    async wipe(body) {
      return (await call({ method: 'POST', path: '/operator/wipe', body, answer: wipeResponse })).value.deleted
    },
  }
}

function projectPath(nameOrId: string): string {
  return `/operator/projects/${encodeURIComponent(nameOrId)}`
}
