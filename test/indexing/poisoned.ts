/** Reviews of which one is refused by the embedding service. */
import { EmbeddingRefused } from '../../server/embed/embedder.ts'
import { type FakeEmbedder, fakeEmbedder, fakeVector } from './fake-embedder.ts'

export const POISON = { external_id: 'bad', text: 'This is poison.' }
export const isPoison = (text: string) => text.includes('poison')

/** An embedder that refuses the poison and nothing else. */
export function refusing(): FakeEmbedder {
  const embedder = fakeEmbedder()
  embedder.before = (texts) => {
    if (!texts.some(isPoison)) return
    throw new EmbeddingRefused(
      'refused with 400',
      texts.map((text) => (isPoison(text) ? undefined : fakeVector(text))),
    )
  }
  return embedder
}
export const token = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
