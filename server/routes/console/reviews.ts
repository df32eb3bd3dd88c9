import * as v from 'valibot'
import type { ConsoleReviews } from '../../../src/contract/console.ts'
import { fields } from '../../../src/contract/fields.ts'
import { SOURCES } from '../../../src/contract/review.ts'
import { isStorable } from '../../../src/contract/text.ts'
import { scopeOf } from '../../console/scope.ts'
import type { Pool } from '../../deps.ts'
import { ApiError } from '../../http/api-error.ts'
import { jsonBody } from '../../http/body-rule.ts'
import { queryOf } from '../../http/query-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { excerptsOfReview, setExcerptHidden } from '../../sql/excerpts/hidden-excerpts.ts'
import { findReviews } from '../../sql/reviews/console-reviews.ts'
import { type ListPosition, patchReview } from '../../sql/reviews/reviews.ts'

const PAGE = 20
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const parameters = v.object({
  q: v.optional(v.pipe(v.string(), v.maxLength(200), v.check(isStorable, 'cannot be looked for'))),
  source: v.optional(v.picklist(SOURCES)),
  stars: v.optional(v.pipe(v.string(), v.regex(/^[0-5]$/), v.transform(Number))),
  state: v.optional(v.picklist(['shown', 'hidden', 'sentence_hidden', 'indexing'])),
  after: v.optional(v.pipe(v.string(), v.regex(new RegExp(`^(\\d{1,15}|none)_${UUID}$`)))),
})
const hideBody = fields({ hidden: v.boolean() })
const BODY_BYTES = 1_024

/** The reviews of a project, and what of them is shown. */
export function consoleReviewRoutes({ sql }: { sql: Pool }): Route[] {
  const path = '/console/api/projects/:project/:env/reviews'
  return [
    defineRoute({
      method: 'GET',
      path,
      access: 'console',
      query: queryOf(parameters),
      async handle(context) {
        const { after, ...wanted } = context.query
        const { project, env } = await scopeOf(context, sql)
        const scope = { projectId: project.id, env }
        const { reviews, next } = await findReviews(sql, scope, wanted, PAGE, after ? parsePosition(after) : undefined)
        const body: ConsoleReviews = { reviews, next: next ? formatPosition(next) : null }
        return { status: 200, body }
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/:review/excerpts`,
      access: 'console',
      async handle(context) {
        const { project, env } = await scopeOf(context, sql)
        return {
          status: 200,
          body: { excerpts: await excerptsOfReview(sql, project.id, env, context.params.review) },
        }
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: `${path}/:review`,
      access: 'console',
      body: jsonBody(hideBody, { maxBytes: BODY_BYTES }),
      async handle(context) {
        const { hidden } = context.body
        const { project, env } = await scopeOf(context, sql)
        if (await patchReview(sql, project.id, env, context.params.review, { hidden })) return { status: 204 }
        throw new ApiError('not_found', 'This review is gone: it was deleted meanwhile.')
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: `${path}/:review/excerpts/:excerpt`,
      access: 'console',
      body: jsonBody(hideBody, { maxBytes: BODY_BYTES }),
      async handle(context) {
        const { hidden } = context.body
        const { project, env } = await scopeOf(context, sql)
        const { review: reviewId, excerpt: excerptId } = context.params
        if (await setExcerptHidden(sql, { projectId: project.id, env, reviewId, excerptId }, hidden))
          return { status: 204 }
        throw new ApiError('not_found', 'This sentence is gone: its review was changed or deleted meanwhile.')
      },
    }),
  ]
}

function parsePosition(written: string): ListPosition {
  const [time = '', id = ''] = written.split('_')
  return { occurredAt: time === 'none' ? null : new Date(Number(time)), id }
}

function formatPosition({ occurredAt, id }: ListPosition): string {
  return `${occurredAt === null ? 'none' : occurredAt.getTime()}_${id}`
}
