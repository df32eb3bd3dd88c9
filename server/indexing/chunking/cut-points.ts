import { Graphemes, isSpace } from './graphemes.ts'
import { type Interruptible, SEGMENTS_PER_STEP } from './interruptible.ts'
import { boundariesIn, segmenter, sentenceStartsIn } from './segmenter.ts'

/** A possible cut: the left part ends at `end`, the right one starts at `start`, with white space in between. */
export interface CutPoint {
  end: number
  start: number
  /** How disturbing a cut here is; 0 after a sentence. */
  penalty: number
  /** Line breaks in the white space: 0, 1, or 2 for an empty line or more. */
  lines: 0 | 1 | 2
}

/** The display width of a range. */
export type WidthOf = (start: number, end: number) => number
/** BCP 47 tag, if known. */
type Language = string | null | undefined

const PENALTY = { sentence: 0, strongClause: 0.6, clause: 1, conjunction: 2.5, space: 3.5, word: 4, grapheme: 6 }

// These patterns must not rescan a run of the same character from each position: a lookahead for something rare comes before
// a lookbehind, and one across white space starts only where the white space does. Otherwise a review of 20,000 spaces, dots
// or quotes blocked the server for seconds.
/**
 * Between a full stop and a capital without a space ("food.Nice"), dots before lower case, semicolons, dashes, smileys. Up to
 * Unicode 16 (Node 20.19, 22.12) typographic symbols such as "★" are pictographic, from 17 on only emoji and characters
 * reserved for them are; so only these are matched, and no excerpt depends on the version of Node.
 */
const STRONG_CLAUSE =
  /(?=\p{Lu}\p{Ll})(?<=\p{Ll}{2}[.!?]+)|(?=\s)(?<=[.!?…]['")\]]*)\s+|(?<=[;:])\s+|(?<!\s)\s+(?=[-–—]\s)|(?<=[。！？；：…])|(?<=(?=[\p{Emoji}\p{Cn}])\p{Extended_Pictographic}\ufe0f?)\s+/gu
const CLAUSE = /(?<=[,،؛)\]])\s+|(?<!\s)\s+(?=[([])|(?<=[，、])/gu
// The most common conjunctions of the languages of reviews; a long run of words is best cut before one.
const CONJUNCTION =
  /(?<!\s)\s+(?=(?:and|but|so|because|although|which|und|aber|denn|weil|et|mais|car|y|pero|porque|e|ma|mas|perch[eé]|en|maar|want|och|men|og|i|ale|и|но|а|ve|ama)\s)/giu
const SPACE = /\s+/gu

/** Before a capital, these look like the end of a sentence to UAX #29. */
const ABBREVIATION =
  /(?:^|[\s("'«„“])(?:Mr|Mrs|Ms|Mx|Dr|Prof|St|Sr|Jr|Mt|Ft|vs|approx|Hr|Fr|Nr|Str|z\.\s?B|d\.\s?h|u\.\s?a|vgl|bzw|ca|inkl|Sra|Srta|Dña|D|p\.\s?ej|p\.\s?ex|Mme|Mlle|M|Dott|Sig|dhr|mevr|bijv|ul|د|\p{Lu})\.$/u
/** Before a number, these do too. */
const BEFORE_NUMBER = /(?:^|[\s(])(?:Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec|No)\.$/
/** And these: the number of an item after the end of another ("by the pool. 2. Bring"), German ordinals ("im 3. Stock"). */
const NUMBER = /(?:(?:[.!?:;)…]|\s[-–])\s+\(?|(?:^|\s)(?:[Ii]m|[Aa]m|[Vv]om|[Zz]um|[Bb]eim|[Dd]e[rmns]) )\d{1,2}\.$/
const LONGEST_OF_THESE = 24

/**
 * Where `text[from, to)` may be cut, in order. Always at sentence ends; in a stretch longer than `longest` also at clauses,
 * then words, then graphemes. Never inside a grapheme, not even after the white space around the cut is dropped (a space with
 * a combining mark is no cut point).
 *
 * Yields in between, since a text of 20,000 characters without a space takes tens of milliseconds, on a busy machine
 * hundreds.
 * @param widthOf the width of a range, in the units of `longest`
 */
export function* cutPoints(
  text: string,
  from: number,
  to: number,
  language: Language,
  longest: number,
  widthOf: WidthOf,
): Interruptible<CutPoint[]> {
  const graphemes = new Graphemes(text)
  let points: CutPoint[] = []
  yield* addPoints(points, text, graphemes, from, to, sentenceEnds(text, from, to, language))
  const finerPlaces: ((start: number, end: number) => Iterable<Place>)[] = [
    (start, end) => clauses(text, start, end),
    (start, end) => withPenalty(matches(text, start, end, SPACE), PENALTY.space),
    (start, end) => withPenalty(boundariesIn(segmenter(language, 'word'), text, start, end), PENALTY.word),
    (start, end) => everyFewGraphemes(graphemes, start, end),
  ]
  for (const places of finerPlaces) {
    const finer: CutPoint[] = []
    let start = from
    for (const point of [...points, undefined]) {
      const end = point?.end ?? to
      if (widthOf(start, end) > longest) yield* addPoints(finer, text, graphemes, start, end, places(start, end))
      if (point) finer.push(point)
      start = point?.start ?? to
    }
    points = finer
  }
  return points
}

/** `undefined`: examined without finding a place, so that the caller can pause here. */
type Place = [at: number, penalty: number] | undefined

function* sentenceEnds(text: string, from: number, to: number, language: Language): Generator<Place, undefined> {
  for (const at of sentenceStartsIn(text, from, to, language)) {
    const goesOn = text.charCodeAt(at - 1) === 32 && isInSentence(text, from, at)
    yield goesOn ? undefined : [at, PENALTY.sentence]
  }
}

/** Whether the white space around `at` follows a full stop that ends no sentence. */
function isInSentence(text: string, from: number, at: number): boolean {
  const before = text.slice(Math.max(from, at - LONGEST_OF_THESE), at).trimEnd()
  if (!before.endsWith('.')) return false
  return (
    ABBREVIATION.test(before) ||
    NUMBER.test(before) ||
    (BEFORE_NUMBER.test(before) && /^\s*\d/.test(text.slice(at, at + 4)))
  )
}

/** Appends the valid ones among `places`, which are in order between the boundaries `from` and `to`. */
function* addPoints(
  points: CutPoint[],
  text: string,
  graphemes: Graphemes,
  from: number,
  to: number,
  places: Iterable<Place>,
): Interruptible<void> {
  let known = from
  // End of white space that was scanned and is no cut point: its other places need no second scan.
  let refusedUntil = from
  let taken = 0
  for (const place of places) {
    if (++taken % SEGMENTS_PER_STEP === 0) yield
    if (place === undefined) continue
    const [at, penalty] = place
    if (at <= known || at <= refusedUntil) continue
    let end = at
    let start = at
    while (end > known && isSpace(text.charCodeAt(end - 1))) end--
    while (start < to && isSpace(text.charCodeAt(start))) start++
    const legal =
      end > known &&
      start < to &&
      (yield* graphemes.isBoundary(end, known)) &&
      (start === end || (yield* graphemes.isBoundary(start, end)))
    if (legal) {
      points.push({ end, start, penalty, lines: lineBreaks(text, end, start) })
      known = start
    } else refusedUntil = start
  }
}

function lineBreaks(text: string, from: number, to: number): 0 | 1 | 2 {
  let lines: 0 | 1 | 2 = 0
  for (let i = from; i < to; i++) {
    const unit = text.charCodeAt(i)
    if (unit === 13 && text.charCodeAt(i + 1) === 10) continue
    if (unit === 10 || unit === 13 || unit === 0x2028 || unit === 0x2029) {
      if (lines === 1) return 2
      lines = 1
    }
  }
  return lines
}

function* matches(text: string, start: number, end: number, pattern: RegExp): Generator<number> {
  for (const match of text.slice(start, end).matchAll(pattern)) yield start + match.index
}

function* strongClauses(text: string, start: number, end: number): Generator<number> {
  for (const at of matches(text, start, end, STRONG_CLAUSE)) {
    if (text.charCodeAt(at - 1) !== 46 || !isInSentence(text, start, at)) yield at
  }
}

function* withPenalty(places: Iterable<number>, penalty: number): Generator<Place, undefined> {
  for (const at of places) yield [at, penalty]
}

/** Merges the three kinds, each in order; at the same place the lower penalty comes first. */
function* clauses(text: string, start: number, end: number): Generator<Place, undefined> {
  const kinds = [
    withPenalty(strongClauses(text, start, end), PENALTY.strongClause),
    withPenalty(matches(text, start, end, CLAUSE), PENALTY.clause),
    withPenalty(matches(text, start, end, CONJUNCTION), PENALTY.conjunction),
  ]
  const next = kinds.map((kind) => kind.next().value)
  for (;;) {
    let first = -1
    for (let kind = 0; kind < next.length; kind++) {
      const place = next[kind]
      if (place && (first === -1 || place[0] < (next[first]?.[0] ?? 0))) first = kind
    }
    const place = next[first]
    if (!place) return
    yield place
    next[first] = kinds[first]?.next().value
  }
}

/** A place every twenty code units is enough, and keeps the search for the best cuts short. */
function* everyFewGraphemes(graphemes: Graphemes, start: number, end: number): Generator<Place, undefined> {
  let last = start
  for (const at of graphemes.within(start, end)) {
    const near = at - last < 20
    if (!near) last = at
    yield near ? undefined : [at, PENALTY.grapheme]
  }
}
