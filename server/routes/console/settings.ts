import type * as v from 'valibot'
import {
  type ConsoleProject,
  changeSettingsBody,
  firstProjectBody,
  type TriedQuery,
  type TriedResult,
  trySettingsBody,
} from '../../../src/contract/console.ts'
import { BODY_BYTES } from '../../../src/contract/limits.ts'
import { parseQueryBody } from '../../../src/contract/parse-query.ts'
import type { QueryResult } from '../../../src/contract/query.ts'
import type { AppDeps } from '../../app-deps.ts'
import { type ConsoleScope, projectOf, scopeOf } from '../../console/scope.ts'
import type { Pool } from '../../deps.ts'
import { ApiError, assertValid } from '../../http/api-error.ts'
import { jsonBody } from '../../http/body-rule.ts'
import type { RouteResult } from '../../http/response-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import type { Search } from '../../search/search.ts'
import { ratingNotes } from '../../snippet/rating-note.ts'
import { environmentRevision } from '../../sql/excerpts/search-rows.ts'
import { type Project, type SettingsChange, updateProject } from '../../sql/projects/projects.ts'
import { frequentQueries } from '../../sql/usage/query-insights.ts'
import { makeProject, tooManyOrigins } from '../operator/projects.ts'
import { NOT_A_VISITOR } from './search.ts'

const MAX_QUERIES = 20
const DAYS = 90
const RESULTS = 5

/** The settings that an owner may change, and what a change would do to visitors' searches. */
export function consoleSettingsRoutes(deps: Pick<AppDeps, 'sql' | 'search' | 'projects'>): Route[] {
  const { sql, search } = deps
  const path = '/console/api/projects/:project'
  return [
    defineRoute({
      method: 'POST',
      path: '/console/api/projects',
      access: 'console',
      body: jsonBody(firstProjectBody, { maxBytes: BODY_BYTES.console }),
      async handle({ session, body }) {
        if (session.projectId !== null)
          throw new ApiError('forbidden', 'Only the operator of the server can create projects.')
        const { id, name } = await makeProject(deps, body)
        return { status: 201, body: { id, name } }
      },
    }),
    defineRoute({
      method: 'GET',
      path,
      access: 'console',
      async handle(context) {
        return { status: 200, body: describeProject(await projectOf(context, sql)) }
      },
    }),
    defineRoute({
      method: 'PATCH',
      path,
      access: 'console',
      body: jsonBody(changeSettingsBody, { maxBytes: BODY_BYTES.console }),
      async handle(context) {
        const { body } = context
        const before = await projectOf(context, sql)
        const after = await updateProject(sql, before.id, settingsOf(body), body.revision)
        if (after === 'changed') return changedMeanwhile(await projectOf(context, sql), context.requestId)
        if (after === 'too_many_origins') throw tooManyOrigins('add_origin')
        if (after === undefined || after === 'name_taken') throw new ApiError('not_found', 'There is no such project.')
        return { status: 200, body: describeProject(after) }
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/:env/try`,
      access: 'console',
      body: jsonBody(trySettingsBody, { maxBytes: BODY_BYTES.console }),
      async handle(context) {
        const scope = await scopeOf(context, sql)
        return { status: 200, body: { queries: await tryOut(sql, search, scope, context.body) } }
      },
    }),
  ]
}

function settingsOf(body: v.InferOutput<typeof changeSettingsBody>): SettingsChange {
  const { similarity_floor: similarityFloor, min_rating: minRating, excerpts, add_origin } = body
  return { similarityFloor, minRating, excerpts, addOrigins: add_origin === undefined ? undefined : [add_origin] }
}

/** The contract has no such code: it is only for the console's page, which shows the message and continues from `current`. */
function changedMeanwhile(project: Project, requestId: string): RouteResult {
  const current = describeProject(project)
  const complaints = current.excerpts === 'all' ? 'complaints may appear' : 'complaints do not appear'
  const message = `Someone else has changed the settings: the floor is now ${current.similarity_floor}, reviews need at least ${current.min_rating} stars, and ${complaints}. Your changes were not saved: check them and save again.`
  return { status: 409, body: { error: { code: 'changed_meanwhile', message, request_id: requestId }, current } }
}

function describeProject(project: Project): ConsoleProject {
  const shown = { minRating: project.minRating, withoutComplaints: project.excerpts === 'no_complaints' }
  return {
    name: project.name,
    plan: project.plan,
    similarity_floor: project.similarityFloor,
    min_rating: project.minRating,
    excerpts: project.excerpts,
    origins: project.allowedOrigins,
    notes: ratingNotes(shown),
    revision: project.settingsRevision,
  }
}

async function tryOut(
  sql: Pool,
  search: Search,
  { project, env }: ConsoleScope,
  proposed: v.InferOutput<typeof trySettingsBody>,
): Promise<TriedQuery[]> {
  const scope = { projectId: project.id, env }
  const asked = await frequentQueries(sql, scope, { days: DAYS, limit: MAX_QUERIES, by: 'sent' })
  const revision = (await environmentRevision(sql, scope)) ?? '0'
  const { similarity_floor: similarityFloor, min_rating: minRating, excerpts } = proposed
  const changed = { ...project, similarityFloor, minRating, excerpts }
  const resultsOf = async (settings: Project, q: string): Promise<QueryResult[]> => {
    const [request] = assertValid(parseQueryBody({ q, limit: RESULTS, mode: 'reviews' }))
    const found = await search({ project: settings, env, revision }, request, { bypassCache: false, ...NOT_A_VISITOR })
    return found.ok ? found.results : []
  }
  const outcome: TriedQuery[] = []
  for (const { query, searches } of asked) {
    const before = await resultsOf(project, query)
    const after = await resultsOf(changed, query)
    const without = (some: QueryResult[], others: QueryResult[]) =>
      some.filter((one) => !others.some((other) => other.excerpt_id === one.excerpt_id)).map(describeResult)
    outcome.push({
      query,
      searches,
      before: before.length,
      after: after.length,
      comes_in: without(after, before),
      drops_out: without(before, after),
    })
  }
  return outcome
}

function describeResult({ excerpt, review }: QueryResult): TriedResult {
  return { excerpt, rating: review.rating, author_name: review.author_name }
}
