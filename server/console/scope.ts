import type { Environment } from '../../src/contract/review.ts'
import type { Pool } from '../deps.ts'
import { ApiError } from '../http/api-error.ts'
import type { ConsoleSession } from '../sql/access/console-sessions.ts'
import { getProjectById, type Project } from '../sql/projects/projects.ts'

/** The project and environment of a console request, checked against its session. */
export interface ConsoleScope {
  project: Project
  env: Environment
}

/** The parts of a request that identify it. */
interface ConsoleRequest {
  params: { project: string }
  session: ConsoleSession
}

/** Reads `:project` (an id) of the path. @throws {ApiError} `not_found`, also for another owner's project */
export async function projectOf({ params, session }: ConsoleRequest, sql: Pool): Promise<Project> {
  const { project: id } = params
  const { projectId } = session
  const project = projectId === null || projectId === id ? await getProjectById(sql, id) : undefined
  if (!project) throw new ApiError('not_found', 'This project does not exist, or you do not have access to it.')
  return project
}

/** Reads `:project` and `:env` of the path. @throws {ApiError} `not_found` */
export async function scopeOf(request: ConsoleRequest & { params: { env: string } }, sql: Pool): Promise<ConsoleScope> {
  const { env } = request.params
  if (env !== 'live' && env !== 'test') throw new ApiError('not_found', 'There is no such environment.')
  return { project: await projectOf(request, sql), env }
}
