import type { Embedder } from '../../server/embed/embedder.ts'

/** A deterministic embedder that remembers what it was asked and can be made to fail, refuse or wait. */
export interface FakeEmbedder extends Embedder {
  /** Every text that was embedded, in order, repeats included. */
  readonly embedded: string[]
  readonly calls: number
  /** Runs before each call; what it throws the call throws. */
  before?: ((texts: readonly string[], signal?: AbortSignal) => Promise<void> | void) | undefined
}

export const FAKE_DIMENSIONS = 4

/** A unit vector that depends on the text's first letters only. */
export function fakeVector(text: string): Float32Array {
  const vector = Float32Array.from({ length: FAKE_DIMENSIONS }, (_, i) => 1 + (text.charCodeAt(i) % 7 || 0))
  const length = Math.hypot(...vector)
  return vector.map((x) => x / length)
}

export function fakeEmbedder(id = 'fake/1'): FakeEmbedder {
  const embedded: string[] = []
  return {
    id,
    dimensions: FAKE_DIMENSIONS,
    embedded,
    calls: 0,
    async embed(texts, _kind, signal) {
      ;(this as { calls: number }).calls++
      await this.before?.(texts, signal)
      embedded.push(...texts)
      return texts.map(fakeVector)
    },
  }
}
