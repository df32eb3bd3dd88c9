import { errorDetail, errorInfo } from '../../src/contract/errors.ts'
import { filters, foundReview, highlight, queryBody, queryResponse, queryResult } from '../../src/contract/query.ts'
import { listResponse, patchBody, pushResponse, reviewInput, storedReview } from '../../src/contract/review.ts'

/** Descriptions of the fields of `/v1`, which generated clients include. */

type Meanings = Record<string, string>

const ofReview = {
  external_id: 'Its id at its source; with `source` the key by which it is updated.',
  rating: 'Stars; null when the source has none.',
  author_avatar_url: "Address of the author's picture.",
  url: 'Link to the review at its source.',
  language: 'BCP 47 tag.',
}

const MEANINGS: ReadonlyMap<unknown, Meanings> = new Map<unknown, Meanings>([
  [
    reviewInput,
    {
      ...ofReview,
      text: 'The whole text, verbatim; surrounding space is taken off.',
      occurred_at: 'When it was written: date and time with `Z` or an offset.',
      metadata: 'Strings by name, to filter queries by.',
    },
  ],
  [patchBody.pipe[0], { hidden: 'Hidden reviews appear in no query.', metadata: 'Replaces the whole map.' }],
  [
    queryBody,
    {
      q: 'Search text; without it the newest publishable reviews come.',
      limit: 'Most results.',
      mode: '`reviews` returns whole reviews, one result each.',
      include: '`text` adds the whole review text to each excerpt.',
      fallback: '`recent`: the newest reviews when nothing is relevant, marked `matched: false`.',
    },
  ],
  [
    filters,
    {
      min_rating: "Can only tighten the project's own minimum.",
      source: 'Only these sources.',
      since: 'Only reviews of this instant or later; a bare day means midnight UTC.',
      metadata:
        'Only reviews with these values. A field `metadata.<key>` beside it says the same of one; any other is refused.',
    },
  ],
  [
    storedReview,
    {
      ...ofReview,
      hidden: 'Hidden reviews appear in no query.',
      created_at: 'When it was stored.',
      updated_at: 'When a request last changed it.',
    },
  ],
  [pushResponse, { indexing: 'Only when indexing waits for the allowance to renew; nothing needs to be sent again.' }],
  [listResponse, { next_cursor: '`cursor` of the next page; null on the last.' }],
  [
    queryResponse,
    {
      results: 'In rank order.',
      match:
        '`query`: relevant to `q`; `none`: nothing was, and there are no results; `fallback`: nothing was, and these are the newest; `recent`: there was no `q`.',
      took_ms: "The server's time for this request.",
      cached: 'Whether it came from the cache.',
      badge: 'Whether the page must show the credit.',
    },
  ],
  [
    queryResult,
    {
      score: 'Cosine similarity of query and excerpt, 0 to 1; null without `q` and in a fallback.',
      matched: 'False without `q` and in a fallback.',
      excerpt: 'A verbatim slice of the review.',
      excerpt_id: 'Stays the same while the text does.',
    },
  ],
  [highlight, { start: 'First UTF-16 code unit of the excerpt in `review.text`.', end: 'The one behind its last.' }],
  [foundReview, { text: 'With `mode=reviews` or `include=text`.', rating: ofReview.rating, url: ofReview.url }],
  [
    errorInfo,
    {
      message: 'For people; may change.',
      doc_url: 'What the code means.',
      request_id: 'The same as the header `x-request-id`.',
      details: 'With `validation_failed`: every finding.',
    },
  ],
  [errorDetail, { path: 'Dotted, such as `0.rating`; `(body)` is the whole body.' }],
])

/** By field; empty for a schema that is not of `/v1`, or whose fields are self-explanatory. */
export function meaningsOf(schema: unknown): Meanings {
  return MEANINGS.get(schema) ?? {}
}
