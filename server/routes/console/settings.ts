import * as v from 'valibot'
import type { ConsoleProject, TriedQuery, TriedResult } from '../../../src/contract/console.ts'
import { fields } from '../../../src/contract/fields.ts'
import { parseQueryBody } from '../../../src/contract/parse-query.ts'
import { origin } from '../../../src/contract/project.ts'
import type { QueryResult } from '../../../src/contract/query.ts'
import { rating } from '../../../src/contract/review.ts'
import { validate } from '../../../src/contract/validate.ts'
import { type ConsoleScope, projectOf, scopeOf } from '../../console/scope.ts'
import type { Pool } from '../../deps.ts'
import { ApiError, assertValid } from '../../http/api-error.ts'
import { type ConsoleRoute, jsonBody, noParameters } from '../../http/request-pipeline.ts'
import type { RouteResult } from '../../http/respond.ts'
import type { Search } from '../../search/search.ts'
import { ratingNote } from '../../snippet/rating-note.ts'
import { environmentRevision } from '../../sql/excerpts/search-rows.ts'
import { type Project, type ProjectSettings, updateProject } from '../../sql/projects/projects.ts'
import { frequentQueries } from '../../sql/usage/query-insights.ts'
import { NOT_A_VISITOR } from './search.ts'

const floor = v.pipe(v.number(), v.minValue(0, 'must be at least 0'), v.maxValue(1, 'must be at most 1'))
const excerpts = v.picklist(['all', 'no_complaints'], 'must be all or no_complaints')
const tryBody = fields({ similarity_floor: floor, min_rating: rating, excerpts })
const patchBody = fields({
  revision: v.pipe(v.number(), v.integer('must be a whole number')),
  similarity_floor: v.optional(floor),
  min_rating: v.optional(rating),
  excerpts: v.optional(excerpts),
  add_origin: v.optional(origin),
})
const BODY_BYTES = 4_096
const MOST_ASKED = 20
const DAYS = 90
const RESULTS = 5
const MOST_ORIGINS = 100
/** Those that the tag is offered in. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt']

/** The settings that an owner may change, and what a change would do to the searches of visitors. */
export function consoleSettingsRoutes({ sql, search }: { sql: Pool; search: Search }): ConsoleRoute[] {
  const path = '/console/api/projects/:project'
  return [
    {
      method: 'GET',
      path,
      access: 'console',
      async handle(call) {
        assertValid(noParameters(call))
        return { status: 200, body: shownProject(await projectOf(call, sql)) }
      },
    },
    {
      method: 'PATCH',
      path,
      access: 'console',
      body: { maxBytes: BODY_BYTES },
      async handle(call) {
        const [, body] = assertValid(noParameters(call), validate(patchBody, jsonBody(call)))
        const before = await projectOf(call, sql)
        const after = await updateProject(sql, before.id, settingsOf(body, before), body.revision)
        if (after === 'changed') return changedMeanwhile(await projectOf(call, sql), call.requestId)
        if (after === undefined || after === 'name_taken') throw new ApiError('not_found', 'There is no such project.')
        return { status: 200, body: shownProject(after) }
      },
    },
    {
      method: 'POST',
      path: `${path}/:env/try`,
      access: 'console',
      body: { maxBytes: BODY_BYTES },
      async handle(call) {
        const [, body] = assertValid(noParameters(call), validate(tryBody, jsonBody(call)))
        const scope = await scopeOf(call, sql)
        return { status: 200, body: { queries: await tried(sql, search, scope, body) } }
      },
    },
  ]
}

function settingsOf(body: v.InferOutput<typeof patchBody>, before: Project): ProjectSettings {
  const { similarity_floor, min_rating, excerpts, add_origin } = body
  const origins = add_origin === undefined ? undefined : [...new Set([...before.allowedOrigins, add_origin])]
  if (origins && origins.length > MOST_ORIGINS) {
    throw new ApiError('validation_failed', `A project has at most ${MOST_ORIGINS} origins.`)
  }
  return {
    ...(similarity_floor === undefined ? {} : { similarityFloor: similarity_floor }),
    ...(min_rating === undefined ? {} : { minRating: min_rating }),
    ...(excerpts === undefined ? {} : { excerpts }),
    ...(origins === undefined ? {} : { allowedOrigins: origins }),
  }
}

/** The contract has no such code: it is for the console's page alone, which shows the message and goes on from `current`. */
function changedMeanwhile(project: Project, requestId: string): RouteResult {
  const current = shownProject(project)
  const complaints = current.excerpts === 'all' ? 'complaints may appear' : 'complaints do not appear'
  const message = `Somebody else changed the settings meanwhile: the floor is ${current.similarity_floor} now, reviews appear from ${current.min_rating} stars, and ${complaints}. Nothing of yours was saved: look at it and save again.`
  return { status: 409, body: { error: { code: 'changed_meanwhile', message, request_id: requestId }, current } }
}

function shownProject(project: Project): ConsoleProject {
  const shown = { minRating: project.minRating, withoutComplaints: project.excerpts === 'no_complaints' }
  return {
    name: project.name,
    plan: project.plan,
    similarity_floor: project.similarityFloor,
    min_rating: project.minRating,
    excerpts: project.excerpts,
    origins: project.allowedOrigins,
    notes: Object.fromEntries(LANGUAGES.map((language) => [language, ratingNote(shown, language).note])),
    revision: project.settingsRevision,
  }
}

async function tried(
  sql: Pool,
  search: Search,
  { project, env }: ConsoleScope,
  proposed: v.InferOutput<typeof tryBody>,
): Promise<TriedQuery[]> {
  const asked = await frequentQueries(sql, project.id, env, { days: DAYS, limit: MOST_ASKED, by: 'searches' })
  const revision = (await environmentRevision(sql, project.id, env)) ?? '0'
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
      some.filter((one) => !others.some((other) => other.excerpt_id === one.excerpt_id)).map(shownResult)
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

function shownResult({ excerpt, review }: QueryResult): TriedResult {
  return { excerpt, rating: review.rating, author_name: review.author_name }
}
