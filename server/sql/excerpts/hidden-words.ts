import { createHash } from 'node:crypto'
import { composeLetters } from '../../compose-letters.ts'

/**
 * The words of a text, normalised for space, case and punctuation, so that they stay the same when the text is cut
 * differently or a comma is fixed. A text without letters and digits is returned as it is.
 */
export function wordsOf(text: string): string {
  const words = composeLetters(text, 'NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
  return words === '' ? text.replace(/\s+/g, '') : words
}

export function hashOfWords(words: string): Buffer {
  return createHash('sha256').update(words).digest()
}

/**
 * Which of a review's excerpts, in order, contain hidden words. The words may begin in one and end in the next when the text
 * is now cut differently. Linear in the text for each hidden passage.
 */
export function withheldAmong(excerpts: readonly { text: string }[], hidden: readonly string[]): boolean[] {
  const withheld = excerpts.map(() => false)
  if (hidden.length === 0) return withheld
  const words = excerpts.map(({ text }) => wordsOf(text))
  const starts: number[] = []
  let length = 0
  for (const each of words) {
    starts.push(length)
    length += each.length
  }
  const all = words.join('')
  for (const wanted of hidden) {
    if (wanted === '') continue
    for (let at = all.indexOf(wanted); at >= 0; at = all.indexOf(wanted, at + wanted.length)) {
      starts.forEach((start, i) => {
        if (start < at + wanted.length && start + (words[i]?.length ?? 0) > at) withheld[i] = true
      })
    }
  }
  return withheld
}
