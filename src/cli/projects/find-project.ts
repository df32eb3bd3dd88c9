import { ApiError } from '../../client/errors.ts'
import type { Operator } from '../../client/operator.ts'
import type { Project } from '../../contract/project.ts'
import { suggestName } from '../errors/closest.ts'
import { CliError, usageError } from '../errors/failure.ts'

/** The named project, or the only one there is. */
export async function chooseProject(operator: Operator, name: string | undefined): Promise<Project> {
  if (name !== undefined) return findProject(operator, name)
  const [project, ...others] = await operator.projects()
  if (!project) {
    throw new CliError('there is no project yet', { code: 'no_project', hints: ['pullquote projects create NAME'] })
  }
  if (others.length === 0) return project
  const names = [project, ...others].map((one) => one.name)
  throw usageError('there are several projects: name one with --project', `there are: ${names.join(', ')}`)
}

/** The project of that name or id, or what may have been meant. */
export async function findProject(operator: Operator, name: string): Promise<Project> {
  try {
    return await operator.project(name)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
    const names = (await operator.projects()).map((project) => project.name)
    const hint = suggestName(name, names, 'make it with: pullquote projects create NAME')
    throw new CliError(`there is no project "${name}"`, { code: 'not_found', hints: [hint] })
  }
}
