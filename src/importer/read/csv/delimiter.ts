const DELIMITERS = [',', ';', '\t', '|'] as const
/** Fewer may be mostly lines above the header. */
const ENOUGH_ROWS = 20
/** How much of a file is sampled. */
export const SAMPLE_BYTES = 65_536

/** The delimiter that splits the first rows most evenly into two or more cells; a comma when none does. */
export function detectDelimiter(sample: string): string {
  let best: string = ','
  let bestScore = 0
  for (const delimiter of DELIMITERS) {
    const counts = cellCounts(sample, delimiter, 30)
    const usual = mostFrequent(counts.filter((count) => count >= 2))
    const split = counts.filter((count) => count >= 2).length
    // A semicolon in some texts below a single heading is none; other lines above the header are few.
    if (counts[0] === 1 && counts.length >= ENOUGH_ROWS && split < counts.length / 2) continue
    const even = counts.filter((count) => count === usual).length / counts.length
    const score = even * 10 + Math.min(usual, 40) / 10
    if (score > bestScore) {
      best = delimiter
      bestScore = score
    }
  }
  return best
}

/** Whether the header has a space after each delimiter, as in handwritten lists: `Date, Author, Review`. */
export function hasSpacesAfter(delimiter: string, sample: string): boolean {
  const header = sample.split(/\r\n|\n|\r/, 30).find((line) => line.includes(delimiter))
  return header?.split(delimiter).every((cell, i) => i === 0 || cell.startsWith(' ')) ?? false
}

/** 0 for none. */
function mostFrequent(counts: number[]): number {
  const tally = new Map<number, number>()
  for (const count of counts) tally.set(count, (tally.get(count) ?? 0) + 1)
  return [...tally].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0
}

function cellCounts(sample: string, delimiter: string, limit: number): number[] {
  const counts: number[] = []
  let cells = 1
  let quoted = false
  let atStart = true
  let empty = true
  for (let index = 0; index < sample.length && counts.length < limit; index++) {
    const character = sample[index]
    if (quoted) {
      if (character === '"' && sample[index + 1] === '"') index++
      else if (character === '"') quoted = false
      continue
    }
    if (character === '"' && atStart) quoted = true
    if (character === delimiter) cells++
    if (character === '\n' || character === '\r') {
      if (!empty) counts.push(cells)
      cells = 1
      empty = true
      atStart = true
      continue
    }
    empty = false
    atStart = character === delimiter || (atStart && character === ' ')
  }
  // The last row may be cut off; it counts only when the sample is short enough to be the whole file, or there is no
  // other.
  if (!empty && (counts.length === 0 || (!quoted && counts.length < limit && sample.length < SAMPLE_BYTES / 2)))
    counts.push(cells)
  return counts
}
