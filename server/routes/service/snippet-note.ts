import { noteParameters, noteResponse } from '../../../src/contract/snippet-note.ts'
import type { Sql } from '../../deps.ts'
import type { NoteLimit } from '../../http/address-limit.ts'
import { hashKey } from '../../http/api-key.ts'
import { presentedKey, unknownKey } from '../../http/auth.ts'
import { ANY_ORIGIN } from '../../http/cors.ts'
import { queryOf } from '../../http/query-rule.ts'
import { json } from '../../http/response-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { ratingNote } from '../../snippet/rating-note.ts'
import { policyOfKey } from '../../sql/access/keys.ts'

/**
 * `GET /snippet/note`, not part of the contract: the sentence that says which reviews the pages of a publishable key show,
 * from the project's current settings. The query's response has no place for it, and a tag generated with it would go out of
 * date. It is composed here, since a page may pin a version of the snippet that does not know what a later server leaves out.
 * The origin is not checked: anyone with the key can find this out.
 */
export function snippetNoteRoute({ sql, noteLimit }: { sql: Sql; noteLimit?: NoteLimit | undefined }): Route {
  return defineRoute({
    method: 'GET',
    path: '/snippet/note',
    access: 'open',
    guard({ query }) {
      if (presentedKey(null, query, 'accepted').kind !== 'publishable') throw unknownKey()
    },
    query: queryOf(noteParameters, {
      key: 'A publishable key.',
      lang: 'Language of the sentence, a BCP 47 tag.',
      min_rating: 'As the page asks, where it is stricter.',
    }),
    responses: { 200: json(noteResponse, 'The sentence.') },
    errors: ['unauthorized', 'rate_limited', 'internal', 'service_unavailable'],
    operationId: 'getSnippetNote',
    summary: "Which reviews a publishable key's pages show, as a sentence",
    description:
      "Made of the project's settings as they are now, for any origin. It does not count against the key's limit; one address may ask 600 times a minute.",
    async handle({ request, query: { key = '', lang, min_rating = 1 } }) {
      const overLimit = noteLimit?.count(request, key)
      if (overLimit) throw overLimit
      const policy = await policyOfKey(sql, hashKey(key))
      if (!policy) throw unknownKey()
      const minRating = Math.max(policy.minRating, min_rating)
      const body = { min_rating: minRating, ...ratingNote({ ...policy, minRating }, lang) }
      return { status: 200, body, headers: ANY_ORIGIN }
    },
  })
}
