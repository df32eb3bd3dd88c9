import { createHash } from 'node:crypto'

/**
 * The words of a text, whatever its spelling of space, case and punctuation: what stays the same when an excerpt is cut
 * elsewhere or a comma is mended. A text without letters and digits is what it is.
 */
export function wordsOf(text: string): string {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
  return words === '' ? text.replace(/\s+/g, '') : words
}

export function hashOfWords(words: string): Buffer {
  return createHash('sha256').update(words).digest()
}

/**
 * Which of a review's excerpts, in their order, hold hidden words. They may begin in one and end in the next, when the
 * text is cut differently now. Linear in the text for each of the hidden.
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
