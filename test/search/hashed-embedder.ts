import { calibrate, calibrationFor } from '../../server/embed/calibrate.ts'
import type { Embedder } from '../../server/embed/embedder.ts'

const FNV_OFFSET = 2_166_136_261
const FNV_PRIME = 16_777_619

/**
 * A deterministic embedder for tests and measurements that need no meaning: the sum of one pseudo-random unit vector
 * for each word, so that texts which share words are near each other and all others are not.
 */
export function hashedEmbedder({ id = 'hashed/1', size = 255, threshold = 0.4, floor = 0.66 } = {}): Embedder & {
  calls: number
} {
  const k = calibrationFor(threshold, floor)
  const words = new Map<string, Float32Array>()
  const vectorOf = (word: string): Float32Array => {
    let vector = words.get(word)
    if (!vector) {
      vector = new Float32Array(size)
      let state = FNV_OFFSET
      for (const char of word) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), FNV_PRIME) >>> 0
      for (let i = 0; i < size; i++) {
        state = Math.imul(state ^ (state >>> 13) ^ i, FNV_PRIME) >>> 0
        vector[i] = state / 2_147_483_648 - 1
      }
      words.set(word, vector)
    }
    return vector
  }
  return {
    id,
    dimensions: size + 1,
    calls: 0,
    async embed(texts, kind) {
      this.calls++
      return texts.map((text) => {
        const sum = new Float32Array(size)
        for (const word of new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])) {
          // Short words mean little, as in a real model.
          const weight = Math.min(word.length, 7) ** 1.5
          const vector = vectorOf(word)
          for (let i = 0; i < size; i++) sum[i] = (sum[i] ?? 0) + weight * (vector[i] ?? 0)
        }
        const length = Math.hypot(...sum)
        return calibrate(length === 0 ? sum : sum.map((x) => x / length), k, kind)
      })
    },
  }
}
