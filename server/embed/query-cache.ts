import { LRUCache } from 'lru-cache'
import { untilAborted } from '../abort.ts'
import type { Embedder } from './embedder.ts'

/**
 * Caches the vectors of search texts: pages ask the same few questions again and again, even after cached results were
 * invalidated. Concurrent identical texts are embedded once. Failures and documents are not cached. The vectors are shared,
 * so callers must not write to them.
 * @param entries maximum number of texts, least recently used evicted first
 */
export function cachedQueries(embedder: Embedder, { entries }: { entries: number }): Embedder {
  if (entries < 1) return embedder
  const cache = new LRUCache<string, Float32Array>({
    max: entries,
    // Without the caller's signal: others may be waiting for the same text.
    fetchMethod: async (text) => (await embedder.embed([text], 'query'))[0],
    // Callers also get the vector of a text that is evicted meanwhile.
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
