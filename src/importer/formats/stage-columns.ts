import { parseVisibility, type Visibility } from '../fields/visibility.ts'
import { quoted } from '../quoted.ts'
import { normalizeHeader } from '../read/headers.ts'

/** Stages by number: beside 0 and 1, those of Oscar are 2 for refused, of Joomla 2 for archived. */
export function areStages(cells: readonly string[]): boolean {
  return cells.length > 0 && cells.every((cell) => /^-?\d$/.test(cell))
}

const MEANING = /(?<![\d.])(-?\d)\s?[=:]\s?([^\d,;|/()[\]=:]{2,30})/g

/** What a heading says that the numbers below it mean: `Status (1 = waiting, 2 = approved)`. */
export function legendIn(header: string): ReadonlyMap<string, Visibility> | undefined {
  const meanings = [...header.matchAll(MEANING)].map(([, stage = '', word = '']) => {
    return [stage, parseVisibility(word.trim())] as const
  })
  const known = meanings.flatMap(([stage, meaning]) => (meaning ? [[stage, meaning] as const] : []))
  return known.length >= 2 && known.length === meanings.length ? new Map(known) : undefined
}

/** Whether a column has the words for the stages of another: `status_name` beside `status` or `status_id`. */
export function isNameOfStages(header: string, stages: string): boolean {
  const start = normalizeHeader(stages).replace(/(?:id|code|value|number|no)$/, '')
  const name = normalizeHeader(header)
  return start !== '' && name !== normalizeHeader(stages) && name.startsWith(start)
}

export const WRITE_WORDS =
  '. If other numbers are the published ones, write words into the column instead ("published", "pending")'

/** A note that the numbers of a column may mean something else; undefined where they are 0, 1 and less. */
export function describeStages(header: string, cells: readonly string[]): string | undefined {
  const others = [...new Set(cells)].filter((cell) => !/^(?:-\d|[01])$/.test(cell)).sort()
  if (others.length === 0) return undefined
  const named = others.map(quoted).join(', ')
  return (
    `the column "${header}" has numbers for words: 1 is taken for published, and rows with ${named} are imported as hidden` +
    WRITE_WORDS
  )
}
