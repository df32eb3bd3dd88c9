import { createHash } from 'node:crypto'

/** Of an entry of a map, beside its characters. */
const BYTES_PER_ENTRY = 80
/** A longer text stands for itself by its hash. */
const LONGEST = 64

/** Numbers for texts: words, and pairs of metadata. A text that was once met keeps its number. */
export class Dictionary {
  readonly #numbers = new Map<string, number>()
  bytes = 0

  /** The text's number, a new one at its first time. */
  add(text: string): number {
    const key = keyOf(text)
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    // A part of a longer string would keep all of it.
    const own = Buffer.from(key).toString()
    const number = this.#numbers.size
    this.#numbers.set(own, number)
    this.bytes += BYTES_PER_ENTRY + own.length * 2
    return number
  }

  /** -1 for a text that no excerpt has. */
  find(text: string): number {
    return this.#numbers.get(keyOf(text)) ?? -1
  }
}

const keyOf = (text: string) => (text.length <= LONGEST ? text : createHash('sha256').update(text).digest('base64'))

/** A pair as one text that no word is, since words hold no control characters. */
export function pairText(key: string, value: string): string {
  return `\u0001${JSON.stringify([key, value])}`
}
