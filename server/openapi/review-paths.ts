import { listParameters, patchBody, pushBody } from '../../src/contract/review.ts'
import { errors, noContent, queryParameters, ref, requestBody, reviewId, success } from './parts.ts'

const security = [{ secretKey: [] }]
const tags = ['Reviews']

const example = {
  external_id: 'g-10482',
  source: 'google',
  rating: 5,
  text: 'The terrace at breakfast was worth the trip alone, and the staff remembered our names.',
  author_name: 'Mara Lindqvist',
  occurred_at: '2026-01-05T10:00:00Z',
  language: 'en',
  metadata: { page: 'terrace' },
}

/** `/v1/reviews` and `/v1/reviews/{id}`. */
export const reviewPaths = {
  '/v1/reviews': {
    post: {
      operationId: 'pushReviews',
      tags,
      summary: 'Store one review or a batch of up to 100',
      description:
        'New reviews are inserted, stored ones (same `source` and `external_id`) become what was sent. A batch lands whole or not at all, and of a key that stands in it several times the last counts. The reviews can be found within seconds; `indexing: "deferred"` says that it takes until the operator\'s allowance renews. At most 1 MiB.',
      security,
      requestBody: requestBody(pushBody, { required: true, example: [example] }),
      responses: {
        '200': success('Stored.', ref('PushResponse')),
        ...errors(
          'unauthorized',
          'forbidden',
          'payload_too_large',
          'unsupported_media_type',
          'validation_failed',
          'review_limit_reached',
          'rate_limited',
          'internal',
          'service_unavailable',
        ),
      },
    },
    get: {
      operationId: 'listReviews',
      tags,
      summary: 'List stored reviews, newest first',
      description: 'A page is stable while reviews come or go ahead of it. Reviews without a date stand last.',
      security,
      parameters: queryParameters(listParameters.entries, {
        cursor: '`next_cursor` of the page before, together with the same filters.',
        limit: 'Page size.',
        source: 'Only this source.',
        min_rating: 'Only reviews with at least this many stars; unrated ones are left out.',
        hidden: 'Only hidden ones, only visible ones, or all.',
        since: 'Only reviews of this instant or later; a bare day means midnight UTC.',
        indexed: 'Only those that can be found already, or only those that still wait.',
      }),
      responses: {
        '200': success('One page.', ref('ListResponse')),
        ...errors(
          'unauthorized',
          'forbidden',
          'unsupported_media_type',
          'validation_failed',
          'rate_limited',
          'internal',
          'service_unavailable',
        ),
      },
    },
  },
  '/v1/reviews/{id}': {
    parameters: [reviewId],
    get: {
      operationId: 'getReview',
      tags,
      summary: 'Read a stored review',
      security,
      responses: {
        '200': success('The review.', ref('StoredReview')),
        ...errors(
          'unauthorized',
          'forbidden',
          'not_found',
          'unsupported_media_type',
          'validation_failed',
          'rate_limited',
          'internal',
          'service_unavailable',
        ),
      },
    },
    patch: {
      operationId: 'patchReview',
      tags,
      summary: 'Hide or show a review, or replace its metadata',
      description:
        'Hidden reviews appear in no query. `metadata` replaces the whole map. A change that changes nothing touches nothing, not even `updated_at`. At most 64 KiB.',
      security,
      requestBody: requestBody(patchBody, { required: true, example: { hidden: true } }),
      responses: {
        '200': success('The review after the change.', ref('StoredReview')),
        ...errors(
          'unauthorized',
          'forbidden',
          'not_found',
          'payload_too_large',
          'unsupported_media_type',
          'validation_failed',
          'rate_limited',
          'internal',
          'service_unavailable',
        ),
      },
    },
    delete: {
      operationId: 'deleteReview',
      tags,
      summary: 'Remove a review and its excerpts',
      security,
      responses: {
        '204': noContent('Removed.'),
        ...errors(
          'unauthorized',
          'forbidden',
          'not_found',
          'unsupported_media_type',
          'validation_failed',
          'rate_limited',
          'internal',
          'service_unavailable',
        ),
      },
    },
  },
}
