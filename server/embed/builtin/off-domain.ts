import { readFileSync } from 'node:fs'

const VERSION = 1
const HEADER = 4 + 2 * 4
const STEP = 32
/** For a word that the model does not know: usually a name or a typing error. */
const UNKNOWN = 0.5

/** How far a query may be about other things than the texts that come nearest to it, before its cosines are lessened. */
const FREE = 0.25
/** What it loses beyond that, and what it keeps at least of a raw cosine. */
const SLOPE = 3
const LEAST = 0.2
/** Texts whose words are off-domain by this on average are those of a trade that is: a museum's, a law office's. */
const OWN_DOMAIN = 0.35

/**
 * How much more often each word of the model stands in other texts than in reviews, from 0 to 5, the natural logarithm of
 * the ratio; training/off_domain.py counts and describes the file.
 */
export class OffDomain {
  readonly #odds: Uint8Array

  /** @throws when the file is missing, damaged or made for another table */
  constructor(path: URL, words: number) {
    const bytes = readFileSync(path)
    if (bytes.toString('latin1', 0, 4) !== 'PQOD' || bytes.readUInt32LE(4) !== VERSION) {
      throw new Error(`${String(path)} is not a version ${VERSION} file of off-domain words; build the package again.`)
    }
    if (bytes.readUInt32LE(8) !== words || bytes.length !== HEADER + words) {
      throw new Error(`${String(path)} is damaged; install the package again.`)
    }
    this.#odds = bytes.subarray(HEADER)
  }

  /** @param word its row; below zero for one that the model does not know */
  of(word: number): number {
    return word < 0 ? UNKNOWN : (this.#odds[word] ?? 0) / STEP
  }
}

/**
 * What is left of a query's raw cosines when the texts that come nearest to it do not say what it is about: "french
 * revolution" beside french fries. A review that has the word, or one near to it, takes the doubt away, so that a museum's
 * visitors find the revolution; and where the texts are full of such words none is strange.
 *
 * @param missing the off-domain words of the query that no text says, each times its share of the query
 * @param ofTexts how off-domain the words of the texts are on average
 * @returns from .2 to 1
 */
export function certainty(missing: number, ofTexts: number): number {
  if (ofTexts >= OWN_DOMAIN) return 1
  return Math.min(1, Math.max(LEAST, 1 - SLOPE * Math.max(0, missing - FREE)))
}
