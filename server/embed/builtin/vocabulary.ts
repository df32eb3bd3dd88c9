import { otherNumberOf, partsOf } from './english-forms.ts'
import { FEATURES } from './features.ts'
import { hashOfText, hashOfUnits, mixBits, tableSize } from './fnv.ts'
import { ENDS_SCOPE, NEGATES } from './lexicon.ts'
import { Spelling } from './spelling.ts'
import type { TokenBuffer } from './token-buffer.ts'

/** What English has of the tokens of a text. */
export interface EnglishTokens {
  /** The index of a token among the English words, -1 for none. */
  place(token: number): number
  /** The same of any word. */
  placeOf(units: Uint16Array): number
  /** For a token that is none: the index of the word that it is the singular or plural of, -1 for none. */
  otherNumber(token: number): number
  /** Whether it is a compound of two. */
  isCompound(token: number): boolean
}

/** The words and phrases that the model was trained on, looked up by token. */
export class Vocabulary {
  /** The tokenizer's hash of each word. */
  readonly hashes: Int32Array
  /** For each word, whether it negates or ends the scope of a negation. */
  readonly roles: Uint8Array
  /** The row of `not`, -1 for none. */
  readonly not: number
  /** Open addressing: word id + 1 by token hash. */
  readonly #slots: Int32Array
  readonly #mask: number
  readonly #units: Uint16Array
  readonly #ends: Int32Array
  /** Open addressing: phrase id + 1 by the hash of its two word ids. */
  readonly #pairSlots: Int32Array
  readonly #pairMask: number
  readonly #pairs: Uint16Array
  readonly #words: readonly string[]
  /** Created at the first unknown word. */
  #spelling: Spelling | undefined

  constructor({ words, phrases }: { words: readonly string[]; phrases: Uint16Array }) {
    this.#words = words
    const slots = new Int32Array(tableSize(words.length))
    const mask = slots.length - 1
    const ends = new Int32Array(words.length + 1)
    const units = new Uint16Array(words.reduce((sum, word) => sum + word.length, 0))
    const hashes = new Int32Array(words.length)
    for (let id = 0, at = 0; id < words.length; id++) {
      const word = words[id] ?? ''
      const hash = hashOfText(word)
      for (let i = 0; i < word.length; i++) units[at++] = word.charCodeAt(i)
      ends[id + 1] = at
      hashes[id] = hash
      let slot = mixBits(hash) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = id + 1
    }
    this.#slots = slots
    this.#mask = mask
    this.#ends = ends
    this.#units = units
    this.hashes = hashes
    this.roles = new Uint8Array(words.length)
    for (const word of FEATURES.scopeEnds) this.#giveRole(word, ENDS_SCOPE)
    for (const word of FEATURES.negators) this.#giveRole(word, NEGATES)
    this.not = this.place('not')
    this.#pairs = phrases
    this.#pairMask = tableSize(phrases.length / 2) - 1
    this.#pairSlots = new Int32Array(this.#pairMask + 1)
    for (let id = 0; id < phrases.length / 2; id++) {
      let slot = pairHash(phrases[id * 2] ?? 0, phrases[id * 2 + 1] ?? 0) & this.#pairMask
      while (this.#pairSlots[slot] !== 0) slot = (slot + 1) & this.#pairMask
      this.#pairSlots[slot] = id + 1
    }
  }

  #giveRole(word: string, role: number): void {
    const id = this.place(word)
    if (id >= 0) this.roles[id] = role
  }

  /** The row of a word as spelled in the table; -1 for none. */
  place(word: string): number {
    let slot = mixBits(hashOfText(word)) & this.#mask
    for (;;) {
      const id = (this.#slots[slot] ?? 0) - 1
      if (id < 0 || this.#words[id] === word) return id
      slot = (slot + 1) & this.#mask
    }
  }

  /** The word of a row. */
  wordAt(id: number): string {
    return this.#words[id] ?? ''
  }

  /** The rows of those words that are in the table. */
  places(words: readonly string[]): number[] {
    return words.map((word) => this.place(word)).filter((id) => id >= 0)
  }

  /**
   * What an unknown token stands for: a word in another form, the frequent one that it misspells, or the two of a compound;
   * empty if nothing.
   */
  meant(tokens: TokenBuffer, token: number): readonly number[] {
    const other = this.#otherNumber(tokens, token)
    if (other >= 0) return [other]
    const slip = this.slip(tokens, token)
    return slip >= 0 ? [slip] : this.#parts(tokens, token)
  }

  #otherNumber(tokens: TokenBuffer, token: number): number {
    return otherNumberOf((word) => this.place(word), tokens, token)
  }

  #parts(tokens: TokenBuffer, token: number): readonly number[] {
    return partsOf((word) => this.place(word), tokens, token)
  }

  /** The tokens that a tokenizer read last. */
  of(tokens: TokenBuffer): EnglishTokens {
    return {
      place: (token) => this.find(tokens, token),
      placeOf: (units) => this.#findUnits(units, 0, units.length, hashOfUnits(units, 0, units.length)),
      otherNumber: (token) => this.#otherNumber(tokens, token),
      isCompound: (token) => this.#parts(tokens, token).length > 0,
    }
  }

  /** The frequent word that an unknown token misspells; -1 for none. */
  slip(tokens: TokenBuffer, token: number): number {
    const { units, starts, ends, accents } = tokens
    // a misspelt English word has no accent: "fácil" is not "facial"
    if (accents[token] === 1) return -1
    this.#spelling ??= new Spelling(this.#units, this.#ends)
    return this.#spelling.find(units, starts[token] ?? 0, ends[token] ?? 0)
  }

  /** The words of all tokens, in an array at least as long; -1 for none. */
  findAll(tokens: TokenBuffer, count: number, places: Int32Array): void {
    for (let i = 0; i < count; i++) places[i] = this.find(tokens, i)
  }

  /** The word of a token; -1 for none. */
  find(tokens: TokenBuffer, token: number): number {
    const { units, starts, ends, hashes } = tokens
    return this.#findUnits(units, starts[token] ?? 0, ends[token] ?? 0, hashes[token] ?? 0)
  }

  #findUnits(units: Uint16Array, start: number, end: number, hash: number): number {
    const length = end - start
    let slot = mixBits(hash) & this.#mask
    for (;;) {
      const id = (this.#slots[slot] ?? 0) - 1
      if (id < 0) return -1
      const from = this.#ends[id] ?? 0
      if ((this.#ends[id + 1] ?? 0) - from === length) {
        let i = 0
        while (i < length && units[start + i] === this.#units[from + i]) i++
        if (i === length) return id
      }
      slot = (slot + 1) & this.#mask
    }
  }

  /** The phrase of two words; -1 for none. */
  findPair(first: number, second: number): number {
    let slot = pairHash(first, second) & this.#pairMask
    for (;;) {
      const id = (this.#pairSlots[slot] ?? 0) - 1
      if (id < 0) return -1
      if (this.#pairs[id * 2] === first && this.#pairs[id * 2 + 1] === second) return id
      slot = (slot + 1) & this.#pairMask
    }
  }
}

function pairHash(first: number, second: number): number {
  const hash = Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b)
  return hash ^ (hash >>> 15)
}
