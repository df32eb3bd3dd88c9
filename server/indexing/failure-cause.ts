import { codeOf } from '../../src/contract/code-of.ts'
import { type Embedder, EmbeddingUnavailable } from '../embed/embedder.ts'

/** Embedded after an error, to tell a failing service from a review that makes it fail. */
const HARMLESS_TEXT = 'A quiet room with a view.'

/**
 * Whether a review sent alone caused the embedding to fail: the service neither asks to retry later nor stays silent, and
 * embeds a harmless text right afterwards. An overloaded service (429, 503, a timeout) may manage a short text when it did
 * not manage a long one, so that proves nothing.
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

/** SQLSTATE classes 22, 23 and 54: the database works but rejects these values. */
export function isDataRefused(error: unknown): boolean {
  return /^(?:22|23|54)...$/.test(codeOf(error) ?? '')
}
