import type { ImportedFile, ImportResponse } from '../../src/contract/import.ts'
import { ApiError } from '../api.ts'
import { button, checkbox, el, field, onSubmit, select } from '../dom.ts'

/** How to read a file, like the command's `--map`, `--day-first` and other flags. */
export interface Mapping {
  map?: Record<string, string>
  day_first?: boolean
  rating_scale?: number
  as_of?: string
  date?: string
  decode_html?: boolean
  encoding?: string
  repair_encoding?: boolean
  missing?: 'hide' | 'list'
  force?: boolean
}

const FIELDS = ['text', 'date', 'rating', 'author', 'id'] as const
/** Options with a checkbox: name, label, and the warnings before and after they are applied. */
const TEXTS = [
  ['decode_html', 'Decode HTML codes such as &amp; and <br> in texts', 'html_left', 'html_decoded'],
  ['repair_encoding', 'Repair letters that were encoded twice, such as Ã© for é', 'double_encoded', 'repaired'],
] as const
/** Best ratings of usual scales; with none of them an import reads what the file says. */
const SCALES = [3, 4, 5, 10, 20, 50, 100]
/** Encodings that spreadsheets write, labelled by script or region. */
const ENCODINGS: [name: string, label: string][] = [
  ['windows-1252', 'Western Europe'],
  ['windows-1250', 'Central Europe'],
  ['windows-1257', 'Baltic'],
  ['windows-1254', 'Turkish'],
  ['windows-1251', 'Cyrillic'],
  ['windows-1253', 'Greek'],
  ['windows-1255', 'Hebrew'],
  ['windows-1256', 'Arabic'],
  ['windows-874', 'Thai'],
  ['windows-1258', 'Vietnamese'],
  ['shift_jis', 'Japanese'],
  ['gb18030', 'Chinese, simplified'],
  ['big5', 'Chinese, traditional'],
  ['euc-kr', 'Korean'],
  ['macintosh', 'Western Europe (Macintosh)'],
  ['cp850', 'Western Europe (MS-DOS)'],
  ['cp852', 'Central Europe (MS-DOS)'],
  ['cp866', 'Cyrillic (MS-DOS)'],
  ['koi8-u', 'Cyrillic (KOI8)'],
]
/** Warnings that leave the user a decision. */
const OPEN_QUESTIONS = new Set(['choice', 'html_left', 'double_encoded', 'repeated', 'missing', 'no_day'])

/** Choices of columns, dates and texts, expanded when the file leaves something unclear. Each change is tried at once. */
export function readingChoices(
  answer: ImportResponse,
  mapping: Mapping,
  retry: (mapping: Mapping) => void,
): HTMLElement {
  const { files, warnings, reasons } = answer
  const [file] = files
  if (!file) return el('div')
  const isOne = files.length === 1
  const has = (code: string) => warnings.some((warning) => warning.code === code)
  const isUnclear =
    file.dates?.because === 'nothing' ||
    warnings.some(({ code }) => OPEN_QUESTIONS.has(code)) ||
    'mangled_id' in reasons ||
    'bad_rating' in reasons
  const dated = isOne ? file.dates : files.find(({ dates }) => dates)?.dates
  const boxes = TEXTS.filter(([option, , left, done]) => mapping[option] !== undefined || has(left) || has(done))
  const hides = el('input', { type: 'checkbox', checked: mapping.missing === 'hide' })
  hides.addEventListener('change', () => retry({ ...mapping, missing: hides.checked ? 'hide' : 'list' }))
  return el(
    'details',
    { open: isUnclear || Object.keys(mapping).length > 0 },
    el('summary', 'Change how columns, ratings, dates or texts are read'),
    el(
      'div',
      { class: 'row pad' },
      ...(isOne ? FIELDS.map((name) => field(`The ${name} is in`, columnSelect(file, name, mapping, retry))) : []),
      ('bad_rating' in reasons || mapping.rating_scale !== undefined || files.some(({ columns }) => columns.rating)) &&
        field('The best rating is', scaleSelect(mapping, retry)),
      (has('no_day') || mapping.as_of !== undefined) &&
        field('The file was made on (for "3 months ago")', dayInput('as_of', mapping, retry)),
      mapping.date !== undefined && field('The day of all reviews', dayInput('date', mapping, retry)),
      (mapping.encoding !== undefined || files.some(({ encoding }) => !/^UTF-\w+$/.test(encoding))) &&
        field('The encoding is', encodingSelect(mapping, retry)),
      dated && field('Dates such as 1/2/2026', dateSelect(dated, mapping, retry)),
    ),
    ...boxes.map(([option, label, , done]) => {
      const box = el('input', { type: 'checkbox', checked: mapping[option] ?? has(done) })
      box.addEventListener('change', () => retry({ ...mapping, [option]: box.checked }))
      return checkbox(label, box)
    }),
    (has('missing') || mapping.missing !== undefined) && checkbox('Hide what the vendor has removed', hides),
    !isOne && el('p', { class: 'hint' }, 'To choose columns, import one file at a time.'),
  )
}

function columnSelect(file: ImportedFile, name: string, mapping: Mapping, retry: (mapping: Mapping) => void) {
  const { columns, metadata, unused } = file
  const taken = mapping.map?.[name] ?? columns[name]?.[0] ?? ''
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
  const taken = mapping.day_first === undefined ? order : mapping.day_first ? 'day_first' : 'month_first'
  return select(orders, taken, (chosen) => retry({ ...mapping, day_first: chosen === 'day_first' }))
}

function encodingSelect({ encoding, ...others }: Mapping, retry: (mapping: Mapping) => void) {
  return select([['', 'detected from the file'], ...ENCODINGS], encoding ?? '', (chosen) =>
    retry(chosen === '' ? others : { ...others, encoding: chosen }),
  )
}

function scaleSelect({ rating_scale: scale, ...others }: Mapping, retry: (mapping: Mapping) => void) {
  const scales = SCALES.map((best): [string, string] => [`${best}`, `${best}`])
  return select([['', 'as in the file'], ...scales], `${scale ?? ''}`, (chosen) =>
    retry(chosen === '' ? others : { ...others, rating_scale: Number(chosen) }),
  )
}

function dayInput(name: 'as_of' | 'date', mapping: Mapping, retry: (mapping: Mapping) => void) {
  const input = el('input', { type: 'date', value: mapping[name] ?? '' })
  input.addEventListener('change', () => {
    // While a year is being typed, its first digits already form a valid date.
    if (input.value !== '' && input.value < '1990') return
    const { [name]: _, ...others } = mapping
    retry(input.value === '' ? others : { ...others, [name]: input.value })
  })
  return input
}

/** Choices with which a rejected file could be imported; undefined when there are none. */
export function refusalChoices(error: unknown, mapping: Mapping, retry: (mapping: Mapping) => void) {
  const choice = (text: string, change: Mapping) =>
    button(text, () => retry({ ...mapping, ...change }), { class: 'plain' })
  switch (importerCode(error)) {
    case 'dates_both_orders':
      return el(
        'div',
        { class: 'actions' },
        choice('Read them with the day first', { day_first: true }),
        choice('Read them with the month first', { day_first: false }),
      )
    case 'unknown_encoding':
      return field('The encoding is', encodingSelect(mapping, retry))
    case 'own_reviews':
      return el('div', { class: 'actions' }, choice('Import them anyway', { force: true }))
    case 'ids_of_others':
      return el(
        'div',
        { class: 'actions' },
        choice("Add them, without the file's ids", { map: { ...mapping.map, id: '' } }),
        choice('Replace the stored ones', { force: true }),
      )
  }
}

/** Whether a file is rejected because the text or date column is unknown, or a named column does not exist. */
export function needsColumns(error: unknown): boolean {
  return ['mapping_needed', 'unknown_column'].includes(importerCode(error))
}

function importerCode(error: unknown): string {
  if (!(error instanceof ApiError)) return ''
  const { details } = (error.body as { error?: { details?: { message: string }[] } }).error ?? {}
  return details?.[0]?.message.replace(/^.*: /, '') ?? ''
}

/** A form to name the columns of text and date, prefilled with the importer's guess. */
export function columnQuestions(message: string, mapping: Mapping, retry: (mapping: Mapping) => void) {
  const inputs = (['text', 'date'] as const).map((name) => {
    const guess = new RegExp(`--map ${name}=("(?:[^"\\\\]|\\\\.)*")`).exec(message)?.[1]
    return { name, input: el('input', { value: mapping.map?.[name] ?? (guess ? JSON.parse(guess) : '') }) }
  })
  const days = (['as_of', 'date'] as const).flatMap((name) => {
    const isOffered = message.includes(`--${name.replace('_', '-')}`) || mapping[name] !== undefined
    return isOffered ? [{ name, input: el('input', { type: 'date', value: mapping[name] ?? '' }) }] : []
  })
  const labels = { as_of: 'The file was made on', date: 'The day of all reviews' }
  return el(
    'form',
    {
      class: 'row',
      onsubmit: onSubmit(() => {
        const named = inputs.flatMap(({ name, input }) => (input.value.trim() ? [[name, input.value.trim()]] : []))
        const { as_of: _, date: __, ...others } = mapping
        const given = days.flatMap(({ name, input }) => (input.value === '' ? [] : [[name, input.value]]))
        retry({ ...others, ...Object.fromEntries(given), map: Object.fromEntries(named) })
      }),
    },
    ...inputs.map(({ name, input }) => field(`Column of the ${name}`, input)),
    ...days.map(({ name, input }) => field(labels[name], input)),
    el('button', { type: 'submit' }, 'Try again'),
  )
}
