import { type Interruptible, SEGMENTS_PER_STEP } from './interruptible.ts'
import { boundariesIn } from './segmenter.ts'

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The white space that `String.prototype.trim` removes, by UTF-16 code unit. */
export function isSpace(unit: number): boolean {
  if (unit <= 32) return unit === 32 || (unit >= 9 && unit <= 13)
  if (unit < 0x1680) return unit === 0xa0
  return (
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x1680 ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000 ||
    unit === 0xfeff
  )
}

/** Letters, digits and symbols that never join the preceding character, so that grapheme segmentation can start here. */
function standsAlone(unit: number): boolean {
  if (unit < 0x300) return unit >= 0x20 && unit !== 0xa9 && unit !== 0xad && unit !== 0xae
  // Greek and Cyrillic letters, kana, Han and their punctuation, without combining or pictographic characters.
  return (
    (unit >= 0x391 && unit <= 0x481) ||
    (unit >= 0x3001 && unit <= 0x3029) ||
    (unit >= 0x3041 && unit <= 0x3096) ||
    (unit >= 0x30a1 && unit <= 0x30ff) ||
    (unit >= 0x4e00 && unit <= 0x9fff)
  )
}

/** Lookups answered one by one, each back over at most this length; beyond that the text is segmented once as a whole. */
const LONE_LOOKS = 200
const LONGEST_LOOK = 40

/**
 * The grapheme clusters (UAX #29) of one text. Segmenting a whole text costs 30 times as much as its sentence segmentation,
 * so each lookup segments only back to the last code unit that joins nothing before it. A text that needs many long lookups
 * is segmented once instead, which bounds the cost of any text.
 */
export class Graphemes {
  readonly #text: string
  #looks = 0
  /** 1 at the start of each cluster, once the whole text is segmented. */
  #begins: Uint8Array | undefined

  constructor(text: string) {
    this.#text = text
  }

  /**
   * Whether a cluster ends at `at`. Yields, since the first answer that needs the whole text takes tens of milliseconds.
   * @param from a known boundary at or before `at`, which bounds the lookup
   */
  *isBoundary(at: number, from: number): Interruptible<boolean> {
    const text = this.#text
    if (at <= from || at >= text.length) return true
    if (standsAlone(text.charCodeAt(at - 1)) && standsAlone(text.charCodeAt(at))) return true
    if (this.#begins === undefined && this.#looks < LONE_LOOKS) {
      this.#looks++
      const farthest = Math.max(from, at - LONGEST_LOOK)
      let start = at - 1
      while (start > farthest && !standsAlone(text.charCodeAt(start))) start--
      // A character that joins forwards (Arabic number sign) may stand before a letter that stands alone; the letter's own
      // cluster still ends where it would, so starting at the letter is right.
      if (start === from || standsAlone(text.charCodeAt(start))) {
        const window = text.slice(start, at + 2)
        return graphemes.segment(window).containing(at - start)?.index === at - start
      }
    }
    return (yield* this.#whole())[at] === 1
  }

  /** The boundaries strictly inside `[start, end)`, where both ends are boundaries. */
  *within(start: number, end: number): Generator<number> {
    const begins = this.#begins
    if (begins) for (let at = start + 1; at < end; at++) if (begins[at] === 1) yield at
    if (begins) return
    yield* boundariesIn(graphemes, this.#text, start, end)
  }

  *#whole(): Interruptible<Uint8Array> {
    if (this.#begins !== undefined) return this.#begins
    const begins = new Uint8Array(this.#text.length)
    begins[0] = 1
    let taken = 0
    for (const at of boundariesIn(graphemes, this.#text, 0, this.#text.length)) {
      begins[at] = 1
      if (++taken % SEGMENTS_PER_STEP === 0) yield
    }
    this.#begins = begins
    return begins
  }
}
