import { LRUCache } from 'lru-cache'
import type { ServerRequest } from 'srvx'
import type { QueryRequest } from '../../../src/contract/query.ts'
import type { Foreseen, Search, SearchContext } from '../../search/search.ts'

/** Two megabytes or so. */
const MOST_KNOWN = 2_000

/**
 * Searches that are begun while their key is looked up, in the context that the key had the last time. Nothing is decided by
 * that: the key may have been revoked since, its project changed, its window filled. Then what was begun is never asked for.
 */
export class Foresight {
  readonly #search: Search
  readonly #known = new LRUCache<string, SearchContext>({ max: MOST_KNOWN })
  readonly #begun = new WeakMap<ServerRequest, { key: string; foreseen: Foreseen | undefined }>()

  constructor(search: Search) {
    this.#search = search
  }

  /**
   * Until a request with this key was let in again no other is begun: refused ones cost one search, not one each.
   *
   * @param asked parses the request, which may be refused @throws what it throws
   */
  begin(request: ServerRequest, keyHash: Buffer, asked: () => QueryRequest, bypassCache: boolean): void {
    const key = keyHash.toString('latin1')
    const context = this.#known.get(key)
    this.#known.delete(key)
    this.#begun.set(request, { key, foreseen: undefined })
    const foreseen = context && this.#search.foresee?.(context, asked(), bypassCache)
    this.#begun.set(request, { key, foreseen })
  }

  /** The request was let in. @returns what was begun for it */
  admitted(request: ServerRequest, context: SearchContext): Foreseen | undefined {
    const begun = this.#begun.get(request)
    if (begun) this.#known.set(begun.key, context)
    return begun?.foreseen
  }
}
