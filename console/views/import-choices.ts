import type { ImportedFile, ImportResponse } from '../../src/contract/import.ts'
import { ApiError } from '../api.ts'
import { el, field, select } from '../dom.ts'

/** How columns and dates of a file are to be read, as `--map` and `--day-first` say it to the command. */
export interface Mapping {
  map?: Record<string, string>
  day_first?: boolean
}

const FIELDS = ['text', 'date', 'rating', 'author'] as const

/** Which column is what, and how dates are read; opened where the file does not say it. Each choice is tried at once. */
export function readingChoices(
  answer: ImportResponse,
  mapping: Mapping,
  retry: (mapping: Mapping) => void,
): HTMLElement {
  const { files, warnings } = answer
  const [file] = files
  if (!file || files.length > 1) return el('div')
  const isUnclear = file.dates?.because === 'nothing' || warnings.some(({ code }) => code === 'choice')
  return el(
    'details',
    { open: isUnclear || Object.keys(mapping).length > 0 },
    el('summary', {}, 'Read columns or dates otherwise'),
    el(
      'div',
      { class: 'row pad' },
      ...FIELDS.map((name) => field(`The ${name} is in`, columnSelect(file, name, mapping, retry))),
      file.dates && field('Dates such as 1/2/2026', dateSelect(file.dates, mapping, retry)),
    ),
  )
}

function columnSelect(file: ImportedFile, name: string, mapping: Mapping, retry: (mapping: Mapping) => void) {
  const { columns, metadata, unused } = file
  const taken = columns[name]?.[0] ?? ''
  const all = [...new Set([...Object.values(columns).flat(), ...Object.values(metadata), ...unused])]
  const none = name === 'text' || name === 'date' ? [] : [['', 'no column'] as [string, string]]
  return select([...none, ...all.map((column): [string, string] => [column, column])], taken, (column) =>
    retry({ ...mapping, map: { ...mapping.map, [name]: column } }),
  )
}

function dateSelect({ order }: { order: string }, mapping: Mapping, retry: (mapping: Mapping) => void) {
  const orders: [string, string][] = [
    ['month_first', 'month before day'],
    ['day_first', 'day before month'],
  ]
  return select(orders, order, (chosen) => retry({ ...mapping, day_first: chosen === 'day_first' }))
}

/** For a file that is refused because no column is known as the text or the date: their names, to be typed. */
export function columnQuestions(error: unknown, mapping: Mapping, retry: (mapping: Mapping) => void) {
  const details =
    error instanceof ApiError ? (error.body as { error?: { details?: { message: string }[] } }).error?.details : []
  if (!details?.[0]?.message.endsWith(': mapping_needed')) return undefined
  const inputs = (['text', 'date'] as const).map((name) => ({
    name,
    input: el('input', { value: mapping.map?.[name] ?? '' }),
  }))
  return el(
    'form',
    {
      class: 'row',
      onsubmit: (event) => {
        event.preventDefault()
        const named = inputs.flatMap(({ name, input }) => (input.value.trim() ? [[name, input.value.trim()]] : []))
        retry({ ...mapping, map: { ...mapping.map, ...Object.fromEntries(named) } })
      },
    },
    ...inputs.map(({ name, input }) => field(`Column of the ${name}`, input)),
    el('button', { type: 'submit' }, 'Try again'),
  )
}
