import { DAYS, LANGUAGES, UNITS, type Unit } from './ago-languages.ts'
import { normalizeWord, withAsciiDigits } from './short-cell.ts'

/** Normalizes a cell or word as the tables are. */
export const normalizeWords = (text: string) => withAsciiDigits(normalizeWord(text)).replace(/\s+/g, ' ').trim()

const daysByWord = new Map(
  DAYS.flatMap((words, days) => words.split('|').map((word) => [normalizeWords(word), days] as const)),
)

const languages = LANGUAGES.flatMap(({ around, one = '', units }) => {
  const words = new Map<string, { unit: Unit; alone: number | undefined }>()
  for (const unit of UNITS)
    for (const entry of (units[unit] ?? '').split(' ')) {
      const [word = '', alone] = entry.split('=')
      if (word !== '') words.set(normalizeWords(word), { unit, alone: alone === undefined ? undefined : Number(alone) })
    }
  const ones = new Set(one.split(' ').map(normalizeWords))
  return around.map(([before, after]) => ({
    before: normalizeWords(before),
    after: normalizeWords(after),
    ones,
    words,
  }))
})

/**
 * Parses a relative date in any of the languages: `3 months ago`, `vor einer Woche`, `昨日`.
 *
 * @param cell normalized by {@link normalizeWords}
 * @returns undefined for anything else, including `some weeks ago`
 */
export function parseAgo(cell: string): { count: number; unit: Unit } | undefined {
  const days = daysByWord.get(cell)
  if (days !== undefined) return { count: days, unit: 'day' }
  for (const { before, after, ones, words } of languages) {
    if (!cell.startsWith(before) || !cell.endsWith(after)) continue
    const middle = cell.slice(before.length, cell.length - after.length).trim()
    const number = /^(\d{1,3}) ?(\D+)$/.exec(middle)
    const [first = '', ...others] = middle.split(' ')
    const [count, word] = number
      ? [Number(number[1]), number[2] ?? '']
      : ones.has(first)
        ? [1, others.join(' ')]
        : [undefined, middle]
    const known = words.get(word)
    const ago = count ?? known?.alone
    if (known && ago !== undefined) return { count: ago, unit: known.unit }
  }
  return undefined
}
