import { LRUCache } from 'lru-cache'
import { untilAborted } from '../abort.ts'
import type { Embedder } from './embedder.ts'

/**
 * Remembers the vectors of search texts: pages ask the same few questions again and again, also after the results
 * themselves were purged. Equal texts that are asked at once are embedded once. Failures are not remembered, and
 * documents pass by. The vectors are shared: callers must not write to them.
 *
 * @param entries how many texts are kept, the least recently used go first
 */
export function cachedQueries(embedder: Embedder, { entries }: { entries: number }): Embedder {
  if (entries < 1) return embedder
  const cache = new LRUCache<string, Float32Array>({
    max: entries,
    // Without the caller's signal: others may wait for the same text by now.
    fetchMethod: async (text) => (await embedder.embed([text], 'query'))[0],
    // They get the vector of a text that is evicted meanwhile, too.
    ignoreFetchAbort: true,
  })
  return {
    id: embedder.id,
    dimensions: embedder.dimensions,
    languages: embedder.languages,
    coverage: embedder.coverage,
    isInstant: embedder.isInstant,
    embed(texts, kind, signal) {
      if (kind !== 'query') return embedder.embed(texts, kind, signal)
      return untilAborted(Promise.all(texts.map((text) => cache.forceFetch(text))), signal)
    },
    async close() {
      cache.clear()
      await embedder.close?.()
    },
  }
}
