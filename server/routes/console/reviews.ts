import { type ConsoleReviews, consoleReviewParameters, hideBody } from '../../../src/contract/console.ts'
import { BODY_BYTES } from '../../../src/contract/limits.ts'
import { scopeOf } from '../../console/scope.ts'
import type { Pool } from '../../deps.ts'
import { ApiError } from '../../http/api-error.ts'
import { jsonBody } from '../../http/body-rule.ts'
import { queryOf } from '../../http/query-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { excerptsOfReview, setExcerptHidden } from '../../sql/excerpts/hidden-excerpts.ts'
import type { ListPosition } from '../../sql/list-page.ts'
import { findReviews } from '../../sql/reviews/console-reviews.ts'
import { patchReview } from '../../sql/reviews/reviews.ts'
import { environmentOf } from '../../sql/scope.ts'

const PAGE = 20

/** The reviews of a project, and their visibility. */
export function consoleReviewRoutes({ sql }: { sql: Pool }): Route[] {
  const path = '/console/api/projects/:project/:env/reviews'
  return [
    defineRoute({
      method: 'GET',
      path,
      access: 'console',
      query: queryOf(consoleReviewParameters),
      async handle(context) {
        const { after, ...wanted } = context.query
        const scope = environmentOf(await scopeOf(context, sql))
        const found = await findReviews(sql, scope, wanted, PAGE, after ? parsePosition(after) : undefined)
        const { reviews, next, isBrokenOff } = found
        const body: ConsoleReviews = { reviews, next: next ? formatPosition(next) : null, broken_off: isBrokenOff }
        return { status: 200, body }
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/:review/excerpts`,
      access: 'console',
      async handle(context) {
        const scope = environmentOf(await scopeOf(context, sql))
        return { status: 200, body: { excerpts: await excerptsOfReview(sql, scope, context.params.review) } }
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: `${path}/:review`,
      access: 'console',
      body: jsonBody(hideBody, { maxBytes: BODY_BYTES.console }),
      async handle(context) {
        const { hidden } = context.body
        const scope = environmentOf(await scopeOf(context, sql))
        if (await patchReview(sql, scope, context.params.review, { hidden })) return { status: 204 }
        throw new ApiError('not_found', 'This review has been deleted.')
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: `${path}/:review/excerpts/:excerpt`,
      access: 'console',
      body: jsonBody(hideBody, { maxBytes: BODY_BYTES.console }),
      async handle(context) {
        const { hidden } = context.body
        const scope = environmentOf(await scopeOf(context, sql))
        const { review: reviewId, excerpt: excerptId } = context.params
        if (await setExcerptHidden(sql, { ...scope, reviewId, excerptId }, hidden)) return { status: 204 }
        throw new ApiError('not_found', 'This sentence no longer exists: its review has been changed or deleted.')
      },
    }),
  ]
}

function parsePosition(written: string): ListPosition {
  const [time = '', id = ''] = written.split('_')
  return { at: time === 'none' ? null : new Date(Number(time)), id }
}

function formatPosition({ at, id }: ListPosition): string {
  return `${at === null ? 'none' : at.getTime()}_${id}`
}
