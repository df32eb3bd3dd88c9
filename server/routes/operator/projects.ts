import { PLAN_LIMITS, type Plan } from '../../../src/contract/limits.ts'
import type { PatchProjectBody, Project as ProjectAnswer } from '../../../src/contract/project.ts'
import { createProjectBody, patchProjectBody, wipeBody } from '../../../src/contract/project.ts'
import { validate } from '../../../src/contract/validate.ts'
import type { Pool } from '../../deps.ts'
import { ApiError, assertValid, validationFailed } from '../../http/api-error.ts'
import { jsonBody, noParameters, type OperatorRoute } from '../../http/request-pipeline.ts'
import { type AcceptOptions, reviewCap } from '../../ingest/accept.ts'
import type { SearchMemory } from '../../search/memory/search-memory.ts'
import {
  createProject,
  deleteProject,
  getProject,
  listProjects,
  type Project,
  type ProjectSettings,
  updateProject,
} from '../../sql/projects/projects.ts'
import { countReviews, wipeReviews } from '../../sql/reviews/reviews.ts'

interface ProjectRouteDeps {
  sql: Pool
  allowance: AcceptOptions['allowance']
  /** The plan of a project that names none, and the most projects; the contract's unless told. */
  projects?: { defaultPlan?: Plan; max?: number }
  /** What this process holds of a project goes with it. */
  memory?: Pick<SearchMemory, 'forget'> | undefined
}

/** The routes by which the operator makes, reads and sets projects, and wipes an environment. */
export function operatorProjectRoutes(deps: ProjectRouteDeps): OperatorRoute[] {
  const { sql, allowance } = deps
  const { defaultPlan = 'free', max } = deps.projects ?? {}
  const shown = (project: Project) => shownProject(sql, project, reviewCap(project.plan, allowance))
  const one = '/operator/projects/:project'
  return [
    {
      method: 'POST',
      path: '/operator/projects',
      access: 'operator',
      body: { maxBytes: OPERATOR_BODY_BYTES },
      async handle(call) {
        const [, body] = assertValid(noParameters(call), validate(createProjectBody, jsonBody(call)))
        const plan = body.plan ?? defaultPlan
        const project = await createProject(sql, { ...settingsOf(body), plan, name: body.name }, max)
        if (project === 'name_taken') throw nameTaken(body.name)
        if (project === 'project_limit') throw limitReached(plan, max)
        return { status: 201, body: await shown(project) }
      },
    },
    {
      method: 'GET',
      path: '/operator/projects',
      access: 'operator',
      async handle(call) {
        assertValid(noParameters(call))
        const projects: ProjectAnswer[] = []
        for (const project of await listProjects(sql)) projects.push(await shown(project))
        return { status: 200, body: { projects } }
      },
    },
    {
      method: 'GET',
      path: one,
      access: 'operator',
      async handle(call) {
        assertValid(noParameters(call))
        return { status: 200, body: await shown(await requireProject(sql, call.params.project)) }
      },
    },
    {
      method: 'PATCH',
      path: one,
      access: 'operator',
      body: { maxBytes: OPERATOR_BODY_BYTES },
      async handle(call) {
        const [, body] = assertValid(noParameters(call), validate(patchProjectBody, jsonBody(call)))
        const { id } = await requireProject(sql, call.params.project)
        const project = await updateProject(sql, id, settingsOf(body))
        if (project === undefined) throw noSuchProject()
        if (project === 'name_taken') throw nameTaken(body.name ?? '')
        return { status: 200, body: await shown(project) }
      },
    },
    {
      method: 'DELETE',
      path: one,
      access: 'operator',
      time: 'bulk',
      async handle(call) {
        assertValid(noParameters(call))
        const { id } = await requireProject(sql, call.params.project)
        if (!(await deleteProject(sql, id))) throw noSuchProject()
        deps.memory?.forget(id)
        return { status: 204 }
      },
    },
    {
      method: 'POST',
      path: '/operator/wipe',
      access: 'operator',
      time: 'bulk',
      body: { maxBytes: OPERATOR_BODY_BYTES },
      async handle(call) {
        const [, body] = assertValid(noParameters(call), validate(wipeBody, jsonBody(call)))
        const { id } = await requireProject(sql, body.project)
        return { status: 200, body: { deleted: await wipeReviews(sql, id, body.env) } }
      },
    },
  ]
}

export const OPERATOR_BODY_BYTES = 64 * 1024

/** The project of that name or id. @throws {ApiError} `not_found` */
export async function requireProject(sql: Pool, nameOrId = ''): Promise<Project> {
  const project = await getProject(sql, nameOrId)
  if (project === undefined) throw noSuchProject()
  return project
}

function settingsOf(body: PatchProjectBody): ProjectSettings {
  const { name, plan, origins, similarity_floor, min_rating, excerpts } = body
  return {
    ...(name === undefined ? {} : { name }),
    ...(plan === undefined ? {} : { plan }),
    ...(origins === undefined ? {} : { allowedOrigins: [...new Set(origins)] }),
    ...(similarity_floor === undefined ? {} : { similarityFloor: similarity_floor }),
    ...(min_rating === undefined ? {} : { minRating: min_rating }),
    ...(excerpts === undefined ? {} : { excerpts }),
  }
}

async function shownProject(sql: Pool, project: Project, reviewLimit: number): Promise<ProjectAnswer> {
  return {
    id: project.id,
    name: project.name,
    plan: project.plan,
    origins: project.allowedOrigins,
    similarity_floor: project.similarityFloor,
    min_rating: project.minRating,
    excerpts: project.excerpts,
    reviews: await countReviews(sql, project.id),
    review_limit: reviewLimit,
    created_at: project.createdAt.toISOString(),
  }
}

function noSuchProject(): ApiError {
  return new ApiError('not_found', 'There is no project with this name or id.')
}

function nameTaken(taken: string): ApiError {
  return validationFailed([{ path: 'name', message: `"${taken}" is the name of another project` }])
}

function limitReached(plan: Plan, max: number | undefined): ApiError {
  const { projects } = PLAN_LIMITS[plan]
  const paid = PLAN_LIMITS.paid.projects
  const message =
    max !== undefined
      ? `cannot be given: this installation has room for ${max} projects (PULLQUOTE_MAX_PROJECTS)`
      : plan === 'free'
        ? `is free, and an installation has room for ${projects} free project. On a server of your own choose paid (--plan paid), which has room for ${paid}, or set PULLQUOTE_DEFAULT_PLAN=paid`
        : `is paid: an installation has room for ${projects} projects; PULLQUOTE_MAX_PROJECTS sets another number`
  return validationFailed([{ path: 'plan', message }])
}
