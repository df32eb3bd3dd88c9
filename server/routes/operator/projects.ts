import * as v from 'valibot'
import { PLAN_LIMITS, PROJECT_ORIGINS } from '../../../src/contract/limits.ts'
import { operatorListParameters } from '../../../src/contract/operator-list.ts'
import {
  type CreateProjectBody,
  createProjectBody,
  type PatchProjectBody,
  type Project as ProjectResponse,
  patchProjectBody,
  project as projectResponse,
  projectsResponse,
  wipeBody,
  wipeResponse,
} from '../../../src/contract/project.ts'
import type { AppDeps } from '../../app-deps.ts'
import { onAllServers } from '../../db/cluster-watch.ts'
import { describeError } from '../../describe-error.ts'
import { type ApiError, PartlyDone, validationFailed } from '../../http/api-error.ts'
import { queryOf } from '../../http/query-rule.ts'
import { empty, json } from '../../http/response-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { reviewCap } from '../../ingest/accept.ts'
import { deleteProject, purgeDeletedProjects } from '../../sql/projects/delete-project.ts'
import {
  createProject,
  listProjects,
  type Project,
  type ProjectSettings,
  updateProject,
} from '../../sql/projects/projects.ts'
import { wipeImportReports } from '../../sql/reviews/import-reports.ts'
import { removeReviews } from '../../sql/reviews/remove-reviews.ts'
import { countReviewsOfAll } from '../../sql/reviews/reviews.ts'
import { monthlyQueries } from '../../sql/usage/query-usage.ts'
import { PAGE_MEANINGS, readListPage } from './list-page.ts'
import { noSuchProject, operatorBody, projectParameter, requireProject } from './project-parameter.ts'

/** The operator's routes that create, read and change projects, and wipe an environment. */
export function operatorProjectRoutes(deps: AppDeps): Route[] {
  const { sql, log, allowance, cursorSecret } = deps
  /** Reads the counts of all these projects at once. @returns what describes one of them */
  const describer = async (projects: Project[]) => {
    const ids = projects.map(({ id }) => id)
    const [counts, queries] = await Promise.all([countReviewsOfAll(sql, ids), monthlyQueries(sql, ids)])
    return (project: Project): ProjectResponse => ({
      id: project.id,
      name: project.name,
      plan: project.plan,
      origins: project.allowedOrigins,
      similarity_floor: project.similarityFloor,
      min_rating: project.minRating,
      excerpts: project.excerpts,
      reviews: counts.get(project.id) ?? { live: 0, test: 0 },
      review_limit: reviewCap(project.plan, allowance),
      computed_queries: queries.get(project.id) ?? { this_month: 0, last_month: 0 },
      created_at: project.createdAt.toISOString(),
    })
  }
  const describeAll = async (projects: Project[]) => projects.map(await onAllServers(sql, () => describer(projects)))
  const describe = async (project: Project) => (await describer([project]))(project)
  const one = {
    path: '/operator/projects/:project',
    access: 'operator',
    pathParameters: projectParameter,
  } as const
  return [
    defineRoute({
      method: 'POST',
      path: '/operator/projects',
      access: 'operator',
      body: operatorBody(createProjectBody, { name: 'Hotel', plan: 'free', origins: ['https://www.example.com'] }),
      responses: { 201: json(projectResponse, 'Made.') },
      operationId: 'createProject',
      summary: 'Make a project',
      description:
        '`name` is all that it needs. A name that is taken is 422, and so is a project beyond the number that the plan allows.',
      async handle({ body }) {
        return { status: 201, body: await describe(await makeProject(deps, body)) }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/operator/projects',
      access: 'operator',
      query: queryOf(v.object(operatorListParameters), PAGE_MEANINGS),
      responses: { 200: json(projectsResponse, 'One page, or all.') },
      operationId: 'listProjects',
      summary: 'List the projects, oldest first',
      description: 'All of them without `limit`; with it, a page and the cursor of the next.',
      async handle({ query }) {
        const { page, next_cursor } = await readListPage(['projects'], query, cursorSecret, async (page) =>
          describeAll(await listProjects(sql, page)),
        )
        return { status: 200, body: { projects: page, next_cursor } }
      },
    }),
    defineRoute({
      ...one,
      method: 'GET',
      responses: { 200: json(projectResponse, 'The project.') },
      operationId: 'getProject',
      summary: 'Read a project',
      description:
        'With its settings, the number of its reviews, and the queries computed this month and last month (UTC).',
      async handle({ params }) {
        return { status: 200, body: await describe(await requireProject(sql, params.project)) }
      },
    }),
    defineRoute({
      ...one,
      method: 'PATCH',
      body: operatorBody(patchProjectBody, { min_rating: 3 }),
      responses: { 200: json(projectResponse, 'The project after the change.') },
      operationId: 'updateProject',
      summary: 'Change settings of a project',
      description:
        'What is left out stays. `origins` replaces the list; `remove_origins` and `add_origins` change the one that is stored. The next query goes by it.',
      async handle({ params, body }) {
        const { id } = await requireProject(sql, params.project)
        const { add_origins: addOrigins, remove_origins: removeOrigins, ...settings } = body
        const project = await updateProject(sql, id, { ...settingsOf(settings), addOrigins, removeOrigins })
        if (project === undefined || project === 'changed') throw noSuchProject()
        if (project === 'name_taken') throw nameTaken(body.name ?? '')
        if (project === 'too_many_origins') throw tooManyOrigins('add_origins')
        return { status: 200, body: await describe(project) }
      },
    }),
    defineRoute({
      ...one,
      method: 'DELETE',
      time: 'bulk',
      responses: { 204: empty('Deleted.') },
      operationId: 'deleteProject',
      summary: 'Delete a project with its keys and reviews',
      description: 'In both environments, for good.',
      async handle({ params }) {
        const { id } = await requireProject(sql, params.project)
        if (!(await deleteProject(sql, id))) throw noSuchProject()
        // Drops this process's copy as well.
        deps.memory?.forget(id)
        // It is deleted in any case: the rest of its reviews is removed by a later run.
        await purgeDeletedProjects(sql).catch((error: unknown) =>
          log.warn({ error: describeError(error) }, 'the reviews of a deleted project are removed later'),
        )
        return { status: 204 }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/operator/wipe',
      access: 'operator',
      time: 'bulk',
      body: operatorBody(wipeBody, { project: 'Hotel', env: 'test' }),
      responses: { 200: json(wipeResponse, 'How many were removed.') },
      errors: ['not_found'],
      operationId: 'wipeReviews',
      summary: "Remove every review of one of a project's environments",
      description: 'For good, with the rows that imports skipped. Keys and settings stay.',
      async handle({ body: { project, env } }) {
        const { id } = await requireProject(sql, project)
        const scope = { projectId: id, env }
        await wipeImportReports(sql, scope)
        let steps = 0
        const shouldContinue = () => {
          steps++
          return true
        }
        try {
          return { status: 200, body: { deleted: await removeReviews(sql, scope, shouldContinue) } }
        } catch (error) {
          // The first was begun, the second only after it had ended.
          throw steps > 1 ? new PartlyDone('Some of the reviews are removed, the others are there.', error) : error
        }
      },
    }),
  ]
}

/** @throws {ApiError} `validation_failed` for a name that is taken, or when no further project is allowed */
export async function makeProject(
  { sql, projects }: Pick<AppDeps, 'sql' | 'projects'>,
  body: CreateProjectBody,
): Promise<Project> {
  const { defaultPlan = 'free', max } = projects ?? {}
  const plan = body.plan ?? defaultPlan
  const project = await createProject(sql, { ...settingsOf(body), plan, name: body.name }, max)
  if (project === 'name_taken') throw nameTaken(body.name)
  if (project === 'free_project_limit') throw freeLimitReached()
  if (project === 'project_limit') throw limitReached(body.name, max)
  return project
}

function settingsOf({
  origins,
  similarity_floor,
  min_rating,
  ...rest
}: Omit<PatchProjectBody, 'add_origins' | 'remove_origins'>): ProjectSettings {
  const allowedOrigins = origins && [...new Set(origins)]
  return { ...rest, allowedOrigins, similarityFloor: similarity_floor, minRating: min_rating }
}

function nameTaken(taken: string): ApiError {
  return validationFailed([{ path: 'name', message: `"${taken}" is the name or the id of another project` }])
}

export function tooManyOrigins(path: string): ApiError {
  return validationFailed([{ path, message: `makes more than the ${PROJECT_ORIGINS} origins that a project can have` }])
}

function freeLimitReached(): ApiError {
  const { free, paid } = PLAN_LIMITS
  const message = `is free, and an installation has room for ${free.projects} free project. On a server of your own choose paid (--plan paid), which has room for ${paid.projects}, or set PULLQUOTE_DEFAULT_PLAN=paid`
  return validationFailed([{ path: 'plan', message }])
}

function limitReached(name: string, max = PLAN_LIMITS.paid.projects): ApiError {
  const message = `"${name}" would be one project too many: this installation has room for ${max} (PULLQUOTE_MAX_PROJECTS)`
  return validationFailed([{ path: 'name', message }])
}
