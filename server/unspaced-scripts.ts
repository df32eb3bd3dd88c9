/**
 * Scripts in which spaces do not tell the words, by code units, and how long the overlapping pieces are that stand for
 * words instead, as search engines index them: an ideograph or a syllable says much, a letter of the others little. Korean
 * has spaces, but puts its particles behind the words without one. `excerpt_lexemes` in the database has the same ranges.
 */
export const UNSPACED_SCRIPTS = [
  {
    size: 2,
    ranges: [
      // Ideographs' marks; hiragana; katakana, twice; ideographs, twice; Hangul; ideographs; katakana at half width.
      [0x3005, 0x3007],
      [0x3041, 0x309f],
      [0x30a1, 0x30fa],
      [0x30fc, 0x30ff],
      [0x31f0, 0x31ff],
      [0x3400, 0x4dbf],
      [0x4e00, 0x9fff],
      [0xac00, 0xd7a3],
      [0xf900, 0xfaff],
      [0xff66, 0xff9f],
    ],
  },
  {
    size: 3,
    ranges: [
      // Thai; Lao; Burmese; Khmer.
      [0x0e01, 0x0e4e],
      [0x0e81, 0x0ece],
      [0x1000, 0x103f],
      [0x1780, 0x17d3],
    ],
  },
] as const

const runOf = ({ ranges }: (typeof UNSPACED_SCRIPTS)[number]) =>
  `[${ranges.map((range) => range.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('-')).join('')}]+`

/** A regular expression's source: a run of letters of one kind. */
export const UNSPACED_RUN = `(?:${UNSPACED_SCRIPTS.map(runOf).join('|')})`

const KINDS = UNSPACED_SCRIPTS.map((script) => ({ size: script.size, run: new RegExp(`^${runOf(script)}$`) }))
const WORDS = new Intl.Segmenter('en', { granularity: 'word' })
const WINDOW = 128
const IDEOGRAPH = /^[\u3400-\u4dbf\u4e00-\u9fff]$/

/**
 * The pieces of a query's run of letters of one kind, in order, none of them across two words, which ICU's dictionaries tell;
 * a lone ideograph is a piece as well. A word of any other script is one piece.
 */
export function piecesOf(run: string): string[] {
  const size = KINDS.find((kind) => kind.run.test(run))?.size
  if (size === undefined) return [run]
  const within = windowsOf(run).flatMap((part) =>
    Array.from(WORDS.segment(part)).flatMap(({ segment }) =>
      IDEOGRAPH.test(segment) ? [segment] : cut(segment, size),
    ),
  )
  return within.length > 0 ? within : run.length < size ? [run] : cut(run, size)
}

function cut(letters: string, size: number): string[] {
  return Array.from({ length: Math.max(0, letters.length - size + 1) }, (_, i) => letters.slice(i, i + size))
}

/** The segmenter's steps cost in proportion to the text that it is given. */
function windowsOf(run: string): string[] {
  return Array.from({ length: Math.ceil(run.length / WINDOW) }, (_, i) => run.slice(i * WINDOW, (i + 1) * WINDOW))
}

/** Endings, particles and pronouns: all of hiragana, and the most frequent ones of Chinese and Korean. */
const GRAMMAR = new Set(
  '的了很也是在有我们就都和与及着过得地吧啊呢吗这那他她它你个到은는이가을를에의도로와과한하고서니다요었았했습합입음으며지네게',
)

export function isGrammarLetter(unit: number): boolean {
  return (unit >= 0x3041 && unit <= 0x309f) || GRAMMAR.has(String.fromCharCode(unit))
}

/** Whether a piece holds nothing but such letters. */
export function isGrammar(piece: string): boolean {
  for (let i = 0; i < piece.length; i++) if (!isGrammarLetter(piece.charCodeAt(i))) return false
  return piece.length > 0
}
