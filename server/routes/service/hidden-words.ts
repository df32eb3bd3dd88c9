import { hiddenWordsParameters, hiddenWordsResponse } from '../../../src/contract/review.ts'
import type { Pool } from '../../deps.ts'
import { queryOf } from '../../http/query-rule.ts'
import { json } from '../../http/response-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { readHiddenWords } from '../../sql/excerpts/hidden-excerpts.ts'
import { environmentOf } from '../../sql/scope.ts'

const PAGE = 100

/** `GET /hidden-words`, not part of the contract: what an export adds to the reviews. */
export function hiddenWordsRoute({ sql }: { sql: Pool }): Route {
  return defineRoute({
    method: 'GET',
    path: '/hidden-words',
    access: 'secret key',
    query: queryOf(hiddenWordsParameters, { after: '`next` of the page before.' }),
    responses: {
      200: json(hiddenWordsResponse, 'Reviews, and the letters and digits of each of their hidden sentences.'),
    },
    operationId: 'listHiddenWords',
    summary: 'Sentences that were hidden in the console',
    description: 'For exports. In order of the ids; `next` is null on the last page.',
    async handle({ key, query: { after } }) {
      const reviews = await readHiddenWords(sql, environmentOf(key), after, PAGE)
      return { status: 200, body: { reviews, next: reviews.length < PAGE ? null : (reviews.at(-1)?.id ?? null) } }
    },
  })
}
