import type { Environment } from '../../src/contract/review.ts'
import type { Pool } from '../deps.ts'
import { ApiError } from '../http/api-error.ts'
import type { ConsoleCall } from '../http/request-pipeline.ts'
import { getProjectById, type Project } from '../sql/projects/projects.ts'

/** What a request of the console is about: a project that its session may see, and an environment of it. */
export interface ConsoleScope {
  project: Project
  env: Environment
}

/** Reads `:project` (an id) of the path. @throws {ApiError} `not_found`, also for a project of others */
export async function projectOf(call: ConsoleCall, sql: Pool): Promise<Project> {
  const { project: id = '' } = call.params
  const { projectId } = call.session
  const project = projectId === null || projectId === id ? await getProjectById(sql, id) : undefined
  if (!project) throw new ApiError('not_found', 'There is no such project, or it is not yours to see.')
  return project
}

/** Reads `:project` and `:env` of the path. @throws {ApiError} `not_found` */
export async function scopeOf(call: ConsoleCall, sql: Pool): Promise<ConsoleScope> {
  const { env } = call.params
  if (env !== 'live' && env !== 'test') throw new ApiError('not_found', 'There is no such environment.')
  return { project: await projectOf(call, sql), env }
}

/** @throws {ApiError} `forbidden` to the owner of a single project */
export function requireOperatorSession({ session }: ConsoleCall): void {
  if (session.projectId !== null) throw new ApiError('forbidden', 'This is for the operator of the server.')
}
