import { isGrammarLetter } from '../../unspaced-scripts.ts'
import { UNSPACED } from './folding.ts'
import type { TokenBuffer } from './token-buffer.ts'

/** What is left of a piece's weight for each letter in it that carries grammar: chosen over Japanese, Chinese and Korean. */
const GRAMMAR_WEIGHT = 0.7

/** How many pieces a token's letters stand in: its length where it is a piece of a run without spaces, 1 for a word. */
export function pieceSize({ units, starts }: TokenBuffer, token: number): number {
  return UNSPACED[units[starts[token] ?? 0] ?? 0] || 1
}

/** What a piece of a run without spaces weighs: "朝食" (breakfast) 1, "です" (is) half; 1 for a word. */
export function pieceWeight(tokens: TokenBuffer, token: number): number {
  if (pieceSize(tokens, token) === 1) return 1
  let weight = 1
  for (let i = tokens.starts[token] ?? 0; i < (tokens.ends[token] ?? 0); i++) {
    if (isGrammarLetter(tokens.units[i] ?? 0)) weight *= GRAMMAR_WEIGHT
  }
  return weight
}
