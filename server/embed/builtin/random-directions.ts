import { hashOfText } from './fnv.ts'

/** +1 and -1 from a 32-bit linear congruential generator (the constants of Numerical Recipes), the same on every machine. */
export function randomSigns(count: number, seed = 1): Int8Array {
  const signs = new Int8Array(count)
  let state = seed
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    signs[i] = state < 0 ? -1 : 1
  }
  return signs
}

/** A direction derived from the text's hash: the same for the same text, near to no other. */
export function directionOf(out: Float64Array, trained: number, text: string): Float64Array {
  const size = 1 / Math.sqrt(trained)
  for (const [d, sign] of randomSigns(trained, hashOfText(text)).entries()) out[d] = sign * size
  return out
}
