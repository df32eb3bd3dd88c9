import { errorDetail, errorInfo } from '../../src/contract/errors.ts'
import { importLine } from '../../src/contract/import.ts'
import { filters, foundReview, highlight, queryBody, queryResponse, queryResult } from '../../src/contract/query.ts'
import { listResponse, patchBody, pushResponse, reviewInput, storedReview } from '../../src/contract/review.ts'

/** Descriptions of the fields of `/v1` and of imports, which generated clients include. */

type Meanings = Record<string, string>

const ofReview = {
  external_id: 'Its id at its source. `source` and `external_id` together identify a stored review.',
  rating: 'Stars; null if the source has none.',
  author_avatar_url: "Address of the author's picture.",
  url: 'Link to the review at its source.',
  language: 'BCP 47 tag, such as `en` or `pt-BR`.',
}
const HIDDEN = 'Hidden reviews never appear in query results.'

const MEANINGS: ReadonlyMap<unknown, Meanings> = new Map<unknown, Meanings>([
  [
    reviewInput,
    {
      ...ofReview,
      rating: 'Stars. If null or left out, the sentiment is classified from the text.',
      text: 'The whole text, verbatim; white space around it is removed.',
      occurred_at: 'When it was written: date and time, with seconds, and `Z` or an offset. A date alone is refused.',
      metadata: 'Strings by name, by which queries can be filtered. Left out, the stored map stays; `{}` empties it.',
    },
  ],
  [patchBody.pipe[0], { hidden: HIDDEN, metadata: 'Replaces the whole map.' }],
  [
    queryBody,
    {
      q: 'Search text. Without it, the results are the newest reviews that may be shown.',
      limit: 'Maximum number of results.',
      mode: '`excerpts`: the best passages, several of one review if they match. `reviews`: each review once, as a whole.',
      include: '`text` adds the whole review text to each result.',
      fallback: '`recent`: if nothing is relevant, the newest reviews, with `matched: false`.',
    },
  ],
  [
    filters,
    {
      min_rating: "Can only raise the project's own minimum. Reviews without stars are not affected.",
      source: 'Only reviews from these sources.',
      since: 'Only reviews from this moment on; a date means midnight UTC.',
      metadata:
        'Only reviews that have all of these values, exactly. A field `metadata.<key>` next to it does the same for one key; any other field is refused.',
    },
  ],
  [
    storedReview,
    {
      ...ofReview,
      sentiment: 'By the stars, or classified from the text; null until a review without stars is indexed.',
      sentiment_source: 'Where `sentiment` comes from, or will come from.',
      hidden: HIDDEN,
      created_at: 'When it was first stored.',
      updated_at: 'When a request last changed it.',
    },
  ],
  [
    pushResponse,
    {
      reviews: 'The stored reviews in the order of the request; of repeats, the last one only.',
      indexing: 'Only present if indexing has to wait; the reviews are stored and need not be sent again.',
    },
  ],
  [listResponse, { next_cursor: 'Send it as `cursor` to get the next page; null on the last page.' }],
  [
    queryResponse,
    {
      results: 'In rank order, which also depends on words: `score` need not fall from one to the next.',
      match:
        '`query`: results relevant to `q`. `none`: nothing was relevant, there are no results. `fallback`: nothing was relevant, these are the newest reviews. `recent`: there was no `q`, these are the newest reviews.',
      took_ms: 'Milliseconds that this request took on the server.',
      cached: 'Whether the results came from the cache. Such answers do not count against the monthly quota.',
      badge: 'Whether the page must show the credit.',
    },
  ],
  [
    queryResult,
    {
      score: 'Cosine similarity of query and excerpt, comparable across queries; null without `q` and in a fallback.',
      matched: 'False without `q` and in a fallback.',
      excerpt: 'A verbatim slice of the review text.',
      excerpt_id: 'Stays the same as long as the text does.',
      highlight: 'Where `review.text` has the excerpt; null if that is the whole text, without `q` and in a fallback.',
    },
  ],
  [
    highlight,
    {
      start: 'Where the excerpt starts, in UTF-16 code units.',
      end: 'Where it ends, exclusive: `text.slice(start, end)` in JavaScript.',
    },
  ],
  [foundReview, { text: 'Present with `mode=reviews` or `include=text`.', rating: ofReview.rating, url: ofReview.url }],
  [
    importLine,
    { result: 'On the last line, if the import succeeded.', error: 'On the last line, if the import failed.' },
  ],
  [
    errorInfo,
    {
      message: 'For people; may change.',
      doc_url: 'What the code means.',
      request_id: 'The same as in the header `x-request-id`.',
      details: 'Present with `validation_failed`: every finding.',
    },
  ],
  [errorDetail, { path: 'Dotted, such as `0.rating` or `filters.since`; `(body)` is the whole body.' }],
])

/** By field; empty for a schema without descriptions. */
export function meaningsOf(schema: unknown): Meanings {
  return MEANINGS.get(schema) ?? {}
}
