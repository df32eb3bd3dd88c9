import { isUnset } from '../fields/unset.ts'
import { quoted } from '../quoted.ts'
import type { RawRow } from '../read/table.ts'
import { filledCells } from './column-content.ts'

/** Answers of which there are two. "Good" alone may be the second of five. */
const VERDICTS: { best: RegExp; worst: RegExp; isPlain?: true }[] = [
  { best: /^good$/i, worst: /^bad$/i },
  { best: /^(?:positive|👍)$/iu, worst: /^(?:negative|👎)$/iu },
  { best: /^thumbs?[ _-]?up$/i, worst: /^thumbs?[ _-]?down$/i, isPlain: true },
  {
    best: /^(?:recommended|recommends)$/i,
    worst: /^(?:not[ _-]recommended|(?:doesn'?t|does not)[ _-]recommend)$/i,
    isPlain: true,
  },
]
/** Helpdesks say so of who was asked and has not answered. */
const UNANSWERED = /^(?:un)?offered$/i

/** Ratings in words, with the stars that they stand for. */
export type RatingWords = ReadonlyMap<string, string>

/** Delighted's surveys of thumbs, of which another column says that they are such. */
const THUMBS: RatingWords = new Map([
  ['1', '5'],
  ['0', '1'],
])

/** Whether a column of numbers has thumbs, because another column says so in every row. */
function areThumbs(headers: readonly string[], sample: readonly RawRow[], index: number): boolean {
  const rated = sample.filter((row) => {
    const cell = row.fault ? '' : (row.cells[index] ?? '').trim()
    return cell !== '' && !isUnset(cell)
  })
  const isSaid = (at: number) => rated.every((row) => /^thumbs?$/i.test((row.cells[at] ?? '').trim()))
  return (
    rated.length > 0 &&
    rated.every((row) => THUMBS.has((row.cells[index] ?? '').trim())) &&
    headers.some((_, at) => at !== index && isSaid(at))
  )
}

/** What the words of a column of ratings mean, if they are two verdicts, which become five stars and one. */
export function ratingWords(
  headers: readonly string[],
  sample: readonly RawRow[],
  index: number,
): RatingWords | undefined {
  if (areThumbs(headers, sample, index)) return THUMBS
  const words = [...new Set(filledCells(sample, index))].filter((cell) => !isUnset(cell) && !/\d/.test(cell))
  const isWhole = filledCells(sample, index).every((cell) => !/\d/.test(cell))
  for (const { best, worst, isPlain } of VERDICTS) {
    const stars = words.flatMap((word): [string, string][] => {
      const found = best.test(word) ? '5' : worst.test(word) ? '1' : UNANSWERED.test(word) ? '' : undefined
      return found === undefined ? [] : [[word.toLowerCase(), found]]
    })
    const meanings = new Set(stars.map(([, meaning]) => meaning))
    const isBoth = meanings.has('5') && meanings.has('1')
    if (stars.length === words.length && (isPlain ? meanings.has('5') || meanings.has('1') : isBoth && isWhole))
      return new Map(stars)
  }
  return undefined
}

/** How the words of a column are read, for people. */
export function describeRatingWords(words: RatingWords): string {
  const named = (meaning: string, stars: string) =>
    [...words].flatMap(([word, found]) => (found === meaning ? [`${quoted(word)} as ${stars}`] : []))
  return [...named('5', '5 stars'), ...named('1', '1 star')].join(' and ')
}
