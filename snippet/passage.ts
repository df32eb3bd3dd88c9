/**
 * A part of a review's text, `before + inside + after + following`, and whether something was left out on either side.
 * `following` are the sentences after the one in which `inside` ends.
 */
export type Passage = [
  before: string,
  inside: string,
  after: string,
  following: string,
  cutStart: boolean,
  cutEnd: boolean,
]

/**
 * The end of a sentence or of a line; in a sentence of more than 200 characters, the end of a word. Punctuation of scripts
 * other than Latin, Greek and Cyrillic ends a sentence without a space.
 */
const PIECE_END = /([.!?…]\p{P}{0,3}\s|(?![.!?])\p{STerm}|[^…\p{STerm}\n]{200}\S{0,50}\s|\n)\s*/gu

/**
 * A range of a text within its sentence, extended by surrounding sentences while they fit into `budget` UTF-16 units: first
 * those that follow, then `leading` of those that precede. `start` and `end` are UTF-16 offsets, end exclusive. Sentences are
 * found by punctuation alone: a false end ("Dr. May") only makes the context smaller. Never cuts inside a word or the range.
 */
export function passageAround(text: string, start: number, end: number, budget: number, leading = 1): Passage {
  const edges = [0]
  while (PIECE_END.test(text)) edges.push(PIECE_END.lastIndex)
  edges.push(text.length)
  let first = edges.findLastIndex((edge) => edge <= start)
  let last = edges.findIndex((edge) => edge >= end)
  let from = edges[first] as number
  let own = edges[last] as number
  // A text without spaces
  if (start - from > budget) from = start
  if (own - end > budget) own = end
  let to = own
  // Beyond the ends it is NaN, which fits into no budget.
  while ((edges[last + 1] as number) - from <= budget) to = edges[++last] as number
  while (leading-- > 0 && to - (edges[first - 1] as number) <= budget) from = edges[--first] as number
  const following = text.slice(own, to).trimEnd()
  const after = text.slice(end, own)
  return [
    text.slice(from, start),
    text.slice(start, end),
    following ? after : after.trimEnd(),
    following,
    from > 0,
    to < text.length,
  ]
}
