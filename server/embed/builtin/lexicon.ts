import { FNV_OFFSET, FNV_PRIME, hashOfUnits, mixBits, tableSize } from './fnv.ts'
import { readWithRoom } from './read-with-room.ts'
import type { TokenBuffer } from './token-buffer.ts'

const VERSION = 1
const HEADER = 4 + 4 * 4
const WEIGHT = 1 / 50
const NEW_LINE = 10
const UNDERSCORE = 95
/** A bitmap of the hashes (lowest bits) of words that begin phrases. */
const OPENERS = 1 << 16
/** Bit count of each byte. */
const BITS = new Uint8Array(256)
for (let byte = 1; byte < 256; byte++) BITS[byte] = (BITS[byte >> 1] ?? 0) + (byte & 1)

/** Share of an entry's squared weights from which a word is what it mainly is: "double room" is neither. */
export const MAIN = 0.6
const OF_PHRASE = 0.6

/** How a word affects the following words (`Entry.role`). */
export const NEGATES = 1
export const ENDS_SCOPE = 2

/** The English features of a foreign word: those at each `FEATURE_BYTES` from `start` to `end` in a lexicon. */
export interface Entry {
  start: number
  end: number
  role: number
  /** Factor of all of its weights. */
  scale: number
  /** Whether the word's spelling counts beside them. */
  spelled: boolean
}

/** Size of a feature in the file: its id and its weight. */
export const FEATURE_BYTES = 3
/** A feature's id has two bytes. */
const MOST_ENGLISH = 1 << 16
/** An entry's head: how many features it has, whether it is only near to them, and its role above. */
const [COUNT, APPROXIMATE, ROLE_AT] = [31, 32, 6] as const

/**
 * Words of other languages as short lists of English features, read directly from the file's bytes. Made by
 * training/languages.py, which describes the layout.
 */
export class Lexicon {
  readonly codes: readonly string[]
  readonly #path: URL
  readonly #bytes: Uint8Array
  /** Where the features of {@link Lexicon.english} begin. */
  readonly #english: number
  readonly #units: Buffer
  readonly masks: Uint8Array
  /** The first entry of each word, which has one per bit of its mask, in order. */
  readonly first: Uint32Array
  /** Where each entry's features begin, after its frequency and its head. */
  readonly #starts: Uint32Array
  #places: { slots: Int32Array; ends: Uint32Array; openers: Uint8Array } | undefined

  /** Locates the sections; the lookup tables are built at the first lookup. @throws when the file is missing or damaged */
  constructor(path: URL) {
    this.#path = path
    const { whole, bytes } = readWithRoom(path, MOST_ENGLISH * (1 + FEATURE_BYTES))
    this.#english = bytes.length
    this.#bytes = whole
    if (bytes.length < HEADER || bytes.toString('latin1', 0, 4) !== 'PQLN' || bytes.readUInt32LE(4) !== VERSION) {
      throw this.#damaged()
    }
    const [languages = 0, words = 0, listed = 0] = [8, 12, 16].map((at) => bytes.readUInt32LE(at))
    let at = HEADER
    this.codes = Array.from({ length: languages }, (_, i) => bytes.toString('latin1', at + i * 2, at + i * 2 + 2))
    at += languages * 2
    this.#units = bytes.subarray(at, at + listed)
    at += listed
    this.masks = bytes.subarray(at, at + words)
    at += words
    if (at > bytes.length) throw this.#damaged()
    this.first = new Uint32Array(words + 1)
    let entries = 0
    for (let word = 0; word < words; word++) {
      this.first[word] = entries
      entries += BITS[this.masks[word] ?? 0] ?? 0
    }
    this.first[words] = entries
    this.#starts = new Uint32Array(entries)
    for (let entry = 0; entry < entries; entry++) {
      this.#starts[entry] = at + 2
      at += 2 + ((bytes[at + 1] ?? 0) & COUNT) * FEATURE_BYTES
    }
    if (at !== bytes.length) throw this.#damaged()
  }

  #damaged(): Error {
    return new Error(`${this.#path.href} is damaged; install the package again.`)
  }

  /**
   * Ends of the words in the list, an open-addressing table (word + 1), and the words that begin phrases (`café_da_manhã`).
   */
  #place(): { slots: Int32Array; ends: Uint32Array; openers: Uint8Array } {
    if (this.#places) return this.#places
    const units = this.#units
    const words = this.masks.length
    const ends = new Uint32Array(words)
    const slots = new Int32Array(tableSize(words))
    const mask = slots.length - 1
    const openers = new Uint8Array(OPENERS)
    let word = 0
    let hash = FNV_OFFSET
    let isPhrase = false
    for (let i = 0; i <= units.length; i++) {
      const unit = units[i] ?? NEW_LINE
      if (unit !== NEW_LINE) {
        if (unit === UNDERSCORE && !isPhrase) {
          openers[mixBits(hash) & (OPENERS - 1)] = 1
          isPhrase = true
        }
        hash = Math.imul(hash ^ unit, FNV_PRIME)
        continue
      }
      let slot = mixBits(hash) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      ends[word] = i
      slots[slot] = ++word
      hash = FNV_OFFSET
      isPhrase = false
      if (word > words) break
    }
    if (word !== words) throw this.#damaged()
    this.#places = { slots, ends, openers }
    return this.#places
  }

  /** Whether a phrase may begin with the word of this hash; false positives are rare. */
  opensPhrase(hash: number): boolean {
    const { openers } = this.#places ?? this.#place()
    return openers[mixBits(hash) & (OPENERS - 1)] === 1
  }

  /** Frequency of an entry's word in its language: Zipf scale × 30. */
  frequency(entry: number): number {
    return this.#bytes[(this.#starts[entry] ?? 0) - 2] ?? 0
  }

  /** A feature (of the embedding table, a word or a phrase) at an offset from an entry's `start`. */
  feature(at: number): number {
    return (this.#bytes[at] ?? 0) | ((this.#bytes[at + 1] ?? 0) << 8)
  }

  weight(at: number): number {
    return (((this.#bytes[at + 2] ?? 0) << 24) >> 24) * WEIGHT
  }

  /** The features of an entry. */
  read(entry: number, scale: number, spelled = false): Entry {
    const start = this.#starts[entry] ?? 0
    const head = this.#bytes[start - 1] ?? 0
    return { start, end: start + (head & COUNT) * FEATURE_BYTES, role: head >> ROLE_AT, scale, spelled }
  }

  /** An entry that means an English word, which no language lists: "service" in German. */
  english(word: number): Entry {
    // behind an empty head, as other entries are behind theirs
    const start = this.#english + word * (1 + FEATURE_BYTES) + 1
    this.#bytes[start] = word & 255
    this.#bytes[start + 1] = word >> 8
    this.#bytes[start + 2] = 1 / WEIGHT
    return { start, end: start + FEATURE_BYTES, role: 0, scale: 1, spelled: false }
  }

  /** Whether an entry is only near to its features and none of them: "Morphium", whose English the table lacks, is near to "heroin". */
  isApproximate({ start }: Pick<Entry, 'start'>): boolean {
    return ((this.#bytes[start - 1] ?? 0) & APPROXIMATE) !== 0
  }

  /** The highest-weighted English word of an entry, of a phrase also those with most of its weight: "value", "money"; -1 for none. */
  foremost({ start, end }: Entry, words: number, isPhrase: boolean): number[] {
    const of: number[] = []
    for (let at = start; at < end; at += FEATURE_BYTES) if (this.feature(at) < words) of.push(at)
    of.sort((one, other) => this.weight(other) - this.weight(one))
    const least = OF_PHRASE * this.weight(of[0] ?? start)
    const found = of.filter((at, rank) => rank === 0 || (isPhrase && this.weight(at) >= least))
    return found.length === 0 ? [-1] : found.map((at) => this.feature(at))
  }

  /** The word that an entry mainly is: its highest-weighted one if that has most of its length; -1 for none. */
  main({ start, end }: Entry, words: number): number {
    if (this.isApproximate({ start })) return -1
    let [best, most] = [-1, 0]
    for (let at = start; at < end; at += FEATURE_BYTES) {
      const [feature, weight] = [this.feature(at), this.weight(at)]
      if (weight > most && feature < words) [best, most] = [feature, weight]
    }
    return most * most >= MAIN * this.squared({ start, end }) ? best : -1
  }

  /** The sum of an entry's squared weights. */
  squared({ start, end }: Pick<Entry, 'start' | 'end'>): number {
    let sum = 0
    for (let at = start; at < end; at += FEATURE_BYTES) sum += this.weight(at) ** 2
    return sum
  }

  /** The entry of a word in a language; -1 for none. */
  entry(units: Uint16Array, start: number, end: number, language: number): number {
    const word = this.find(units, start, end, hashOfUnits(units, start, end))
    return word < 0 ? -1 : this.entryOf(word, language)
  }

  /** The entry of a word of the list in a language; -1 for none. */
  entryOf(word: number, language: number): number {
    const mask = this.masks[word] ?? 0
    const bit = 1 << language
    if ((mask & bit) === 0) return -1
    let entry = this.first[word] ?? 0
    for (let below = mask & (bit - 1); below !== 0; below &= below - 1) entry++
    return entry
  }

  /** The text of a word, folded as tokens are, a phrase's with spaces. */
  text(word: number): string {
    const { ends } = this.#places ?? this.#place()
    return this.#units.toString('latin1', word === 0 ? 0 : (ends[word - 1] ?? 0) + 1, ends[word]).replaceAll('_', ' ')
  }

  /** The word that a token is in any language; -1 for none. */
  findToken({ units, starts, ends, hashes }: TokenBuffer, token: number): number {
    return this.find(units, starts[token] ?? 0, ends[token] ?? 0, hashes[token] ?? 0)
  }

  /** The word of these units and their hash, in any language; -1 for none. */
  find(units: Uint16Array, start: number, end: number, hash: number): number {
    const { slots, ends } = this.#places ?? this.#place()
    const mask = slots.length - 1
    let slot = mixBits(hash) & mask
    for (;;) {
      const word = (slots[slot] ?? 0) - 1
      if (word < 0) return -1
      const from = word === 0 ? 0 : (ends[word - 1] ?? 0) + 1
      if ((ends[word] ?? 0) - from === end - start) {
        let i = 0
        while (start + i < end && units[start + i] === this.#units[from + i]) i++
        if (start + i === end) return word
      }
      slot = (slot + 1) & mask
    }
  }
}
