import { FEATURES } from './features.ts'
import { mixBits } from './fnv.ts'
import { ENGLISH } from './language-detector.ts'
import type { Languages } from './languages.ts'
import { ENDS_SCOPE, type Entry, NEGATES } from './lexicon.ts'
import { isQuestion } from './opposites.ts'
import { PageVoice } from './page-voice.ts'
import { pieceWeight } from './pieces.ts'
import { QueryNames } from './query-names.ts'
import { Tokenizer } from './tokenizer.ts'
import type { EnglishTokens, Vocabulary } from './vocabulary.ts'
import { typedWord, unknownWord } from './word-numbers.ts'

/** The distinct words of a text, by their numbers (see `WordCoverage`). */
export interface ReadWords {
  /** Each one's weight. */
  weights: Map<number, number>
  typed: TypedWord[]
  /** Those that stand for words of another language. */
  translated: Set<number>
}

/** A word as it was typed, whatever it stands for in the language that its text is read in. */
interface TypedWord {
  word: number
  /** What it is in a text read in another language; for a query there are several, and -1 for what English does not have. */
  as: number
}

/** Finds the words of a text, in the language that it is in. */
export class WordReader {
  readonly #words: Vocabulary
  readonly #languages: Languages
  readonly #tokenizer = new Tokenizer()
  readonly #names = new QueryNames()
  readonly #voice = new PageVoice()
  readonly #isNegated: (word: number) => boolean

  /** @param isNegated whether the table has a word's negation */
  constructor(words: Vocabulary, languages: Languages, isNegated: (word: number) => boolean) {
    this.#words = words
    this.#languages = languages
    this.#isNegated = isNegated
  }

  /** @param query for a query, in which names weigh less: the languages of the texts that it is compared with, as in `Embedder.embed` */
  read(text: string, query?: readonly string[]): ReadWords {
    const tokenizer = this.#tokenizer
    const english = this.#words.of(tokenizer)
    let count = tokenizer.tokenize(text)
    const { detector, lexicon } = this.#languages
    const [language = ENGLISH] = query
      ? detector.readings(tokenizer, count, english, query)
      : [detector.detect(tokenizer, count, english)]
    if (language >= 0) count = tokenizer.tokenize(text, false)
    const named = query !== undefined && language < 0 && this.#names.mark(tokenizer, this.#words)
    this.#voice.mark(tokenizer, count, query !== undefined && !isQuestion(text))
    const weights = new Map<number, number>()
    const typed: TypedWord[] = []
    const translated = new Set<number>()
    let scope = 0
    for (let i = 0; i < count; i++) {
      if (this.#voice.marked[i] === 1) continue
      const weight = (named && this.#names.marked[i] === 1 ? FEATURES.nameWeight : 1) * pieceWeight(tokenizer, i)
      const entries = this.#entries(i, language, english)
      const isPhrase = language >= 0 && this.#languages.words > 1
      if (isPhrase) i += this.#languages.words - 1
      const own = english.place(i)
      const meant = entries.flatMap((entry) => lexicon.foremost(entry, this.#words.hashes.length, isPhrase))
      if (meant.length === 0 && own < 0 && language < 0) meant.push(...this.#words.meant(tokenizer, i))
      const words = meant.length > 0 ? meant : [own]
      const role = entries[0]?.role ?? this.#words.roles[words[0] ?? -1] ?? 0
      if (role === NEGATES) scope = FEATURES.scope
      else if (role === ENDS_SCOPE) scope = 0
      // the same phrase has the same entry
      const hash = isPhrase ? mixBits(entries[0]?.start ?? 0) : (tokenizer.hashes[i] ?? 0)
      for (const word of words) {
        const turns = scope > 0 && role !== NEGATES && word >= 0 && this.#isNegated(word)
        const key = word < 0 ? unknownWord(hash) : turns ? word + this.#words.hashes.length : word
        if (!weights.has(key)) weights.set(key, weight)
        if (scope > 0) continue
        if (entries.length > 0) translated.add(key)
        if (query || entries.length > 0) typed.push({ word: key, as: typedWord(hash) })
        if (query && !isPhrase) typed.push({ word: key, as: unknownWord(hash) }, { word: key, as: own })
      }
      if (scope > 0 && role === 0) scope--
    }
    return { weights, typed, translated }
  }

  #entries(token: number, language: number, english: EnglishTokens): readonly Entry[] {
    if (language >= 0) return this.#languages.find(this.#tokenizer, token, language, english)
    if (english.place(token) >= 0) return []
    const loan = this.#languages.loan(this.#tokenizer, token)
    return loan ? [loan] : []
  }
}
