import { LRUCache } from 'lru-cache'
import { untilAborted } from '../abort.ts'
import type { Embedder } from './embedder.ts'

interface QueryText {
  text: string
  languages: readonly string[]
}

/**
 * Caches the vectors of search texts: pages ask the same few questions again and again, even after cached results were
 * invalidated. Concurrent identical texts are embedded once. Failures and documents are not cached. The vectors are shared,
 * so callers must not write to them.
 * @param entries maximum number of texts, least recently used evicted first
 * @param embedded told of each text that the provider itself embedded
 */
export function cachedQueries(
  embedder: Embedder,
  { entries, embedded = () => {} }: { entries: number; embedded?: () => void },
): Embedder {
  if (entries < 1) return embedder
  const cache = new LRUCache<string, Float32Array, QueryText>({
    max: entries,
    // Without the caller's signal: others may be waiting for the same text.
    fetchMethod: async (_key, _stale, { context }) => {
      const [vector] = await embedder.embed([context.text], 'query', undefined, context.languages)
      embedded()
      return vector
    },
    // Callers also get the vector of a text that is evicted meanwhile.
    ignoreFetchAbort: true,
  })
  return {
    id: embedder.id,
    dimensions: embedder.dimensions,
    languages: embedder.languages,
    coverage: embedder.coverage,
    isInstant: embedder.isInstant,
    embed(texts, kind, signal, languages = []) {
      if (kind !== 'query') return embedder.embed(texts, kind, signal)
      // Other models read a text the same in every environment.
      const reads = embedder.languages ? `${[...languages].sort()} ` : ''
      const fetch = (text: string) => cache.forceFetch(reads + text, { context: { text, languages } })
      return untilAborted(Promise.all(texts.map(fetch)), signal)
    },
    async close() {
      cache.clear()
      await embedder.close?.()
    },
  }
}
