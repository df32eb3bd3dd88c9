import * as v from 'valibot'
import { translations } from '../../../snippet/translations.ts'
import { labelsResponse } from '../../../src/contract/snippet-note.ts'
import { ANY_ORIGIN } from '../../http/cors.ts'
import { queryOf } from '../../http/query-rule.ts'
import { json } from '../../http/response-rule.ts'
import { defineRoute } from '../../http/route.ts'

/**
 * `GET /snippet/labels`, not part of the contract: the snippet's words in the language of a page that is not English. The
 * snippet itself only has the English ones, since every page loads it.
 */
export const snippetLabels = defineRoute({
  method: 'GET',
  path: '/snippet/labels',
  access: 'open',
  query: queryOf(v.object({ lang: v.optional(v.string()) }), { lang: 'A primary language subtag in lower case.' }),
  responses: { 200: json(labelsResponse, 'The words; empty where there are none in that language.') },
  operationId: 'getSnippetLabels',
  tag: 'Service',
  summary: "The snippet's words in a language",
  description: 'For any origin, and for a day in any cache. The same for everyone, and it counts against no limit.',
  async handle({ query: { lang = '' } }) {
    const labels = Object.hasOwn(translations, lang) ? (translations[lang] ?? '') : ''
    return { status: 200 as const, body: { labels }, headers: { ...ANY_ORIGIN, ...(lang && FOR_A_DAY) } }
  },
})

/** Without a language it tells whether the server runs, which no cache knows. */
const FOR_A_DAY = { 'cache-control': 'public, max-age=86400' }
