import type { KeyKind } from '../../../src/contract/key.ts'
import type { Environment } from '../../../src/contract/review.ts'
import type { Project } from '../projects/projects.ts'

/** A key that was looked up, with everything a request needs to know of its project. */
export interface Authenticated {
  keyId: string
  kind: KeyKind
  env: Environment
  project: Project
  /** Part of the cache key of searches. */
  revision: string
  /** Requests with this key in its current window, this one included. */
  requestsInWindow: number
  /** At least 1. */
  windowEndsInSeconds: number
}

/** One request's lookup of its key. */
export interface KeyLookup {
  /** Hexadecimal hash of the key. */
  hash: string
  /** How many requests it counts: 0 or 1. */
  counts: number
}

/** The number of requests per key. */
export function requestsByKey(looks: readonly KeyLookup[]): Map<string, number> {
  const requests = new Map<string, number>()
  for (const { hash, counts } of looks) requests.set(hash, (requests.get(hash) ?? 0) + counts)
  return requests
}

/** The result for each lookup. The statement counted all requests with a key; this gives each its own place in the window. */
export function placesInWindow<T extends { requestsInWindow: number }>(
  looks: readonly KeyLookup[],
  requests: ReadonlyMap<string, number>,
  find: (hash: string) => T | undefined,
): (T | undefined)[] {
  const left = new Map(requests)
  return looks.map(({ hash, counts }) => {
    const found = find(hash)
    if (!found) return undefined
    const later = Math.max(0, (left.get(hash) ?? 0) - counts)
    left.set(hash, later)
    return { ...found, requestsInWindow: found.requestsInWindow - later }
  })
}
