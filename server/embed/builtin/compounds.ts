import type { Entry, Lexicon } from './lexicon.ts'
import type { EnglishTokens } from './vocabulary.ts'

/** Minimum lengths of the parts of a compound: the first ones, "Ski|schule", and the last, "Früh|stücks|buffet". */
const LEAST_FIRST = 3
const LEAST_LAST = 4
const LINKS = ['', 's', 'n', 'en', 'es', 'e']
/** Frequencies (Zipf scale × 30) of first parts of three letters: others match by chance ("mar"), or mean nothing there ("wie"). */
const SHORT = { least: 90, most: 170 }
/** What a verb's stem lacks, and the minimum length of one: "Liefer|dienst". */
const VERB_ENDINGS = ['en', 'n']
const LEAST_STEM = 4
/** Minimum length of a first part in another form: "Entspannungs|massage". */
const LEAST_OTHER_FORM = 9
/** Minimum length of an English part, "Party|service", among how many most frequent words, and the frequency that it counts with. */
const LEAST_LOAN = 4
const MOST_LOANS = 11_000
const LOAN_FREQUENCY = 90
/** Maximum length of a compound of three: what is tried grows with the square. */
const MOST_OF_THREE = 28
/** The longest token, and a verb's ending. */
const SPARE = 80

/** An entry of the language, or from here on an English word. */
const LOAN = 1 << 24

interface Split {
  parts: readonly number[]
  score: number
}

/** The entry of a word with another ending; -1 for none. */
type OtherForm = (token: Uint16Array, language: number) => number

/**
 * Splits compounds of German and Dutch that no dictionary has. Each constant was chosen on one half of the German and Dutch
 * names of Google's product taxonomy, and checked on the other (training/README.md).
 */
export class Compounds {
  readonly #lexicon: Lexicon
  readonly #otherForm: OtherForm
  readonly #spare = new Uint16Array(SPARE)

  constructor(lexicon: Lexicon, otherForm: OtherForm) {
    this.#lexicon = lexicon
    this.#otherForm = otherForm
  }

  /** The two words that make up a compound, or else the three; none if it is no compound. */
  split(token: Uint16Array, language: number, english: EnglishTokens): readonly Entry[] {
    const found = this.#two(token, language, english) ?? this.#three(token, language, english)
    return found ? found.parts.map((part) => this.#read(part)) : []
  }

  #two(token: Uint16Array, language: number, english: EnglishTokens): Split | undefined {
    let best: Split | undefined
    for (let at = LEAST_FIRST; at <= token.length - LEAST_LAST; at++) {
      const last = this.#last(token.subarray(at), language, english)
      if (last < 0) continue
      for (const before of beforeLinks(token, at)) {
        const first = this.#first(before, before.length === at, language, english)
        if (first < 0) continue
        // prefers long, frequent words: short ones match by chance
        const shorter = Math.min(before.length, token.length - at)
        const score = this.#frequency(first) + this.#frequency(last) + 12 * shorter - 6 * (at - before.length)
        if (score > (best?.score ?? 0)) best = { parts: [first, last], score }
      }
    }
    return best
  }

  /** One word before or behind a compound of two. */
  #three(token: Uint16Array, language: number, english: EnglishTokens): Split | undefined {
    if (token.length > MOST_OF_THREE) return undefined
    let best: Split | undefined
    for (let at = LEAST_FIRST; at <= token.length - LEAST_LAST; at++) {
      const last = this.#last(token.subarray(at), language, english)
      for (const before of beforeLinks(token, at)) {
        const links = 6 * (at - before.length)
        const heads = last < 0 ? undefined : this.#two(before, language, english)
        if (heads) {
          const score = heads.score + this.#frequency(last) + 12 * (token.length - at) - links
          if (score > (best?.score ?? 0)) best = { parts: [...heads.parts, last], score }
        }
        const first = this.#first(before, before.length === at, language, english)
        const rest = first < 0 ? undefined : this.#two(token.subarray(at), language, english)
        if (rest) {
          const score = rest.score + this.#frequency(first) + 12 * before.length - links
          if (score > (best?.score ?? 0)) best = { parts: [first, ...rest.parts], score }
        }
      }
    }
    return best
  }

  #first(token: Uint16Array, isBare: boolean, language: number, english: EnglishTokens): number {
    const own = this.#lexicon.entry(token, 0, token.length, language)
    if (own >= 0) return token.length > LEAST_FIRST || isUsual(this.#lexicon.frequency(own)) ? own : -1
    const loan = isBare ? this.#loan(token, english) : -1
    if (loan >= 0) return loan
    const other = token.length < LEAST_OTHER_FORM ? -1 : this.#otherForm(token, language)
    return other < 0 && isBare ? this.#verb(token, language) : other
  }

  #last(token: Uint16Array, language: number, english: EnglishTokens): number {
    const own = this.#lexicon.entry(token, 0, token.length, language)
    if (own >= 0) return own
    const other = this.#otherForm(token, language)
    return other < 0 ? this.#loan(token, english) : other
  }

  #verb(stem: Uint16Array, language: number): number {
    if (stem.length < LEAST_STEM) return -1
    this.#spare.set(stem)
    for (const ending of VERB_ENDINGS) {
      for (let i = 0; i < ending.length; i++) this.#spare[stem.length + i] = ending.charCodeAt(i)
      const entry = this.#lexicon.entry(this.#spare, 0, stem.length + ending.length, language)
      if (entry >= 0) return entry
    }
    return -1
  }

  #loan(token: Uint16Array, english: EnglishTokens): number {
    if (token.length < LEAST_LOAN) return -1
    const word = english.placeOf(token)
    return word < 0 || word >= MOST_LOANS ? -1 : LOAN + word
  }

  #frequency(part: number): number {
    return part < LOAN ? this.#lexicon.frequency(part) : LOAN_FREQUENCY
  }

  #read(part: number): Entry {
    return part < LOAN ? this.#lexicon.read(part, 1) : this.#lexicon.english(part - LOAN)
  }
}

function isUsual(frequency: number): boolean {
  return frequency >= SHORT.least && frequency <= SHORT.most
}

/** What stands before an offset, without each of the linking letters that end there. */
function* beforeLinks(token: Uint16Array, at: number): Generator<Uint16Array> {
  for (const link of LINKS) {
    const end = at - link.length
    if (end < LEAST_FIRST) continue
    let i = 0
    while (i < link.length && token[end + i] === link.charCodeAt(i)) i++
    if (i === link.length) yield token.subarray(0, end)
  }
}
