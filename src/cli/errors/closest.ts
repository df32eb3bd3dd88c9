/** The candidate that a mistyped `word` most likely means; undefined when none is near. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  // A third of the letters may be wrong, and always two; with more it is another word.
  const most = Math.min(Math.max(2, Math.floor(word.length / 3)), word.length - 1)
  const [best] = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
  return best?.candidate
}

const MOST_NAMED = 20

/** A hint for a `name` that does not exist: a similar one, else the existing ones, else `otherwise`. */
export function suggestName(name: string, names: readonly string[], otherwise: string): string {
  const near = closest(name, names)
  if (near !== undefined) return `did you mean "${near}"?`
  if (names.length === 0) return otherwise
  const rest = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''
  return `there are: ${names.slice(0, MOST_NAMED).join(', ')}${rest}`
}

/**
 * Optimal string alignment distance: swapping two neighbours, the most frequent typing mistake, counts as one edit. The
 * packages for Levenshtein distance do not offer it.
 */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const above = rows[i - 1] ?? []
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replace = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let cost = Math.min(replace, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (rows[i - 2]?.[j - 2] ?? 0) + 1)
      }
      row.push(cost)
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}
