import { plainSentenceStarts } from './plain-sentences.ts'

const segmenters = new Map<string, Intl.Segmenter>()
/** Cached by tag and kind: checking for a supported language takes microseconds. */
const known = new Map<string, Intl.Segmenter>()
const MOST_KNOWN = 256

/**
 * A segmenter for a BCP 47 tag: of sentences, or of words, by dictionary in scripts without spaces. Only the primary language
 * counts, so the map stays small whatever tags arrive; a tag that names no known language gets the common rules (never the
 * machine's own locale, which would make the excerpts differ between machines).
 */
export function segmenter(language: string | null | undefined, granularity: 'sentence' | 'word'): Intl.Segmenter {
  const tag = `${granularity}/${language ?? ''}`
  const before = known.get(tag)
  if (before) return before
  if (known.size >= MOST_KNOWN) known.clear()
  const found = segmenterOf(language, granularity)
  known.set(tag, found)
  return found
}

function segmenterOf(language: string | null | undefined, granularity: 'sentence' | 'word'): Intl.Segmenter {
  const primary = /^[a-z]{2,3}(?=-|$)/i.exec(language ?? '')?.[0].toLowerCase() ?? 'en'
  const locale = Intl.Segmenter.supportedLocalesOf([primary]).length > 0 ? primary : 'en'
  const key = `${granularity}/${locale}`
  let found = segmenters.get(key)
  if (!found) {
    found = new Intl.Segmenter(locale, { granularity })
    segmenters.set(key, found)
  }
  return found
}

/** UTF-16 units that are segmented at once. */
const WINDOW = 512

/**
 * Where segments begin inside `text[from, to)`, in order, excluding `from` itself.
 *
 * Each step of `Intl.Segmenter` in V8 costs time proportional to the whole text: 20,000 line breaks took 150 ms, 64,000 took
 * 1.3 s, while with windows of 512 each takes a third of a microsecond. A window begins at a boundary, from where the rules
 * (UAX #29) only look forward. The start of its last segment is not used: with the text after the window, the segment before
 * may continue. A segment as long as a window is examined in larger ones. Only a word found by dictionary, in a script
 * without spaces, may be cut differently near a window's end.
 */
export function* boundariesIn(segmenter: Intl.Segmenter, text: string, from: number, to: number): Generator<number> {
  let start = from
  let size = WINDOW
  for (;;) {
    const end = Math.min(to, start + size)
    let known = 0
    let seen = 0
    for (const { index } of segmenter.segment(text.slice(start, end))) {
      const certain = end === to ? index : seen
      seen = index
      if (certain === known) continue
      known = certain
      yield start + known
      // Further steps in a larger window would cost too much.
      if (size > WINDOW) break
    }
    if (end === to && (size === WINDOW || known === 0)) return
    size = known === 0 ? size * 2 : WINDOW
    start += known
  }
}

/**
 * Where sentences begin inside `text[from, to)`, in order, excluding `from` itself. To the rules of Unicode an opening bracket
 * right after a full stop ("広い。【朝食】", "Warm!(And quick)") closes the sentence like a quote does; it begins the next one.
 * @param language BCP 47 tag, if known
 */
export function* sentenceStartsIn(
  text: string,
  from: number,
  to: number,
  language: string | null | undefined,
): Generator<number, undefined> {
  const plain = isGreek(language) ? undefined : plainSentenceStarts(text, from, to)
  let before = from
  for (const found of plain ?? boundariesIn(segmenter(language, 'sentence'), text, from, to)) {
    let at = found
    while (at > before + 1 && OPENING.test(text.charAt(at - 1))) at--
    before = at
    yield at
  }
}

const OPENING = /\p{Ps}/u

/** Its question mark is `;`. */
function isGreek(language: string | null | undefined): boolean {
  return /^(?:el|ell|gre)(?=-|$)/i.test(language ?? '')
}
