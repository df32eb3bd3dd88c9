import type { Finding } from '../../src/contract/doctor.ts'
import { type Embedder, EmbeddingUnavailable } from '../embed/embedder.ts'
import { failure, ok, warning } from './finding.ts'
import { scoreFindings } from './scores.ts'

const TIMEOUT_MS = 10_000
/** A visitor notices that a search takes this long. */
const SLOW_MS = 2_000

/**
 * Whether queries are embedded and how fast, and whether the scores of a model other than the built-in one fit the floor.
 * @param longestMs for both
 */
export async function embeddingFindings(embedder: Embedder, longestMs: number): Promise<Finding[]> {
  const started = performance.now()
  try {
    await embedder.embed(
      ['Is anybody there?'],
      'query',
      AbortSignal.timeout(Math.round(Math.min(TIMEOUT_MS, longestMs))),
    )
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return [failure('embedding', `no vector: ${message}`, hintFor(error))]
  }
  const ms = Math.round(performance.now() - started)
  const message = `a query is embedded in ${ms} ms`
  const hint = 'check whether the embedding service is busy or too slow: each new query waits for it'
  const finding = ms < SLOW_MS ? ok('embedding', message) : warning('embedding', message, hint)
  // One after the other: it is not to be measured how long a query waits for this test.
  return [finding, ...(await scoreFindings(embedder, longestMs - ms))]
}

function hintFor(error: unknown): string {
  const status = error instanceof EmbeddingUnavailable ? error.status : undefined
  if (status === 429) return 'wait, or raise the limit of requests there: searches and indexing share it'
  if (status !== undefined && status >= 500) return 'look for the reason in the log of the embedding service'
  return 'check PULLQUOTE_EMBEDDING_URL, _KEY and _MODEL, and whether the service runs'
}
