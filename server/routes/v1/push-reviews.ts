import { BODY_BYTES } from '../../../src/contract/limits.ts'
import { pushBody, pushResponse } from '../../../src/contract/review.ts'
import type { AppDeps } from '../../app-deps.ts'
import { ApiError } from '../../http/api-error.ts'
import { unknownKey } from '../../http/auth.ts'
import { jsonBody } from '../../http/body-rule.ts'
import { requireDiskSpace } from '../../http/disk-space.ts'
import { json } from '../../http/response-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { accept, ProjectGone } from '../../ingest/accept.ts'
import { pushedExample, pushResponseExample } from './review-examples.ts'

/** `POST /v1/reviews`: stores a batch atomically and wakes the pipeline. */
export function pushReviews(deps: AppDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/reviews',
    access: 'secret key',
    body: jsonBody(pushBody, { maxBytes: BODY_BYTES.pushReviews, example: [pushedExample] }),
    responses: { 200: json(pushResponse, 'Stored.', { example: pushResponseExample }) },
    errors: ['review_limit_reached'],
    operationId: 'pushReviews',
    tag: 'Reviews',
    summary: 'Store one review or a batch of up to 100',
    description:
      'New reviews are inserted. A stored one (same `source` and `external_id`) becomes what was sent: fields left out become null, except `metadata`, which stays. `source` is `custom` for any source that is not listed. A batch is stored as a whole or not at all; of several reviews with the same `source` and `external_id` the last one counts. The reviews can be found within seconds; `indexing: "deferred"` means that this takes until the queue accepts work again, at the latest shortly after midnight UTC. At most 1 MiB.',
    async handle({ key, body: rows }) {
      await requireDiskSpace(deps.freeSpace)
      const accepted = await accept(deps.sql, key.project, key.env, rows, deps.allowance).catch(goneIsUnknown)
      if ('limit' in accepted) throw capReached(accepted.limit.remaining)
      deps.worker.nudge()
      const reviews = accepted.reviews.map(({ id, external_id, source, status }) => ({
        id,
        external_id,
        source,
        status,
      }))
      return { status: 200, body: { reviews, ...(accepted.deferred ? { indexing: 'deferred' as const } : {}) } }
    },
  })
}

function capReached(remaining: number): ApiError {
  const room = remaining === 1 ? '1 more review fits' : `${remaining} more reviews fit`
  return new ApiError('review_limit_reached', `The project's plan is full: ${room}. Nothing of this batch was stored.`)
}

/** A project deleted between the key's lookup and the write took its keys with it. */
function goneIsUnknown(error: unknown): never {
  throw error instanceof ProjectGone ? unknownKey() : error
}
