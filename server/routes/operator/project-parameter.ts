import * as v from 'valibot'
import { BODY_BYTES } from '../../../src/contract/limits.ts'
import type { Pool } from '../../deps.ts'
import { ApiError } from '../../http/api-error.ts'
import { jsonBody } from '../../http/body-rule.ts'
import { getProject, type Project } from '../../sql/projects/projects.ts'

/** Shared by the operator's routes: a project by name or id, and the size of a body. */

export const PROJECT_MEANING = 'Name or id of the project.'

/** `:project` of a path. */
export const projectParameter = {
  project: { description: PROJECT_MEANING, schema: v.pipe(v.string(), v.minLength(1)), example: 'Hotel' },
}

export function operatorBody<TSchema extends v.GenericSchema>(schema: TSchema, example: v.InferInput<TSchema>) {
  return jsonBody(schema, { maxBytes: BODY_BYTES.operator, example })
}

/** The project of that name or id. @throws {ApiError} `not_found` */
export async function requireProject(sql: Pool, nameOrId: string): Promise<Project> {
  const project = await getProject(sql, nameOrId)
  if (project === undefined) throw noSuchProject()
  return project
}

export function noSuchProject(): ApiError {
  return new ApiError('not_found', 'There is no project with this name or id.')
}
