import { MOST_SENTENCES } from '../../sql/excerpts/save-excerpts.ts'
import { isSpace } from './graphemes.ts'
import { type Interruptible, SEGMENTS_PER_STEP } from './interruptible.ts'
import { sentenceStartsIn } from './segmenter.ts'

/**
 * Minimum width of a sentence that is embedded on its own; a shorter one joins its neighbour. Over whole reviews (`npm run
 * bench:relevance -- --whole`) 45 had the best nDCG@10 of 0, 25, 35, 45, 50 and 60, with only 2.2 vectors an excerpt, against
 * 3.2 with all sentences. A text whose words the model does not know is found only by its spelling, which every further word
 * hides: over reviews of three sentences in twelve such languages (`--spelling`) .08 of the queries found nothing with 45, .03
 * with 25.
 */
const LEAST_WIDTH = { known: 45, unknown: 25 }
/** Letters from here on are East Asian: a dozen of them say as much as 45 Latin letters. */
const WIDE_FROM = 0x2e80
const WIDE = 4
/** Mostly halves of emoji, each as wide as two Latin letters. */
const SURROGATES = { from: 0xd800, to: 0xdfff }

/**
 * Cuts an excerpt into the sentences that are embedded separately: where each begins, in UTF-16 units; it ends where the next
 * begins. Anything beyond {@link MOST_SENTENCES} joins the last. Empty when there would be only one, which is the excerpt
 * itself. Yields, since an excerpt that cannot be cut is as long as its review.
 * @param language BCP 47 tag of the text, if known
 * @param words whether the model knows the words of its language
 */
export function* sentenceStarts(
  excerpt: string,
  language?: string | null,
  words: keyof typeof LEAST_WIDTH = 'known',
): Interruptible<number[]> {
  const least = LEAST_WIDTH[words]
  // Most excerpts are one sentence or two short ones and need no segmentation.
  if (widthOf(excerpt, 0, excerpt.length) < 2 * least) return []
  const starts = [0]
  const lengths: number[] = []
  let from = 0
  let taken = 0
  for (const end of endsOf(excerpt, language)) {
    if (++taken % SEGMENTS_PER_STEP === 0) yield
    const width = widthOf(excerpt, from, end)
    const before = lengths.at(-1)
    if (before === undefined) lengths.push(width)
    else if (before < least || width < least || starts.length === MOST_SENTENCES) {
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

/** The sentences that begin at `starts`, trimmed. */
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
