import { MOST_SENTENCES } from '../../sql/excerpts/save-excerpts.ts'
import { isSpace } from './graphemes.ts'
import { type Interruptible, SEGMENTS_PER_STEP } from './interruptible.ts'
import { sentenceStartsIn } from './segmenter.ts'

/**
 * The least width of a sentence that is compared on its own; a shorter one goes with its neighbour. Over whole reviews
 * (`npm run bench:relevance -- --whole`) 45 had the best nDCG@10 of 0, 25, 35, 45, 50 and 60, and no more vectors than
 * 2.2 an excerpt, where all sentences made 3.2.
 */
const LEAST_WIDTH = 45
/** From here on letters are East Asian, and a sentence of a dozen says as much as one of 45 Latin letters. */
const WIDE_FROM = 0x2e80
const WIDE = 4
/** Halves of emoji, mostly, each as wide as two Latin letters. */
const SURROGATES = { from: 0xd800, to: 0xdfff }

/**
 * Cuts an excerpt into the sentences that get vectors of their own: where each begins, in UTF-16 units; it ends where the
 * next begins; what is beyond {@link MOST_SENTENCES} goes with the last. Empty when there would be only one, since that is
 * the excerpt itself. In steps, since an excerpt that cannot be cut is as long as its review.
 *
 * @param language BCP 47 tag of the text, when known
 */
export function* sentenceStarts(excerpt: string, language?: string | null): Interruptible<number[]> {
  // Most excerpts are one sentence or two short ones: nothing needs to be segmented.
  if (widthOf(excerpt, 0, excerpt.length) < 2 * LEAST_WIDTH) return []
  const starts = [0]
  const lengths: number[] = []
  let from = 0
  let taken = 0
  for (const end of endsOf(excerpt, language)) {
    if (++taken % SEGMENTS_PER_STEP === 0) yield
    const width = widthOf(excerpt, from, end)
    const before = lengths.at(-1)
    if (before === undefined) lengths.push(width)
    else if (before < LEAST_WIDTH || width < LEAST_WIDTH || starts.length === MOST_SENTENCES) {
      lengths[lengths.length - 1] = before + width
    } else {
      starts.push(from)
      lengths.push(width)
    }
    from = end
  }
  return starts.length > 1 ? starts : []
}

function* endsOf(excerpt: string, language: string | null | undefined): Generator<number> {
  yield* sentenceStartsIn(excerpt, 0, excerpt.length, language)
  yield excerpt.length
}

/** The sentences that begin at `starts`, without outer white space. */
export function sentencesAt(excerpt: string, starts: readonly number[]): string[] {
  return starts.map((start, i) => excerpt.slice(start, starts[i + 1]).trim())
}

function widthOf(text: string, from: number, to: number): number {
  let end = to
  while (end > from && isSpace(text.charCodeAt(end - 1))) end--
  let width = end - from
  for (let i = from; i < end; i++) {
    const unit = text.charCodeAt(i)
    if (unit < WIDE_FROM) continue
    width += unit >= SURROGATES.from && unit <= SURROGATES.to ? 1 : WIDE - 1
  }
  return width
}
