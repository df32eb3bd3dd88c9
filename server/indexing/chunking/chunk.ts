import { createHash } from 'node:crypto'
import { readUuid, uuidBytes } from '../../sql/uuid.ts'
import { type CutPoint, cutPoints, type WidthOf } from './cut-points.ts'
import { isSpace } from './graphemes.ts'
import type { Interruptible } from './interruptible.ts'

/** A slice of a review's text: UTF-16 offsets, `end` exclusive. */
export interface Slice {
  start: number
  end: number
}

/** The ideal width of an excerpt: about two sentences, enough for one thought. */
const IDEAL = 150
/** No excerpt is wider, unless a single grapheme is. */
const LONGEST = 300
const MANY_SENTENCES = 3
const PER_SENTENCE_TOO_MANY = 0.05
const ACROSS_LINES = [0, 0.15, 0.35] as const

/** An East Asian character carries about as much as two Latin letters, and is as wide. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/

/**
 * Cuts a review's text into excerpts: verbatim slices in order, trimmed, that together contain everything but white space. A
 * short text is a single excerpt; otherwise an excerpt is one to three sentences, usually 100 to 300 characters. A longer
 * sentence is cut between clauses, then words; never inside a grapheme.
 *
 * The cuts are those with the least total cost, as in Knuth and Plass's line breaking (Software: Practice and Experience 11,
 * 1981), so that no small remainder is left at the end: an excerpt costs the square of its width's relative deviation from
 * the ideal, a little for every line break in it, and the penalty of its cut.
 *
 * Yields about every millisecond. The same text and language give the same slices on every machine with the same Unicode
 * version.
 * @param language BCP 47 tag of the text, if known
 */
export function* chunk(text: string, language?: string | null): Interruptible<Slice[]> {
  let from = 0
  let to = text.length
  while (to > 0 && isSpace(text.charCodeAt(to - 1))) to--
  while (from < to && isSpace(text.charCodeAt(from))) from++
  if (from === to) return []
  const widthOf = widths(text)
  // A single excerpt this wide always beats two, so nothing needs to be segmented.
  if (widthOf(from, to) <= IDEAL) return [{ start: from, end: to }]
  return yield* cheapest(from, to, yield* cutPoints(text, from, to, language, LONGEST, widthOf), widthOf)
}

function widths(text: string): WidthOf {
  if (!WIDE.test(text)) return (start, end) => end - start
  const until = new Uint32Array(text.length + 1)
  for (let i = 0; i < text.length; i++) until[i + 1] = (until[i] ?? 0) + (WIDE.test(text.charAt(i)) ? 2 : 1)
  return (start, end) => (until[end] ?? 0) - (until[start] ?? 0)
}

/** Cost of an excerpt by width, up to the longest. */
const WIDTH_COST = Float64Array.from({ length: LONGEST + 1 }, (_, width) => widthCost(width))
const CUTS_A_STEP = 64

function widthCost(width: number): number {
  return ((width - IDEAL) / IDEAL) ** 2
}

function* cheapest(from: number, to: number, cuts: readonly CutPoint[], widthOf: WidthOf): Interruptible<Slice[]> {
  const edges: CutPoint[] = [
    { end: from, start: from, penalty: 0, lines: 0 },
    ...cuts,
    { end: to, start: to, penalty: 0, lines: 0 },
  ]
  // Compares up to 300 by 20,000 pairs of edges: flat arrays take a third of the time.
  const starts = new Uint32Array(edges.length)
  const acrossLines = new Float64Array(edges.length)
  const isSentence = new Uint8Array(edges.length)
  for (const [i, { start, lines, penalty }] of edges.entries()) {
    starts[i] = start
    acrossLines[i] = ACROSS_LINES[lines]
    isSentence[i] = penalty === 0 ? 1 : 0
  }
  const cost = new Float64Array(edges.length)
  const previous = new Uint32Array(edges.length)
  for (const [right, { end, penalty }] of edges.entries()) {
    if (right === 0) continue
    if (right % CUTS_A_STEP === 0) yield
    let best = Number.POSITIVE_INFINITY
    let across = 0
    let sentences = 1
    for (let left = right - 1; left >= 0; left--) {
      const width = widthOf(starts[left] ?? 0, end)
      if (width > LONGEST && left < right - 1) break
      const tooMany = Math.max(0, sentences - MANY_SENTENCES) * PER_SENTENCE_TOO_MANY
      const total = (cost[left] ?? 0) + (WIDTH_COST[width] ?? widthCost(width)) + across + tooMany + penalty
      if (total < best) {
        best = total
        previous[right] = left
      }
      across += acrossLines[left] ?? 0
      sentences += isSentence[left] ?? 0
    }
    cost[right] = best
  }
  const slices: Slice[] = []
  for (let right = edges.length - 1; right > 0; right = previous[right] ?? 0) {
    slices.push({ start: starts[previous[right] ?? 0] ?? from, end: edges[right]?.end ?? to })
  }
  return slices.reverse()
}

/**
 * The id of an excerpt: a version 5 UUID (RFC 9562, section 5.5) whose namespace is the review's id and whose name is the
 * offsets and the text. It is stable as long as the review's text and the chunking are.
 */
export function excerptId(reviewId: string, start: number, end: number, text: string): string {
  const hash = createHash('sha1').update(uuidBytes(reviewId)).update(`${start}:${end}:${text}`).digest()
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80
  return readUuid(hash)
}
