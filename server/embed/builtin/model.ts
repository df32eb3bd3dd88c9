import type { EmbedKind } from '../embedder.ts'
import { FEATURES } from './features.ts'
import { ENDS_SCOPE, type Entry, type Languages, NEGATES } from './languages.ts'
import type { ModelFile } from './model-file.ts'
import { isQuestion, OPPOSITES } from './opposites.ts'
import { Spelling } from './spelling.ts'
import { FNV_OFFSET, FNV_PRIME, Tokenizer } from './tokenizer.ts'

const [LESS, MORE] = [60, 62]
/** Character n-grams share this many random directions. */
const BUCKETS = 8192
/** Unknown words whose sums are kept, a power of two: those of an excerpt come again with its sentences, names all the time. */
const KEPT_WORDS = 1024
/** Units of the longest word that is kept; nothing that the tokenizer makes is longer. */
const LONGEST_KEPT = 40
/** How much of "not quiet", and of "loud", is taken away from a query that wants "quiet". */
const AGAINST_NEGATION = 0.25
const AGAINST_OPPOSITE = 0.12

/**
 * Sentence vectors as sums of trained vectors: of words, of phrases (`front desk`), of words in a negation's scope
 * (`not … good`). A misspelt word counts as the one that was meant, any other unknown word by its character n-grams.
 * In a query each weighs its trained gain, names less.
 *
 * Two more components hold the doubt: a query has it in the first, a document in the second, so that it lowers cosines
 * between the two and never raises one. Unfamiliar words and sentences with hardly any content come near to nothing.
 *
 * training/features.py and confidence.py do the same. Only + - * / and sqrt on doubles in a fixed order, so every
 * platform gets the same bits.
 */
export class Model {
  /** Length of the vectors: the trained dimensions and the two of doubt. */
  readonly dimensions: number
  readonly #trained: number
  readonly #tokenizer = new Tokenizer()
  readonly #rows: Int8Array
  readonly #scales: Float64Array
  readonly #gains: Float64Array
  #named = new Uint8Array(64)
  readonly #file: ModelFile
  readonly #out: Float64Array
  readonly #sum: Float64Array
  /** Of each place: the word that it keeps, its length (0: none), how many n-grams it has and the sum of their signs. */
  readonly #keptUnits = new Uint16Array(KEPT_WORDS * LONGEST_KEPT)
  readonly #keptLength = new Uint8Array(KEPT_WORDS)
  readonly #keptCount = new Uint16Array(KEPT_WORDS)
  readonly #keptGrams: Int16Array
  /** Open addressing: word id + 1 by token hash. */
  readonly #slots: Int32Array
  readonly #mask: number
  readonly #wordUnits: Uint16Array
  readonly #wordHashes: Int32Array
  #read = new Int32Array(1024)
  readonly #wordEnds: Int32Array
  readonly #role: Uint8Array
  /** Open addressing: phrase id + 1 by the hash of its two word ids. */
  readonly #pairSlots: Int32Array
  readonly #pairMask: number
  readonly #pairs: Uint16Array
  readonly #firstPhrase: number
  readonly #signs: Int8Array
  readonly #spelling: Spelling
  readonly #not: number
  readonly #languages: Languages
  /** Of each word on a scale: the words on its other side. */
  readonly #opposites = new Map<number, number[]>()

  constructor(file: ModelFile, languages: Languages) {
    this.#languages = languages
    const { words, phrases } = file
    this.dimensions = file.dimensions + 2
    this.#trained = file.dimensions
    this.#file = file
    this.#gains = file.gains
    this.#out = new Float64Array(this.dimensions)
    this.#rows = file.rows
    this.#scales = file.scales
    this.#sum = this.#out.subarray(0, file.dimensions)
    this.#keptGrams = new Int16Array(KEPT_WORDS * file.dimensions)
    this.#firstPhrase = words.length
    this.#signs = randomSigns(BUCKETS * file.dimensions)
    this.#mask = tableSize(words.length) - 1
    this.#slots = new Int32Array(this.#mask + 1)
    this.#wordEnds = new Int32Array(words.length + 1)
    this.#wordUnits = new Uint16Array(words.reduce((sum, word) => sum + word.length, 0))
    this.#role = new Uint8Array(words.length)
    this.#wordHashes = new Int32Array(words.length)
    let not = -1
    let at = 0
    for (const [id, word] of words.entries()) {
      let hash = FNV_OFFSET
      for (let i = 0; i < word.length; i++) {
        const unit = word.charCodeAt(i)
        this.#wordUnits[at++] = unit
        hash = Math.imul(hash ^ unit, FNV_PRIME)
      }
      this.#wordEnds[id + 1] = at
      this.#wordHashes[id] = hash
      let slot = spread(hash) & this.#mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask
      this.#slots[slot] = id + 1
      if (FEATURES.negators.includes(word)) this.#role[id] = NEGATES
      else if (FEATURES.scopeEnds.includes(word)) this.#role[id] = ENDS_SCOPE
      if (word === 'not') not = id
    }
    this.#not = not
    const places = new Map(words.map((word, id) => [word, id]))
    for (const [word, others] of OPPOSITES) {
      const id = places.get(word)
      if (id === undefined) continue
      this.#opposites.set(
        id,
        others.flatMap((other) => places.get(other) ?? []),
      )
    }
    this.#spelling = new Spelling(this.#wordUnits, this.#wordEnds)
    this.#pairs = phrases
    this.#pairMask = tableSize(phrases.length / 2) - 1
    this.#pairSlots = new Int32Array(this.#pairMask + 1)
    for (let id = 0; id < phrases.length / 2; id++) {
      let slot = pairHash(phrases[id * 2] ?? 0, phrases[id * 2 + 1] ?? 0) & this.#pairMask
      while (this.#pairSlots[slot] !== 0) slot = (slot + 1) & this.#pairMask
      this.#pairSlots[slot] = id + 1
    }
  }

  /**
   * The unit-length vector of a text, in a buffer that the next call overwrites. A text without a single token (only
   * punctuation) gets a direction of its own, near to nothing.
   */
  encode(text: string, kind: EmbedKind): Float64Array {
    const out = this.#out.fill(0)
    const tokenizer = this.#tokenizer
    const count = tokenizer.tokenize(text)
    const language = this.#languages.detect(tokenizer, count, (token) => this.#find(token))
    const doubt =
      language < 0
        ? this.#sumEnglish(count, kind, kind === 'query' && !isQuestion(text))
        : this.#sumOther(text, language, kind)
    const sum = this.#sum
    let square = 0
    for (let d = 0; d < sum.length; d++) square += (sum[d] ?? 0) * (sum[d] ?? 0)
    if (square === 0) return scatter(out, sum.length, text)
    const scale = 1 / Math.sqrt(square + doubt * doubt)
    for (let d = 0; d < sum.length; d++) sum[d] = (sum[d] ?? 0) * scale
    out[this.#trained + (kind === 'query' ? 0 : 1)] = doubt * scale
    return out
  }

  /** The languages that a text may be in, as `Languages.possible` says it. */
  possibleLanguages(text: string): number {
    const count = this.#tokenizer.tokenize(text)
    return this.#languages.possible(this.#tokenizer, count, (token) => this.#find(token))
  }

  /**
   * A text's words as the tokenizer's hashes of English ones, in an array that the next call overwrites: those of another
   * language are replaced by the English word that they stand for most.
   */
  englishWords(text: string): { count: number; hashes: Int32Array } {
    const tokenizer = this.#tokenizer
    const tokens = tokenizer.tokenize(text)
    const language = this.#languages.detect(tokenizer, tokens, (token) => this.#find(token))
    if (language < 0) return { count: tokens, hashes: tokenizer.hashes }
    const others = tokenizer.tokenize(text, false)
    // a compound is two words
    if (this.#read.length < others * 2) this.#read = new Int32Array(others * 4)
    const hashes = this.#read
    let count = 0
    for (let i = 0; i < others; i++) {
      const entries = this.#languages.find(tokenizer, i, language)
      i += this.#languages.words - 1
      if (entries.length === 0) hashes[count++] = tokenizer.hashes[i] ?? 0
      for (const entry of entries) {
        const word = this.#foremost(entry)
        if (word >= 0) hashes[count++] = this.#wordHashes[word] ?? 0
      }
    }
    return { count, hashes }
  }

  #foremost(entry: Entry): number {
    const { features, weights } = this.#languages
    let best = -1
    for (let i = entry.start; i < entry.end; i++) {
      if ((features[i] ?? 0) >= this.#firstPhrase) continue
      if (best < 0 || (weights[i] ?? 0) > (weights[best] ?? 0)) best = i
    }
    return best < 0 ? -1 : (features[best] ?? -1)
  }

  /**
   * Adds up the words that the tokenizer holds.
   *
   * @param oneSide a query that is no question: it wants what it says and not the opposite
   * @returns their doubt
   */
  #sumEnglish(count: number, kind: EmbedKind, oneSide: boolean): number {
    const query = kind === 'query'
    const named = query && this.#markNames(count)
    const doubts = this.#file.doubts[kind]
    const unknown = this.#file.unknownDoubt[kind]
    let doubt = this.#file.baseDoubt[kind]
    let previous = -1
    let scope = 0
    for (let i = 0; i < count; i++) {
      const loan = this.#find(i) < 0 ? this.#languages.loan(this.#tokenizer, i) : undefined
      const word = loan ? -1 : this.#known(i)
      const weight = named && this.#named[i] === 1 ? FEATURES.nameWeight : 1
      if (word < 0) {
        if (loan) doubt += this.#addEntry(loan, weight, kind, false)
        else {
          this.#addUnknown(i, weight)
          doubt += weight * unknown
        }
        if (scope > 0) scope--
        previous = -1
        continue
      }
      doubt += this.#add(word, weight, query, doubts)
      const phrase = previous < 0 ? -1 : this.#findPair(previous, word)
      if (phrase >= 0) {
        const both = named && this.#named[i - 1] === 1 ? weight : 1
        doubt += this.#add(this.#firstPhrase + phrase, both, query, doubts)
      }
      const role = this.#role[word]
      if (role === NEGATES) scope = FEATURES.scope
      else {
        if (role === ENDS_SCOPE) scope = 0
        if (scope > 0) {
          scope--
          const negated = phrase >= 0 ? -1 : this.#findPair(this.#not, word)
          if (negated >= 0) doubt += this.#add(this.#firstPhrase + negated, weight, query, doubts)
        } else if (oneSide) this.#takeOpposite(word, weight, doubts)
      }
      previous = word
    }
    return doubt
  }

  /** The same for a text in another language: capitals mark no names, since German capitalises every noun. */
  #sumOther(text: string, language: number, kind: EmbedKind): number {
    const tokenizer = this.#tokenizer
    const count = tokenizer.tokenize(text, false)
    const query = kind === 'query'
    let doubt = this.#file.baseDoubt[kind]
    let scope = 0
    for (let i = 0; i < count; i++) {
      const entries = this.#languages.find(tokenizer, i, language)
      i += this.#languages.words - 1
      let role = 0
      for (const entry of entries) {
        role |= entry.role
        doubt += this.#addEntry(entry, 1, kind, scope > 0 && entry.role === 0)
      }
      if (entries.length === 0) {
        const word = this.#find(i)
        if (word >= 0) doubt += this.#add(word, 1, query, this.#file.doubts[kind])
        else {
          this.#addUnknown(i, 1)
          doubt += this.#file.unknownDoubt[kind]
        }
      }
      scope = role === NEGATES ? FEATURES.scope : role === ENDS_SCOPE ? 0 : Math.max(0, scope - 1)
    }
    return doubt
  }

  /** Adds what a word of another language stands for. @param negated whether a negation turns it @returns the doubt it brings */
  #addEntry(entry: Entry, weight: number, kind: EmbedKind, negated: boolean): number {
    const { features, weights } = this.#languages
    const doubts = this.#file.doubts[kind]
    let doubt = 0
    for (let i = entry.start; i < entry.end; i++) {
      const feature = features[i] ?? 0
      const w = weight * entry.scale * (weights[i] ?? 0)
      const brings = this.#add(feature, w, kind === 'query', doubts)
      if (w > 0) doubt += brings
      if (!negated || feature >= this.#firstPhrase) continue
      const turned = this.#findPair(this.#not, feature)
      if (turned < 0) continue
      const more = this.#add(this.#firstPhrase + turned, w, kind === 'query', doubts)
      if (w > 0) doubt += more
    }
    return doubt
  }

  /** Moves a query away from what its word does not mean: the word negated, and words for the other side of its scale. */
  #takeOpposite(word: number, weight: number, doubts: Float64Array): void {
    const others = this.#opposites.get(word)
    if (others === undefined) return
    const negated = this.#findPair(this.#not, word)
    if (negated >= 0) this.#add(this.#firstPhrase + negated, -AGAINST_NEGATION * weight, true, doubts)
    for (const other of others) this.#add(other, (-AGAINST_OPPOSITE * weight) / others.length, true, doubts)
  }

  /** Marks what stands for a name in a query: capitalised words in a row, and lone ones that are rare. */
  #markNames(count: number): boolean {
    const { names } = this.#tokenizer
    if (this.#named.length < count) this.#named = new Uint8Array(count * 2)
    let marked = 0
    let strange = 0
    for (let i = 0; i < count; i++) {
      let name = names[i] === 1 ? 1 : 0
      if (name === 0 && this.#find(i) < 0) strange++
      if (name === 1 && !(i > 0 && names[i - 1] === 1) && !(i + 1 < count && names[i + 1] === 1)) {
        const word = this.#find(i)
        if (word >= 0 && word < FEATURES.rareWord) name = 0
      }
      this.#named[i] = name
      marked += name
    }
    // half of the other words unknown: another language, and German capitalises every noun
    return marked > 0 && marked <= FEATURES.mostNames * count && strange * 2 < count - marked
  }

  /** Adds a feature's vector. @returns the doubt it brings */
  #add(feature: number, weight: number, query: boolean, doubts: Float64Array): number {
    const sum = this.#sum
    const rows = this.#rows
    const w = query ? weight * (this.#gains[feature] ?? 1) : weight
    const scale = w * (this.#scales[feature] ?? 0)
    const base = feature * this.#trained
    for (let d = 0; d < sum.length; d++) sum[d] = (sum[d] ?? 0) + scale * (rows[base + d] ?? 0)
    return w * (doubts[feature] ?? 0)
  }

  /**
   * Adds a word the model does not know: a random direction per character n-gram of length 3 to 5 (`<` and `>` mark the
   * word's ends), so that it resembles words written alike and nothing else. That is what carries other languages.
   */
  #addUnknown(token: number, weight: number): void {
    const place = this.#keptAt(token)
    const count = this.#keptCount[place] ?? 0
    if (count === 0) return
    // the n-grams' directions are as good as orthogonal: this scales their sum to `unknownLength`
    const scale = (weight * this.#file.unknownLength) / Math.sqrt(count * this.#trained)
    const sum = this.#sum
    const grams = this.#keptGrams
    const base = place * this.#trained
    for (let d = 0; d < sum.length; d++) sum[d] = (sum[d] ?? 0) + scale * (grams[base + d] ?? 0)
  }

  /** Where the sum of a word's n-grams is kept, made now unless it is there. */
  #keptAt(token: number): number {
    const { units, starts, ends, hashes } = this.#tokenizer
    const start = starts[token] ?? 0
    const size = (ends[token] ?? 0) - start
    const place = spread(hashes[token] ?? 0) & (KEPT_WORDS - 1)
    const from = place * LONGEST_KEPT
    if (size === this.#keptLength[place]) {
      let i = 0
      while (i < size && units[start + i] === this.#keptUnits[from + i]) i++
      if (i === size) return place
    }
    this.#keptLength[place] = size <= LONGEST_KEPT ? size : 0
    for (let i = 0; i < Math.min(size, LONGEST_KEPT); i++) this.#keptUnits[from + i] = units[start + i] ?? 0
    const first = place * this.#trained
    const gram = this.#keptGrams.subarray(first, first + this.#trained).fill(0)
    const length = size + 2
    let count = 0
    for (let n = 3; n <= 5; n++) {
      for (let from = 0; from + n <= length; from++) {
        let hash = FNV_OFFSET
        for (let i = from; i < from + n; i++) {
          const unit = i === 0 ? LESS : i === length - 1 ? MORE : (units[start + i - 1] ?? 0)
          hash = Math.imul(hash ^ unit, FNV_PRIME)
        }
        const base = (spread(hash) & (BUCKETS - 1)) * this.#trained
        for (let d = 0; d < gram.length; d++) gram[d] = (gram[d] ?? 0) + (this.#signs[base + d] ?? 0)
        count++
      }
    }
    this.#keptCount[place] = count
    return place
  }

  /** The word of a token, or the frequent one it is a slip away from; -1 for none. */
  #known(token: number): number {
    const word = this.#find(token)
    if (word >= 0) return word
    const { units, starts, ends, accents } = this.#tokenizer
    // no slip of an English word has an accent: "fácil" is no "facial"
    if (accents[token] === 1) return -1
    return this.#spelling.find(units, starts[token] ?? 0, ends[token] ?? 0)
  }

  #find(token: number): number {
    const { units, starts, ends, hashes } = this.#tokenizer
    const start = starts[token] ?? 0
    const length = (ends[token] ?? 0) - start
    let slot = spread(hashes[token] ?? 0) & this.#mask
    for (;;) {
      const id = (this.#slots[slot] ?? 0) - 1
      if (id < 0) return -1
      const from = this.#wordEnds[id] ?? 0
      if ((this.#wordEnds[id + 1] ?? 0) - from === length) {
        let i = 0
        while (i < length && units[start + i] === this.#wordUnits[from + i]) i++
        if (i === length) return id
      }
      slot = (slot + 1) & this.#mask
    }
  }

  #findPair(first: number, second: number): number {
    let slot = pairHash(first, second) & this.#pairMask
    for (;;) {
      const id = (this.#pairSlots[slot] ?? 0) - 1
      if (id < 0) return -1
      if (this.#pairs[id * 2] === first && this.#pairs[id * 2 + 1] === second) return id
      slot = (slot + 1) & this.#pairMask
    }
  }
}

/** FNV's low bits are its weakest. */
function spread(hash: number): number {
  return hash ^ (hash >>> 15)
}

function pairHash(first: number, second: number): number {
  const hash = Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b)
  return hash ^ (hash >>> 15)
}

function tableSize(entries: number): number {
  let size = 16
  while (size < entries * 2) size *= 2
  return size
}

/** +1 and -1 from a 32-bit linear congruential generator (Numerical Recipes' constants), the same on every machine. */
function randomSigns(count: number): Int8Array {
  const signs = new Int8Array(count)
  let state = 1
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    signs[i] = state < 0 ? -1 : 1
  }
  return signs
}

/** A direction drawn from the text's hash: the same for the same text, near to no other. */
function scatter(out: Float64Array, trained: number, text: string): Float64Array {
  let state = FNV_OFFSET
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), FNV_PRIME)
  const size = 1 / Math.sqrt(trained)
  for (let d = 0; d < trained; d++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    out[d] = state < 0 ? -size : size
  }
  return out
}
