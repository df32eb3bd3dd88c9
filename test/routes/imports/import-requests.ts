/** What tests of the upload route send to it, and what they look at afterwards. */
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { importResponse } from '../../../src/contract/import.ts'
import type { serviceOnTransports } from '../../http/service-on-transports.ts'
import type { Sent } from '../../http/transport.ts'

interface StoredReview {
  id: string
  external_id: string
  hidden: boolean
  author_name: string
  text: string
  occurred_at: string
  metadata: Record<string, string>
}

export function importRequests(
  { service }: Pick<ReturnType<typeof serviceOnTransports>, 'service'>,
  send: (sent: Sent) => Promise<Response>,
) {
  return {
    upload: (key: string, body: string | Uint8Array, query = '', headers: Record<string, string> = {}) =>
      send({
        method: 'POST',
        path: `/imports${query}`,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv', ...headers },
        body,
      }),
    async imported(response: Response) {
      const text = await response.text()
      assert.is(response.status, 200, text)
      const answer: unknown = JSON.parse(text)
      // A field of the importer's own that goes out with the others would be kept for ever.
      for (const part of Object.keys(v.parse(v.looseObject({}), answer)))
        assert.ok(part in importResponse.entries, part)
      return v.parse(importResponse, answer)
    },
    /** The first hundred reviews of the key's project and environment. */
    async stored(key: string) {
      const response = await send({ path: '/v1/reviews?limit=100', headers: { authorization: `Bearer ${key}` } })
      const body = (await response.json()) as { reviews: StoredReview[] }
      return body.reviews
    },
    /** A secret key of a project of its own. */
    async freshKey() {
      const project = await service.makeProject(`p${Math.random().toString(36).slice(2)}`, { plan: 'free' })
      return service.makeKey(project, 'secret', 'live')
    },
  }
}
