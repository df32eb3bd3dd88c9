/**
 * Multiplies weights of a query's words by their inverse document frequency among some texts (BM25's, always above 0), where
 * a text contains a word to the degree that its most similar word resembles it. The result sums to 1.
 */
export function weightedByRarity(weights: Float64Array, texts: readonly Float64Array[]): Float64Array {
  const out = weights.map((weight, i) => {
    let having = 0
    for (const best of texts) having += best[i] ?? 0
    return weight * Math.log(1 + (texts.length - having + 0.5) / (having + 0.5))
  })
  const total = out.reduce((sum, weight) => sum + weight, 0)
  return total > 0 ? out.map((weight) => weight / total) : out
}

/** Scales a vector to length 1. @returns its previous length */
export function normalise(vector: Float64Array): number {
  let square = 0
  for (const x of vector) square += x * x
  const length = Math.sqrt(square)
  if (length > 0) for (let d = 0; d < vector.length; d++) vector[d] = (vector[d] ?? 0) / length
  return length
}
