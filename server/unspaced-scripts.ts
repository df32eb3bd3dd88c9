/**
 * Scripts without spaces between words, by code units, and the length of the overlapping pieces that replace words in search,
 * as usual in search engines: an ideograph or a syllable says much, a letter of the others little. Korean has spaces, but
 * attaches particles to words. `excerpt_lexemes` in the database has the same ranges.
 */
export const UNSPACED_SCRIPTS = [
  {
    size: 2,
    ranges: [
      // Ideographic marks; hiragana; katakana (two ranges); ideographs (two ranges); Hangul; ideographs; half-width katakana.
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

/** Source of a regular expression for a run of letters of one kind. */
export const UNSPACED_RUN = `(?:${UNSPACED_SCRIPTS.map(runOf).join('|')})`

const KINDS = UNSPACED_SCRIPTS.map((script) => ({ size: script.size, run: new RegExp(`^${runOf(script)}$`) }))
const WORDS = new Intl.Segmenter('en', { granularity: 'word' })
const WINDOW = 128
const IDEOGRAPH = /^[\u3400-\u4dbf\u4e00-\u9fff]$/

/**
 * The pieces of a run of letters of one kind in a query, in order, none across a word boundary according to ICU's
 * dictionaries; a lone ideograph is a piece as well. A word of any other script is one piece.
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

/** Each of the segmenter's steps costs time proportional to its text. */
function windowsOf(run: string): string[] {
  return Array.from({ length: Math.ceil(run.length / WINDOW) }, (_, i) => run.slice(i * WINDOW, (i + 1) * WINDOW))
}

/** Endings, particles and pronouns: all of hiragana, and the most frequent ones of Chinese and Korean. */
const GRAMMAR = new Set(
  '的了很也是在有我们就都和与及着过得地吧啊呢吗这那他她它你个到們與過嗎這個은는이가을를에의도로와과한하고서니다요었았했습합입음으며지네게',
)

export function isGrammarLetter(unit: number): boolean {
  return (unit >= 0x3041 && unit <= 0x309f) || GRAMMAR.has(String.fromCharCode(unit))
}

/** Whether a piece consists of such letters only. */
export function isGrammar(piece: string): boolean {
  for (let i = 0; i < piece.length; i++) if (!isGrammarLetter(piece.charCodeAt(i))) return false
  return piece.length > 0
}
