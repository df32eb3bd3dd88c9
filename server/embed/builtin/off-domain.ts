import { readFileSync } from 'node:fs'

const VERSION = 1
const HEADER = 4 + 2 * 4
const STEP = 32
/** What content systems call their kinds of pages, with which the query that a page derives may begin: "Blog – Our bread". */
export const KINDS_OF_PAGES = 'archive archives blog category page'.split(' ')
/** For an unknown word: usually a name or a typo. */
const UNKNOWN = 0.5

/** How far a query may be about other things than the nearest texts before its cosines are reduced. */
const FREE = 0.25
/** How steeply they are reduced beyond that, and the least share of a raw cosine that remains. */
const SLOPE = 3
const LEAST = 0.2
/** Texts whose words are this off-domain on average belong to such a trade: a museum, a law office. */
const OWN_DOMAIN = 0.35

/**
 * How much more frequent each of the model's words is in other texts than in reviews, from 0 to 5, as the natural logarithm
 * of the ratio; training/off_domain.py computes and describes the file.
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

  /** @param word its row; negative for an unknown word */
  of(word: number): number {
    return word < 0 ? UNKNOWN : (this.#odds[word] ?? 0) / STEP
  }
}

/**
 * The factor for a query's raw cosines when the nearest texts do not mention what it is about: "french revolution" next to
 * french fries. A review with the word, or a similar one, removes the doubt, so that a museum's visitors find the revolution;
 * and where the texts are full of such words none counts as off-domain.
 * @param missing the query's off-domain words that no text has, each weighted by its share of the query
 * @param ofTexts how off-domain the words of the texts are on average
 * @returns from .2 to 1
 */
export function certainty(missing: number, ofTexts: number): number {
  if (ofTexts >= OWN_DOMAIN) return 1
  return Math.min(1, Math.max(LEAST, 1 - SLOPE * Math.max(0, missing - FREE)))
}
