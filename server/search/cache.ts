import { LRUCache } from 'lru-cache'
import type { QueryRequest, QueryResponse } from '../../src/contract/query.ts'
import type { Environment } from '../../src/contract/review.ts'
import type { PolicySettings } from './policy.ts'

/** What a query found, without what each response adds (`took_ms`, `cached`, `badge`). */
export type SearchOutcome = Pick<QueryResponse, 'results' | 'match'>

export type ResultCache = Pick<LRUCache<string, SearchOutcome>, 'get' | 'set'>

export interface CacheBounds {
  entries: number
  /** Estimated size of all keys and answers. */
  bytes: number
}

export const DEFAULT_CACHE_BOUNDS: CacheBounds = { entries: 10_000, bytes: 32 * 1024 * 1024 }

/** A larger answer would evict too many others, so it is not cached. */
const LARGEST_SHARE = 1 / 16

/**
 * An LRU cache of answers. Nothing expires by time: the revision in the key makes every answer unreachable when the data or
 * the policy changes, on all servers at once. Bounds of 0 cache nothing, since every answer takes more than a byte.
 */
export function createResultCache({ entries, bytes }: CacheBounds): ResultCache {
  const maxSize = entries < 1 ? 1 : Math.max(1, bytes)
  return new LRUCache<string, SearchOutcome>({
    max: Math.max(1, entries),
    maxSize,
    maxEntrySize: Math.max(1, Math.floor(maxSize * LARGEST_SHARE)),
    sizeCalculation: sizeOf,
  })
}

/** Everything an answer depends on: equal keys have equal answers. */
export function cacheKey(
  context: { projectId: string; env: Environment; revision: string; modelId: number; settings: PolicySettings },
  request: QueryRequest,
): string {
  const { projectId, env, revision, modelId, settings } = context
  return JSON.stringify([
    projectId,
    env,
    revision,
    modelId,
    settings.similarityFloor,
    settings.minRating,
    settings.excerpts,
    request.q ?? null,
    request.limit,
    request.mode,
    request.include_text,
    request.fallback,
    request.filters.min_rating ?? null,
    request.filters.sources ?? null,
    request.filters.since ?? null,
    request.filters.metadata,
  ])
}

/** Objects, numbers and short fixed strings of a result, about 700 bytes as measured in V8. */
const BYTES_PER_RESULT = 700
const BYTES_PER_ENTRY = 300
const BYTES_PER_METADATA_PAIR = 48
/** V8 uses two for any string outside Latin-1; the estimate always assumes two, and as many for the encoded forms. */
const BYTES_PER_CHARACTER = 4

/** Estimated bytes of an answer and its key. */
function sizeOf({ results }: SearchOutcome, key: string): number {
  let characters = key.length
  let bytes = BYTES_PER_ENTRY
  for (const { excerpt, review } of results) {
    bytes += BYTES_PER_RESULT
    characters += excerpt.length + lengthOf(review.text) + lengthOf(review.author_name)
    characters += lengthOf(review.author_avatar_url) + lengthOf(review.url)
    for (const [name, value] of Object.entries(review.metadata)) {
      bytes += BYTES_PER_METADATA_PAIR
      characters += name.length + value.length
    }
  }
  return bytes + characters * BYTES_PER_CHARACTER
}

function lengthOf(text: string | null | undefined): number {
  return text?.length ?? 0
}
