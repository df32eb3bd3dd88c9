import { codeOf } from '../../src/contract/code-of.ts'
import { type Embedder, EmbeddingUnavailable } from '../embed/embedder.ts'

/** Asked for after an error, to tell a service that fails from a review that makes it fail. */
const HARMLESS_TEXT = 'A quiet room with a view.'

/**
 * Whether it was the review, sent alone, that made the embedding fail: the service says neither "come back later" nor
 * gives no answer at all, and embeds a harmless text right after. An overloaded service (429, 503, a time-out) may well
 * manage a short text where it did not manage a long one, so that proves nothing.
 */
export async function isFaultOfReview(error: unknown, embedder: Embedder, signal: AbortSignal): Promise<boolean> {
  if (error instanceof EmbeddingUnavailable && error.status !== 500) return false
  try {
    const [vector] = await embedder.embed([HARMLESS_TEXT], 'document', signal)
    return vector?.length === embedder.dimensions
  } catch {
    return false
  }
}

/** SQLSTATE classes 22, 23 and 54: the database is well and does not take these values. */
export function isDataRefused(error: unknown): boolean {
  return /^(?:22|23|54)...$/.test(codeOf(error) ?? '')
}
