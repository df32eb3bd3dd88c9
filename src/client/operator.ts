import * as v from 'valibot'
import {
  type CreatedConsoleLink,
  consoleLinks,
  createdConsoleLink,
  type ListedConsoleLink,
} from '../contract/console-links.ts'
import { diagnosis, type Finding } from '../contract/diagnosis.ts'
import { type InsightsAnswer, insights } from '../contract/insights.ts'
import type { KeyKind } from '../contract/key.ts'
import type { Plan } from '../contract/limits.ts'
import type { Environment } from '../contract/review.ts'
import { type SetAsideList, setAsideList, setAsideRetried } from '../contract/set-aside.ts'
import { type CallOptions, createCaller, type Fetch, type RetryPolicy } from './call.ts'

const environment = v.picklist(['live', 'test'])
const keyKind = v.picklist(['secret', 'publishable'])

const project = v.looseObject({
  id: v.string(),
  name: v.string(),
  plan: v.picklist(['free', 'paid']),
  origins: v.array(v.string()),
  similarity_floor: v.number(),
  min_rating: v.number(),
  excerpts: v.optional(v.picklist(['all', 'no_complaints']), 'all'),
  reviews: v.looseObject({ live: v.number(), test: v.number() }),
  review_limit: v.optional(v.number()),
  created_at: v.string(),
})
export type Project = v.InferOutput<typeof project>

const createdKey = v.looseObject({
  id: v.string(),
  key: v.string(),
  kind: keyKind,
  env: environment,
  project: v.string(),
})
export type CreatedKey = v.InferOutput<typeof createdKey>

const listedKey = v.looseObject({
  id: v.string(),
  kind: keyKind,
  env: environment,
  project: v.string(),
  name: v.optional(v.nullable(v.string()), null),
  hint: v.string(),
  created_at: v.string(),
  last_used_at: v.optional(v.nullable(v.string()), null),
  revoked_at: v.nullable(v.string()),
  expires_at: v.nullable(v.string()),
})
export type ListedKey = v.InferOutput<typeof listedKey>

export interface ProjectFields {
  name?: string | undefined
  plan?: Plan | undefined
  origins?: string[] | undefined
  similarity_floor?: number | undefined
  min_rating?: number | undefined
  excerpts?: 'all' | 'no_complaints' | undefined
}

/** A client of the operator's routes, which are outside `/v1` and guarded by the operator token. */
export interface Operator {
  createProject(fields: ProjectFields & { name: string }): Promise<Project>
  projects(): Promise<Project[]>
  project(nameOrId: string): Promise<Project>
  setProject(nameOrId: string, fields: ProjectFields): Promise<Project>
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
  insights(asked: { project: string; env: Environment; days: number; limit: number }): Promise<InsightsAnswer>
  /** Reviews that are not indexed any more, of one project or of all. */
  setAside(asked: { project: string | undefined; limit: number }): Promise<SetAsideList>
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
  const caller = createCaller({ ...deps, presented: 'operator token', bearer: deps.operatorToken })
  const call = <TSchema extends v.GenericSchema>(options: CallOptions<TSchema>) =>
    caller.call({ ...options, signal, signalEnds: options.method === 'GET' ? 'request' : 'waiting' })
  return {
    async createProject(body) {
      return (await call({ method: 'POST', path: '/operator/projects', body, answer: project })).value
    },
    async projects() {
      const answer = v.looseObject({ projects: v.array(project) })
      return (await call({ method: 'GET', path: '/operator/projects', answer })).value.projects
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
      const answer = v.looseObject({ keys: v.array(listedKey) })
      return (await call({ method: 'GET', path: '/operator/keys', query, answer })).value.keys
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
      return (await call({ method: 'GET', path: '/operator/console-links', answer: consoleLinks })).value.links
    },
    async revokeConsoleLink(id) {
      const path = `/operator/console-links/${encodeURIComponent(id)}`
      await call({ method: 'DELETE', path, answer: v.unknown() })
    },
    async insights({ project, env, days, limit }) {
      const query = new URLSearchParams({ project, env, days: String(days), limit: String(limit) })
      return (await call({ method: 'GET', path: '/operator/insights', query, answer: insights })).value
    },
    async doctor() {
      return (await call({ method: 'GET', path: '/operator/doctor', answer: diagnosis })).value.findings
    },
    async setAside({ project, limit }) {
      const query = new URLSearchParams({ ...(project === undefined ? {} : { project }), limit: String(limit) })
      return (await call({ method: 'GET', path: '/operator/set-aside', query, answer: setAsideList })).value
    },
    async retrySetAside(project) {
      const body = project === undefined ? {} : { project }
      return (await call({ method: 'POST', path: '/operator/set-aside/retry', body, answer: setAsideRetried })).value
        .queued
    },
    async wipe(body) {
      const answer = v.looseObject({ deleted: v.number() })
      return (await call({ method: 'POST', path: '/operator/wipe', body, answer })).value.deleted
    },
  }
}

function projectPath(nameOrId: string): string {
  return `/operator/projects/${encodeURIComponent(nameOrId)}`
}
