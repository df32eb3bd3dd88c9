import { FEATURE_BYTES, type Lexicon, MAIN } from './lexicon.ts'

/** Of an English word. Made-up reviews of three sentences gain .01 MAP from 4 to 8, and .002 from 8 to 16. */
const MOST = 8
/**
 * Share of an entry's squared weights from which it is one of an English word's, behind those that are it mainly. In parallel
 * sentences (M-ABSA in five languages) .39 of those that have such a word translate one with the English word, of the others
 * .67; without them MAP is .617 instead of .652, since "Geschenk" is both "gift" and "present".
 */
const SIDE = 0.35
/** How much rarer than the most frequent (Zipf scale × 30): up to here .67 there, further down .60 and less. */
const MOST_RARER = 45
/** Frequency from which a word says hardly anything (Zipf 6): of those .04 to .38. */
const EVERYWHERE = 180
/** More than the lexicon has. */
const WORDS = 2 ** 24

interface Inverse {
  /** The lexicon's words, those of one English word side by side, the most frequent first. */
  words: Uint32Array
  /** Where the words of each English one begin; behind the last one the end of all. */
  starts: Uint32Array
}

/** The lexicon's words by what they mainly are in English. */
export class WordsFromEnglish {
  readonly #lexicon: Lexicon
  readonly #english: number
  readonly #inverses = new Map<number, Inverse>()

  /** @param english number of English words */
  constructor(lexicon: Lexicon, english: number) {
    this.#lexicon = lexicon
    this.#english = english
  }

  /** What an English word is in a language, the most frequent first; the words of a phrase with spaces between. */
  find(english: number, language: number): string[] {
    const { words, starts } = this.#inverses.get(language) ?? this.prepare(language)
    const found = words.subarray(starts[english], starts[english + 1])
    return [...found].map((word) => this.#lexicon.text(word))
  }

  /** Finds the words of a language, which takes some hundredths of a second. */
  prepare(language: number): Inverse {
    const starts = new Uint32Array(this.#english + 1)
    const words: number[] = []
    let [english, most] = [-1, 0]
    for (const key of this.#meanings(language)) {
      const [word, frequency] = [key % WORDS, 255 - (Math.floor(key / WORDS) % 256)]
      const own = Math.floor(key / WORDS / 512)
      if (own !== english) most = 0
      while (english < own) starts[++english] = words.length
      const isFull = frequency < most - MOST_RARER || words.length - (starts[own] ?? 0) >= MOST
      if (isFull) continue
      most = Math.max(most, frequency)
      words.push(word)
    }
    while (english < this.#english) starts[++english] = words.length
    const inverse = { words: Uint32Array.from(words), starts }
    this.#inverses.set(language, inverse)
    return inverse
  }

  /** In order: the English word, whether it is what the word mainly is, how frequent the word is, and the word, as one number. */
  #meanings(language: number): Float64Array {
    const lexicon = this.#lexicon
    const keys: number[] = []
    for (let word = 0; word < lexicon.masks.length; word++) {
      const entry = lexicon.entryOf(word, language)
      if (entry < 0) continue
      const frequency = lexicon.frequency(entry)
      if (frequency >= EVERYWHERE) continue
      const { start, end } = lexicon.read(entry, 1)
      if (lexicon.isApproximate({ start })) continue
      const all = lexicon.squared({ start, end })
      for (let at = start; at < end; at += FEATURE_BYTES) {
        const [english, weight] = [lexicon.feature(at), lexicon.weight(at)]
        if (english >= this.#english || weight <= 0 || weight * weight < SIDE * all) continue
        const rank = (weight * weight >= MAIN * all ? 0 : 256) + 255 - frequency
        keys.push((english * 512 + rank) * WORDS + word)
      }
    }
    return Float64Array.from(keys).sort()
  }
}
