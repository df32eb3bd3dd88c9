import { DAYS, LANGUAGES, UNITS, type Unit } from './ago-languages.ts'
import { normalizeWord } from './short-cell.ts'

/** A cell or a word of it as the tables have them. */
export const plainWords = (text: string) => normalizeWord(text).replace(/\s+/g, ' ').trim()

const daysByWord = new Map(
  DAYS.flatMap((words, days) => words.split('|').map((word) => [plainWords(word), days] as const)),
)

const languages = LANGUAGES.flatMap(({ around, one = '', units }) => {
  const words = new Map<string, { unit: Unit; alone: number | undefined }>()
  for (const unit of UNITS)
    for (const entry of (units[unit] ?? '').split(' ')) {
      const [word = '', alone] = entry.split('=')
      if (word !== '') words.set(plainWords(word), { unit, alone: alone === undefined ? undefined : Number(alone) })
    }
  const ones = new Set(one.split(' ').map(plainWords))
  return around.map(([before, behind]) => ({ before: plainWords(before), behind: plainWords(behind), ones, words }))
})

/**
 * How long ago something was, in the words of any of the languages: `3 months ago`, `vor einer Woche`, `昨日`.
 *
 * @param cell as {@link plainWords} writes it
 * @returns undefined for everything else, `some weeks ago` among it
 */
export function parseAgo(cell: string): { count: number; unit: Unit } | undefined {
  const days = daysByWord.get(cell)
  if (days !== undefined) return { count: days, unit: 'day' }
  for (const { before, behind, ones, words } of languages) {
    if (!cell.startsWith(before) || !cell.endsWith(behind)) continue
    const middle = cell.slice(before.length, cell.length - behind.length).trim()
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
