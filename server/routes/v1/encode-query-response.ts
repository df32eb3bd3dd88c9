import { createHash } from 'node:crypto'
import type { QueryResponse } from '../../../src/contract/query.ts'
import { type Encoding, negotiateEncoding } from '../../http/content-negotiation.ts'
import { type EncodedPrefix, encodePrefix } from '../../http/encoded-prefix.ts'

/** Minimum size for compression, in UTF-16 units of JSON: a shorter response takes one packet either way. */
const WORTH_COMPRESSING = 1_024

/** The part of a response that is constant while its results are cached, in the encodings requested so far. */
interface Prepared {
  digest: string
  length: number
  encoded: Map<Encoding, Promise<EncodedPrefix>>
}

/** Keyed by the list of results, which the result cache returns unchanged: what is evicted there is evicted here. */
const prepared = new WeakMap<QueryResponse['results'], Prepared>()

/**
 * The body and headers of a query's 200 response. The ETag is weak and covers what is cached and the badge: `took_ms` and
 * `cached` describe the request, not the results.
 */
export function encodeQueryResponse(response: QueryResponse) {
  const { results, match: _, ...changing } = response
  const made = prepared.get(results) ?? prepare(response)
  const mayCompress = made.length >= WORTH_COMPRESSING
  const headers: Record<string, string> = mayCompress ? { vary: 'Origin, Accept-Encoding' } : {}
  return {
    etag: `W/"${made.digest}${changing.badge ? '.b' : ''}"`,
    headers,
    /** The body in an encoding that the client accepts. */
    async body(accepted: string | null): Promise<{ body: Uint8Array; headers: Record<string, string> }> {
      const encoding = mayCompress ? negotiateEncoding(accepted) : 'identity'
      let head = made.encoded.get(encoding)
      if (!head) {
        head = encodePrefix(encoding, headOf(response))
        made.encoded.set(encoding, head)
        // The next request retries.
        head.catch(() => made.encoded.delete(encoding))
      }
      const body = (await head).join(`,${JSON.stringify(changing).slice(1)}`)
      return { body, headers: encoding === 'identity' ? headers : { ...headers, 'content-encoding': encoding } }
    },
  }
}

function prepare(response: QueryResponse): Prepared {
  const head = headOf(response)
  const digest = createHash('sha256').update(head).digest('base64url').slice(0, 22)
  const made = { digest, length: head.length, encoded: new Map() }
  prepared.set(response.results, made)
  return made
}

/** The JSON response up to where the variable fields follow. */
function headOf({ results, match }: QueryResponse): string {
  return JSON.stringify({ results, match }).slice(0, -1)
}
