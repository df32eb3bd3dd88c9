import { BODY_BYTES } from '../../../src/contract/limits.ts'
import { type PushResponse, pushBody } from '../../../src/contract/review.ts'
import { validate } from '../../../src/contract/validate.ts'
import type { FreeSpace } from '../../db/home/free-space.ts'
import type { Pool } from '../../deps.ts'
import { ApiError, assertValid } from '../../http/api-error.ts'
import { unknownKey } from '../../http/auth.ts'
import { requireDiskSpace } from '../../http/disk-space.ts'
import { type ApiRoute, jsonBody, noParameters } from '../../http/request-pipeline.ts'
import { type AcceptOptions, accept, ProjectGone } from '../../ingest/accept.ts'

/** `POST /v1/reviews`: stores a batch, whole or not at all, and wakes the pipeline. */
export function pushReviews(deps: {
  sql: Pool
  worker: { nudge(): void }
  allowance: AcceptOptions['allowance']
  freeSpace?: FreeSpace
}): ApiRoute {
  return {
    method: 'POST',
    path: '/v1/reviews',
    access: 'secret key',
    body: { maxBytes: BODY_BYTES.pushReviews },
    async handle(call) {
      const { key } = call
      const [, rows] = assertValid(noParameters(call), validate(pushBody, jsonBody(call)))
      await requireDiskSpace(deps.freeSpace)
      const accepted = await accept(deps.sql, key.project, key.env, rows, { allowance: deps.allowance }).catch(
        goneIsUnknown,
      )
      if ('limit' in accepted) throw capReached(accepted.limit.remaining)
      deps.worker.nudge()
      const body: PushResponse = {
        reviews: accepted.reviews.map(({ id, external_id, source, status }) => ({ id, external_id, source, status })),
        ...(accepted.deferred ? { indexing: 'deferred' } : {}),
      }
      return { status: 200, body }
    },
  }
}

function capReached(remaining: number): ApiError {
  const room = remaining === 1 ? '1 more review fits' : `${remaining} more reviews fit`
  return new ApiError('review_limit_reached', `The project's plan is full: ${room}. Nothing of this batch was stored.`)
}

/** A project that was deleted between the key's look-up and the write took its keys with it. */
function goneIsUnknown(error: unknown): never {
  throw error instanceof ProjectGone ? unknownKey() : error
}
