import { EnglishWords, gainOf, STRANGER } from './english-words.ts'
import type { Lexicon } from './lexicon.ts'
import type { RareWords } from './rare-words.ts'
import type { Tokenizer } from './tokenizer.ts'
import type { EnglishTokens } from './vocabulary.ts'

/**
 * Above this share of words that none of the languages has, a text is in another one, unless it has only a few words. Of real
 * excerpts in the languages 2 % have more than .09 to .27; half of the Danish ones have more than .41, of Indonesian .67.
 */
const MOST_STRANGE = 0.3
const LEAST_TELLING = 6
/** In longer texts, words that only another language has need no look whether rare English has them too. */
const FEW = 6
/** How much likelier a text must be in another language than in English to be read as one. */
const MARGIN = 1.2
/** How much less likely than its likeliest language another may be for a query to be read in it as well. */
const READING_MARGIN = 2
/** The same for one that is most likely English, which many a word of other languages is in reviews ("service"). */
const ENGLISH_READING_MARGIN = 1
/** How much likelier a query is in a language of the excerpts that it is compared with. */
const OF_EXCERPTS = 1
/** In a longer query the words tell the language: it is read in the likeliest only. */
const MOST_AMBIGUOUS = 16
/**
 * Up to how many words, none of which reviews in English use, and up to which likelihood of each, a query's spelling counts as
 * well: an excerpt may be in a language that does not have them.
 */
const MOST_SPELLED = 3
const SURE = 2
/** Minimum length of a word whose language another ending or its parts suggest. */
const LEAST_GUESSED = 6

/** Digits, and the sign for a price or a time, come before all letters. */
const FIRST_LETTER = 58

/** Reads no meaning into a text but its words' spelling, see {@link LanguageDetector.readings}. */
export const SPELLED = -2
/** Any text that is not clearly in another language. */
export const ENGLISH = -1

/** Whether a language has a meaning for a token, be it by another ending or as a compound. */
type HasMeaning = (tokenizer: Tokenizer, token: number, language: number, english: EnglishTokens) => boolean

/** Guesses the language of a text, an index into the lexicon's, from how often each of them uses its words. */
export class LanguageDetector {
  readonly #lexicon: Lexicon
  readonly #rare: RareWords
  readonly #hasMeaning: HasMeaning
  readonly #scores: Float64Array
  readonly #english: EnglishWords
  /** How many tokens of the last scored text neither English nor any of the languages has. */
  #strange = 0

  constructor(lexicon: Lexicon, rare: RareWords, hasMeaning: HasMeaning) {
    this.#lexicon = lexicon
    this.#rare = rare
    this.#hasMeaning = hasMeaning
    this.#scores = new Float64Array(rare.language)
    this.#english = new EnglishWords(lexicon)
  }

  /** The language of the tokenizer's text; {@link ENGLISH} for any that is not clearly in another one. */
  detect(tokenizer: Tokenizer, count: number, english: EnglishTokens): number {
    const own = this.#score(tokenizer, count, english)
    const scores = this.#scores
    let best = 0
    for (let i = 1; i < scores.length; i++) if ((scores[i] ?? 0) > (scores[best] ?? 0)) best = i
    return (scores[best] ?? 0) > own + MARGIN ? best : ENGLISH
  }

  /**
   * The languages that a query is to be read in, the likeliest first: "Teller" is English, and German for plates. A page's
   * heading is often one word, and the sentences that have it were read in the language of their other words.
   * {@link SPELLED} comes last where the sentence may be in a language that does not have the word.
   * @param likely ISO 639-1 codes of the languages of the excerpts that it is compared with, as far as they are known
   */
  readings(tokenizer: Tokenizer, count: number, english: EnglishTokens, likely: readonly string[]): number[] {
    const own = this.#score(tokenizer, count, english, false)
    const scores = this.#scores
    let [best, first] = [own > 0 ? own + MARGIN : 0, ENGLISH]
    // of the excerpts' languages other than English, how many have the words and how many do not
    let [having, lacking] = [0, 0]
    for (let i = 0; i < scores.length; i++) {
      if (likely.includes(this.#lexicon.codes[i] ?? '')) {
        const score = scores[i] || this.#guess(tokenizer, count, i, english)
        if (score > 0) scores[i] = score + OF_EXCERPTS
        if (score > 0) having++
        else lacking++
      }
      if ((scores[i] ?? 0) > best) [best, first] = [scores[i] ?? 0, i]
    }
    const found = [first]
    if (best === 0 || count > MOST_AMBIGUOUS) return found
    if (first !== ENGLISH && own > 0 && own + MARGIN > best - READING_MARGIN) found.push(ENGLISH)
    const least = best - (first === ENGLISH ? ENGLISH_READING_MARGIN : READING_MARGIN)
    for (const [i, score] of scores.entries()) if (i !== first && score > Math.max(0, least)) found.push(i)
    const isUnsure = best < SURE * count || (having === 0 && lacking > 0)
    if (isUnsure && count <= MOST_SPELLED && !hasEnglish(count, english)) found.push(SPELLED)
    return found
  }

  /**
   * All languages that the text may be in: one bit per index, of which English is the last. Hardly any text of a few sentences
   * has more than one; "sauna" has all, and so has a text in a language that is not among them.
   */
  possible(tokenizer: Tokenizer, count: number, english: EnglishTokens): number {
    const own = this.#score(tokenizer, count, english)
    const all = (2 << this.#scores.length) - 1
    if (count >= LEAST_TELLING && this.#strange > MOST_STRANGE * count) return all
    const least = Math.max(own, ...this.#scores) - MARGIN
    let bits = own >= least ? 1 << this.#scores.length : 0
    for (let i = 0; i < this.#scores.length; i++) if ((this.#scores[i] ?? 0) >= least) bits |= 1 << i
    return bits
  }

  /**
   * Computes in `#scores` how likely each language is.
   * @param numbers whether a number counts for English, as it always has in excerpts; beside the one word of a query it would decide
   * @returns how likely English is
   */
  #score(tokenizer: Tokenizer, count: number, english: EnglishTokens, numbers = true): number {
    const scores = this.#scores.fill(0)
    let own = 0
    this.#strange = 0
    for (let i = 0; i < count; i++) {
      if (!numbers && isNumber(tokenizer, i)) continue
      const place = english.place(i)
      if (place >= 0) {
        own += this.#english.addTo(scores, tokenizer, i, place)
        continue
      }
      const word = this.#lexicon.findToken(tokenizer, i)
      const rare = word < 0 || count <= FEW ? this.#rare.score(tokenizer, i, english) : 0
      own += rare
      if (word < 0) {
        if (rare > 0) continue
        if (english.isCompound(i)) own += STRANGER
        else this.#strange++
        continue
      }
      let entry = this.#lexicon.first[word] ?? 0
      for (let left = this.#lexicon.masks[word] ?? 0; left !== 0; left &= left - 1, entry++) {
        const language = 31 - Math.clz32(left & -left)
        if (language < scores.length)
          scores[language] = (scores[language] ?? 0) + gainOf(this.#lexicon.frequency(entry))
      }
    }
    // mostly unknown words: a compound or another form of a known word suggests its language
    if (this.#strange * 2 >= count) this.#scoreStrangers(tokenizer, count, english)
    return own
  }

  /** How likely a language is that has none of the words, but others like them or parts of them. */
  #guess(tokenizer: Tokenizer, count: number, language: number, english: EnglishTokens): number {
    let score = 0
    for (let i = 0; i < count; i++) {
      if (english.place(i) < 0 && isLong(tokenizer, i) && this.#hasMeaning(tokenizer, i, language, english))
        score += STRANGER
    }
    return score
  }

  #scoreStrangers(tokenizer: Tokenizer, count: number, english: EnglishTokens): void {
    for (let i = 0; i < count; i++) {
      if (!isLong(tokenizer, i) || english.place(i) >= 0) continue
      if (this.#lexicon.findToken(tokenizer, i) >= 0 || this.#rare.score(tokenizer, i, english) > 0) continue
      if (english.isCompound(i)) continue
      for (let language = 0; language < this.#scores.length; language++) {
        if (!this.#hasMeaning(tokenizer, i, language, english)) continue
        this.#scores[language] = (this.#scores[language] ?? 0) + STRANGER
      }
    }
  }
}

function hasEnglish(count: number, english: EnglishTokens): boolean {
  for (let i = 0; i < count; i++) if (english.place(i) >= 0) return true
  return false
}

function isNumber({ starts, units }: Tokenizer, token: number): boolean {
  return (units[starts[token] ?? 0] ?? 0) < FIRST_LETTER
}

function isLong({ starts, ends }: Tokenizer, token: number): boolean {
  return (ends[token] ?? 0) - (starts[token] ?? 0) >= LEAST_GUESSED
}
