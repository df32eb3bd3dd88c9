import { createHash } from 'node:crypto'
import type { QueryResponse } from '../../../src/contract/query.ts'
import { type CompressedPrefix, compressPrefix } from '../../http/compressed-prefix.ts'
import { type Encoding, negotiateEncoding } from '../../http/content-negotiation.ts'

/** What is compressed: a shorter answer travels in one packet either way. UTF-16 units of JSON. */
const WORTH_COMPRESSING = 1_024

/** The part of an answer that stays the same while its results are in the cache, in the forms that were asked for. */
interface Prepared {
  digest: string
  length: number
  compressed: Map<Encoding, Promise<CompressedPrefix>>
}

/** By the list of results, which the result cache hands out as it is: what is dropped there is dropped here. */
const prepared = new WeakMap<QueryResponse['results'], Prepared>()

/**
 * How the 200 of a query travels. The tag is weak and made of what is cached and of the badge: `took_ms` and `cached` tell of
 * the request, not of the results.
 */
export function encodeQueryResponse(response: QueryResponse) {
  const { results, match: _, ...changing } = response
  const made = prepared.get(results) ?? prepare(response)
  const mayCompress = made.length >= WORTH_COMPRESSING
  const headers: Record<string, string> = mayCompress ? { vary: 'Origin, Accept-Encoding' } : {}
  return {
    etag: `W/"${made.digest}${changing.badge ? '.b' : ''}"`,
    headers,
    /** The body as the client accepts it, by its `Accept-Encoding`. */
    async body(
      accepted: string | null,
    ): Promise<{ body: QueryResponse | Uint8Array; headers: Record<string, string> }> {
      const encoding = mayCompress ? negotiateEncoding(accepted) : 'identity'
      if (encoding === 'identity') return { body: response, headers }
      let head = made.compressed.get(encoding)
      if (!head) {
        head = compressPrefix(encoding, headOf(response))
        made.compressed.set(encoding, head)
        // The next request tries again.
        head.catch(() => made.compressed.delete(encoding))
      }
      const tail = `,${JSON.stringify(changing).slice(1)}`
      return { body: (await head).join(tail), headers: { ...headers, 'content-encoding': encoding } }
    },
  }
}

function prepare(response: QueryResponse): Prepared {
  const head = headOf(response)
  const digest = createHash('sha256').update(head).digest('base64url').slice(0, 22)
  const made = { digest, length: head.length, compressed: new Map() }
  prepared.set(response.results, made)
  return made
}

/** The answer as JSON without its end, which follows behind a comma. */
function headOf({ results, match }: QueryResponse): string {
  return JSON.stringify({ results, match }).slice(0, -1)
}
