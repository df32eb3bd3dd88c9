import { isGrammarLetter } from '../../unspaced-scripts.ts'
import { UNSPACED } from './folding.ts'
import type { TokenBuffer } from './token-buffer.ts'

/** Factor of a piece's weight per grammatical letter in it: chosen over Japanese, Chinese and Korean. */
const GRAMMAR_WEIGHT = 0.7

/** How many pieces share each letter of a token: its length for a piece of a run without spaces, 1 for a word. */
export function pieceSize({ units, starts }: TokenBuffer, token: number): number {
  return UNSPACED[units[starts[token] ?? 0] ?? 0] || 1
}

/** Weight of a piece of a run without spaces: "朝食" (breakfast) 1, "です" (is) half; 1 for a word. */
export function pieceWeight(tokens: TokenBuffer, token: number): number {
  if (pieceSize(tokens, token) === 1) return 1
  let weight = 1
  for (let i = tokens.starts[token] ?? 0; i < (tokens.ends[token] ?? 0); i++) {
    if (isGrammarLetter(tokens.units[i] ?? 0)) weight *= GRAMMAR_WEIGHT
  }
  return weight
}
