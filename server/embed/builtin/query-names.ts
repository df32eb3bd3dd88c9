import { FEATURES } from './features.ts'
import type { TokenBuffer } from './token-buffer.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Names in a query: runs of capitalised words, and lone ones that are rare. */
export class QueryNames {
  /** 1 for each token that is part of a name. */
  marked = new Uint8Array(64)

  /** Marks them. @returns whether the marks are credible */
  mark(tokens: TokenBuffer, words: Vocabulary): boolean {
    const { names, count } = tokens
    if (this.marked.length < count) this.marked = new Uint8Array(count * 2)
    let marked = 0
    let strange = 0
    for (let i = 0; i < count; i++) {
      let name = names[i] === 1 ? 1 : 0
      if (name === 0 && words.find(tokens, i) < 0) strange++
      if (name === 1 && !(i > 0 && names[i - 1] === 1) && !(i + 1 < count && names[i + 1] === 1)) {
        const word = words.find(tokens, i)
        if (word >= 0 && word < FEATURES.rareWord) name = 0
      }
      this.marked[i] = name
      marked += name
    }
    // half of the other words unknown: another language, and German capitalises every noun
    return marked > 0 && marked <= FEATURES.mostNames * count && strange * 2 < count - marked
  }
}
