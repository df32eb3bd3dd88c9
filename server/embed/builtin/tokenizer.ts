import { CONTRACTIONS, isElision } from './contractions.ts'
import {
  APOSTROPHE,
  DROPPED,
  FOLD,
  FOLD_TO_MANY,
  isCapitalised,
  isDigitAt,
  isEmoji,
  toUnits,
  UNSPACED,
} from './folding.ts'
import { TokenBuffer } from './token-buffer.ts'

const MAX_WORD = 40
/** . ! ? : ; newline, opening quotes and brackets: a capital after them does not mark a name. */
const OPENS_SENTENCE = [46, 33, 63, 58, 59, 10, 34, 40, 0x201c]
const SPACE = 32
const NOT = toUnits('not')

/**
 * Splits text into lower-case, accent-free tokens, the same on every platform, using its own Unicode table. `n't` becomes
 * `not`; numbers of three digits or more keep only their length, decimals, times and prices become `#`; each emoji is a
 * token; scripts without spaces become overlapping pieces. Letters repeated more than twice count twice.
 *
 * An instance is reused: `tokenize` overwrites the previous tokens, and allocates only for a text longer than every one
 * before it.
 */
export class Tokenizer extends TokenBuffer {
  #end = 0
  #english = true

  /**
   * @param english `false` for a text in another language, where `im` and `dont` are words and an apostrophe separates two
   * (`dell'albergo`), of which a lone letter says nothing (`l'hôtel`)
   * @returns the number of tokens now in `starts`, `ends` and `hashes`
   */
  tokenize(text: string, english = true): number {
    this.reserve(text.length)
    this.#english = english
    this.count = 0
    this.#end = 0
    let opening = true
    let i = 0
    while (i < text.length) {
      const unit = text.charCodeAt(i)
      if (unit === SPACE) {
        i++
        continue
      }
      const folded = FOLD[unit] ?? 0
      this.name = 0
      if (folded <= APOSTROPHE) {
        if (OPENS_SENTENCE.includes(unit)) opening = true
        i = isEmoji(text, i) ? this.#emoji(text, i) : i + 1
        continue
      }
      if (!opening && isCapitalised(text, i)) this.name = 1
      opening = false
      if (folded < 58) i = this.#number(text, i)
      else if (UNSPACED[unit]) i = this.#unspaced(text, i)
      else i = this.#word(text, i)
    }
    return this.count
  }

  /** The tokens of a text as strings: for tests and training, not for the hot loop. */
  strings(text: string, english = true): string[] {
    this.tokenize(text, english)
    const out: string[] = []
    for (let i = 0; i < this.count; i++) {
      out.push(String.fromCharCode(...this.units.subarray(this.starts[i] ?? 0, this.ends[i] ?? 0)))
    }
    return out
  }

  #word(text: string, from: number): number {
    const start = this.#end
    let end = start
    let apostrophe = -1
    let i = from
    this.accent = 0
    for (; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      const folded = FOLD[unit] ?? 0
      if (folded === DROPPED) continue
      if (folded === APOSTROPHE) {
        if (!this.#letterAt(text, i + 1)) break
        if (apostrophe < 0) apostrophe = end
      } else if (folded < 58 || UNSPACED[unit]) break
      else if (unit > 127) this.accent = 1
      if (end - start >= MAX_WORD) continue
      const many = unit > 127 ? FOLD_TO_MANY.get(unit) : undefined
      if (many === undefined) end = this.#append(start, end, folded)
      else for (let k = 0; k < many.length; k++) end = this.#append(start, end, many[k] ?? 0)
    }
    if (apostrophe >= end) apostrophe = -1
    this.#end = end
    this.#finish(start, end, apostrophe)
    return i
  }

  #append(start: number, end: number, unit: number): number {
    const { units } = this
    if (end - start >= 2 && units[end - 1] === unit && units[end - 2] === unit) return end
    units[end] = unit
    return end + 1
  }

  #letterAt(text: string, i: number): boolean {
    const folded = i < text.length ? (FOLD[text.charCodeAt(i)] ?? 0) : 0
    return folded >= 58
  }

  #finish(start: number, end: number, apostrophe: number): void {
    if (!this.#english) {
      this.#parts(start, end)
      return
    }
    const { units } = this
    const last = units[end - 1]
    const hash = this.hash(start, end)
    // only words ending in t, n, m or e can be contractions, which avoids most lookups
    if (last === 116 || last === 110 || last === 109 || last === 101) {
      const rule = CONTRACTIONS.get(hash)
      if (rule !== undefined && this.equals(start, end, rule.word)) {
        for (const word of rule.means) this.#literal(word)
        return
      }
    }
    if (apostrophe < 0) {
      // "wi-fi" has three spellings: all become one token
      if (end - start === 2 && units[start] === 102 && units[start + 1] === 105 && this.#joinsWi(start)) return
      this.push(start, end, hash)
      return
    }
    if (last === 116 && end - start >= 3 && units[end - 2] === APOSTROPHE && units[end - 3] === 110) {
      if (end - 3 > start) this.push(start, end - 3, this.hash(start, end - 3))
      this.#literal(NOT)
      return
    }
    const head = apostrophe - start
    const first = units[start]
    if (head === 1 && first !== 105) {
      if (isElision(first)) this.#rest(apostrophe + 1, end)
      else this.#merged(start, end, apostrophe)
    } else if (head === 2 && first === 113 && units[start + 1] === 117) this.#rest(apostrophe + 1, end)
    else this.push(start, apostrophe, this.hash(start, apostrophe))
  }

  /** Each part between apostrophes that is longer than a letter; `wi-fi` is one word in every language. */
  #parts(start: number, end: number): void {
    const { units } = this
    for (let from = start; from < end; ) {
      let to = from
      while (to < end && units[to] !== APOSTROPHE) to++
      const size = to - from
      const joined = size === 2 && units[from] === 102 && units[from + 1] === 105 && this.#joinsWi(from)
      if (!joined && (size > 1 || size === end - start)) this.push(from, to, this.hash(from, to))
      from = to + 1
    }
  }

  /** `l'hôtel`, `qu'il`: the part after the elided article, up to a second apostrophe. */
  #rest(start: number, end: number): void {
    let stop = start
    while (stop < end && this.units[stop] !== APOSTROPHE) stop++
    if (stop > start) this.push(start, stop, this.hash(start, stop))
  }

  /** `o'clock`, `y'all`: one word without its apostrophes. */
  #merged(start: number, end: number, apostrophe: number): void {
    let to = apostrophe
    for (let i = apostrophe; i < end; i++) {
      const unit = this.units[i] ?? 0
      if (unit !== APOSTROPHE) this.units[to++] = unit
    }
    this.push(start, to, this.hash(start, to))
  }

  #joinsWi(start: number): boolean {
    const previous = this.count - 1
    if (previous < 0 || this.ends[previous] !== start) return false
    const from = this.starts[previous] ?? 0
    if (start - from !== 2 || this.units[from] !== 119 || this.units[from + 1] !== 105) return false
    this.ends[previous] = start + 2
    this.names[previous] = 0
    this.hashes[previous] = this.hash(from, start + 2)
    return true
  }

  #number(text: string, from: number): number {
    const start = this.#end
    let i = from
    let digits = 0
    let plain = true
    for (; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      const folded = FOLD[unit] ?? 0
      if (folded > APOSTROPHE && folded < 58) {
        if (digits < 2) this.units[start + digits] = folded
        digits++
      } else if ((unit === 46 || unit === 44 || unit === 58) && isDigitAt(text, i + 1)) plain = false
      else if (folded !== DROPPED) break
    }
    let end = start + Math.min(digits, 4)
    if (!plain) {
      this.units[start] = 35
      end = start + 1
    } else if (digits > 2) for (let k = start; k < end; k++) this.units[k] = 48
    this.#end = end
    this.push(start, end, this.hash(start, end))
    return i
  }

  #unspaced(text: string, from: number): number {
    const size = UNSPACED[text.charCodeAt(from)] ?? 0
    const start = this.#end
    let end = start
    let i = from
    for (; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      if (FOLD[unit] === DROPPED) continue
      if (UNSPACED[unit] !== size) break
      this.units[end++] = FOLD[unit] ?? 0
    }
    this.#end = end
    if (end - start < size) this.push(start, end, this.hash(start, end))
    for (let k = start; k + size <= end; k++) this.push(k, k + size, this.hash(k, k + size))
    return i
  }

  #emoji(text: string, i: number): number {
    const start = this.#end
    const unit = text.charCodeAt(i)
    this.units[start] = unit
    let end = start + 1
    if (unit >= 0xd800) this.units[end++] = text.charCodeAt(i + 1)
    this.#end = end
    this.push(start, end, this.hash(start, end))
    return i + (end - start)
  }

  #literal(word: Uint16Array): void {
    const start = this.#end
    this.units.set(word, start)
    this.#end = start + word.length
    this.push(start, this.#end, this.hash(start, this.#end))
  }
}
