import { hashOfUnits } from './fnv.ts'

/** The tokens of one text, in arrays that grow with the longest one and are overwritten by the next text. */
export class TokenBuffer {
  /** Folded code units of all tokens. */
  units = new Uint16Array(4096)
  /** Token `i` is `units[starts[i]..ends[i]]`; pieces of unspaced scripts overlap. */
  starts = new Int32Array(1024)
  ends = new Int32Array(1024)
  /** FNV-1a of each token. */
  hashes = new Int32Array(1024)
  /** 1 where a word is written like a name: capitalised, but neither at the start of a sentence nor all in capitals. */
  names = new Uint8Array(1024)
  /** 1 where a word was typed with a non-English letter (é, ß), which its token lacks. */
  accents = new Uint8Array(1024)
  count = 0
  /** Values of the next tokens in `names` and `accents`. */
  protected name = 0
  protected accent = 0

  protected push(start: number, end: number, hash: number): void {
    const i = this.count++
    this.starts[i] = start
    this.ends[i] = end
    this.hashes[i] = hash
    this.names[i] = this.name
    this.accents[i] = this.accent
  }

  protected hash(start: number, end: number): number {
    return hashOfUnits(this.units, start, end)
  }

  protected equals(start: number, end: number, word: Uint16Array): boolean {
    if (end - start !== word.length) return false
    for (let i = 0; i < word.length; i++) if (this.units[start + i] !== word[i]) return false
    return true
  }

  protected reserve(length: number): void {
    // no code unit yields more than four folded units or, contractions included, more than one token
    const need = length * 4 + 64
    if (need > this.units.length) this.units = new Uint16Array(need * 2)
    if (length + 64 > this.starts.length) {
      this.starts = new Int32Array((length + 64) * 2)
      this.ends = new Int32Array((length + 64) * 2)
      this.hashes = new Int32Array((length + 64) * 2)
      this.names = new Uint8Array((length + 64) * 2)
      this.accents = new Uint8Array((length + 64) * 2)
    }
  }
}
