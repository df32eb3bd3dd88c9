/** A part of a review's text, `before + inside + after`, and whether something was left out on either side. */
export interface Passage {
  before: string
  inside: string
  after: string
  cutStart: boolean
  cutEnd: boolean
}

/** The end of a sentence or of a line; in a sentence of more than 200 characters, the end of a word. */
const PIECE_END = /([.!?…]["'”’»)\]]*\s|[。！？]|[^.!?…。\n]{200}\S{0,50}\s|\n)\s*/g

/**
 * The range of a text within its sentence, and with the sentences around it while they fit into `budget` UTF-16 units,
 * first those that follow. `start` and `end` are UTF-16 offsets, end exclusive. Sentences are found by punctuation alone:
 * a false end ("Dr. May") only makes the surroundings smaller. Nothing is cut inside a word or the range.
 */
export function passageAround(text: string, start: number, end: number, budget: number): Passage {
  const edges = [0, ...[...text.matchAll(PIECE_END)].map((match) => match.index + match[0].length), text.length]
  // Infinite where there is none, which fits into no budget.
  const lastBefore = (offset: number) => Math.max(...edges.filter((edge) => edge <= offset))
  const firstAfter = (offset: number) => Math.min(...edges.filter((edge) => edge >= offset))
  let from = lastBefore(start)
  let to = firstAfter(end)
  // A text without spaces
  if (start - from > budget) from = start
  if (to - end > budget) to = end
  for (;;) {
    const next = firstAfter(to + 1)
    const previous = lastBefore(from - 1)
    if (next - from <= budget) to = next
    else if (to - previous <= budget) from = previous
    else break
  }
  return {
    before: text.slice(from, start),
    inside: text.slice(start, end),
    after: text.slice(end, to).trimEnd(),
    cutStart: from > 0,
    cutEnd: to < text.length,
  }
}
