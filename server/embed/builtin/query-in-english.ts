import { queryText } from './input-text.ts'
import { ENGLISH } from './language-detector.ts'
import type { Languages } from './languages.ts'
import { Tokenizer } from './tokenizer.ts'
import type { EnglishTokens, Vocabulary } from './vocabulary.ts'

/** What the words of a query in another language are in English, for the text search over excerpts in English. */
export class QueryInEnglish {
  readonly #languages: Languages
  readonly #words: Vocabulary
  readonly #tokenizer = new Tokenizer()
  readonly #english: EnglishTokens

  constructor(languages: Languages, words: Vocabulary) {
    this.#languages = languages
    this.#words = words
    this.#english = words.of(this.#tokenizer)
  }

  /** For each of the words the English one that it mainly is; empty where there is none, and for a query in English. */
  read(query: string, words: readonly string[]): string[] {
    const { detector, lexicon } = this.#languages
    const tokens = this.#tokenizer.tokenize(queryText(query))
    const [language = ENGLISH] = detector.readings(this.#tokenizer, tokens, this.#english, [])
    return words.map((word) => {
      if (language === ENGLISH || this.#tokenizer.tokenize(word, false) !== 1) return ''
      const [entry, ...parts] = this.#languages.find(this.#tokenizer, 0, language, this.#english)
      if (!entry || parts.length > 0) return ''
      return this.#words.wordAt(lexicon.main(entry, this.#words.hashes.length))
    })
  }
}
