/** Words as typed have numbers below this, unknown words the negative ones from here on, known words those from 0 on. */
export const LEAST_UNKNOWN = -(2 ** 30)
/** @param hash of a word that the model does not know */
export const unknownWord = (hash: number) => -1 - (hash >>> 2)
/** @param hash of a word as it was typed */
export const typedWord = (hash: number) => LEAST_UNKNOWN + unknownWord(hash)

/**
 * Minimum share of known words in a text whose language the model knows: one of 504 made-up sentences in its seven languages
 * has fewer, and 20 of 864 in twelve others have as many, most of them Swedish or Czech.
 */
const LEAST_KNOWN = 0.7

/** Whether the model knows most of the words that `read` found in a text. */
export function isMostlyKnown(words: Int32Array): boolean {
  let known = 0
  let unknown = 0
  for (const word of words) {
    if (word >= 0) known++
    else if (word >= LEAST_UNKNOWN) unknown++
  }
  return known >= LEAST_KNOWN * (known + unknown)
}
