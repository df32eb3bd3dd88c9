import type { NoteResponse } from '../../../src/contract/snippet-note.ts'
import { noteParameters } from '../../../src/contract/snippet-note.ts'
import { validate } from '../../../src/contract/validate.ts'
import type { Sql } from '../../deps.ts'
import { assertValid } from '../../http/api-error.ts'
import { presentedKey, unknownKey } from '../../http/auth.ts'
import { parameterFindings, wellFormedParameters } from '../../http/query-string.ts'
import type { OpenRoute } from '../../http/request-pipeline.ts'
import { ratingNote } from '../../snippet/rating-note.ts'
import { policyOfKey } from '../../sql/access/key-policy.ts'

const isKnown = (name: string) => Object.hasOwn(noteParameters.entries, name)

/**
 * `GET /snippet/note`, this server's own: the sentence that says which reviews the pages of a publishable key show, made
 * of the project's settings as they are now. The query's answer has no place for it, and a tag that was printed with it
 * would go on saying what is no longer so. It is composed here, since a page may pin a file of the snippet that does not know
 * what a later server leaves out. Neither origin nor rate are looked at: it says what anyone can find out who has the key.
 */
export function snippetNoteRoute({ sql }: { sql: Sql }): OpenRoute {
  return {
    method: 'GET',
    path: '/snippet/note',
    access: 'open',
    async handle({ query }) {
      const { kind, hash } = presentedKey(null, query, 'accepted')
      if (kind !== 'publishable') throw unknownKey()
      const findings = parameterFindings(query, { known: isKnown, once: isKnown })
      const given = validate(noteParameters, wellFormedParameters(query))
      const [, { lang, min_rating = 1 }] = assertValid(
        findings.length > 0 ? { ok: false, details: findings } : { ok: true, value: undefined },
        given,
      )
      const policy = await policyOfKey(sql, hash)
      if (!policy) throw unknownKey()
      const minRating = Math.max(policy.minRating, min_rating)
      const body: NoteResponse = { min_rating: minRating, ...ratingNote({ ...policy, minRating }, lang) }
      return { status: 200, body, headers: OPEN }
    },
  }
}

/** Pages of every origin may read it, as they may the snippet itself. */
const OPEN = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }
