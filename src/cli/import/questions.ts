import type { ReviewInput } from '../../contract/review.ts'
import { parseDate } from '../../importer/fields/date.ts'
import { looksLikeDates, looksLikeProse } from '../../importer/formats/column-content.ts'
import type { ColumnPlan } from '../../importer/formats/column-plan.ts'
import { type ImportOptions, MAPPABLE_FIELDS, type MappableField } from '../../importer/formats/mapping.ts'
import { ImporterError } from '../../importer/importer-error.ts'
import { openTables } from '../../importer/read/open-tables.ts'
import type { PassedOverFile } from '../../importer/read/review-files.ts'
import type { InputFile, RawRow, Table } from '../../importer/read/table.ts'
import { isProven } from '../../importer/rows/date-order.ts'
import type { Reporter, Terminal } from '../output/terminal.ts'
import { oneLine, printable, truncate } from '../output/text.ts'
import { wrapHanging } from '../output/wrap.ts'
import { isAtTerminal, type PromptContext, prompt } from '../prompts.ts'
import { type ImportInput, readInput } from './inputs.ts'
import { explain, type Preview, previewOf, sampleReviews } from './preview.ts'

/** Asks questions on the terminal; tests answer them instead. */
export interface Prompter {
  /** @param initial what Enter selects */
  select(message: string, choices: { name: string; value: string }[], initial: string): Promise<string>
  confirm(message: string): Promise<boolean>
  show(line: string): void
}

const NONE = ''
const REQUIRED: readonly MappableField[] = ['text', 'date']

/**
 * When the text or date column is uncertain, asks for these two, shows three rows as they will be stored, and asks for
 * all columns until the user accepts the rows.
 *
 * @returns the options with the chosen columns; unchanged when everything was certain
 */
export async function askForColumns(
  file: InputFile,
  options: ImportOptions,
  prompter: Prompter,
): Promise<ImportOptions> {
  let preview: Preview | undefined
  try {
    ;[preview] = await previewOf(file, options)
    const alternatives: ColumnPlan['alternatives'] = preview?.plan.alternatives ?? {}
    const open = (field: MappableField) => alternatives[field] !== undefined && options.map?.[field] === undefined
    if (!open('text') && !open('date')) return options
  } catch (error) {
    if (!(error instanceof ImporterError) || error.code !== 'mapping_needed') throw error
  }
  const { table, sample } = await firstRows(file, options)
  let inFull = false
  for (let chosen = options; ; ) {
    const map = { ...chosen.map }
    for (const field of inFull ? MAPPABLE_FIELDS : REQUIRED) {
      // With --date there is no date column.
      if (field === 'date' && options.date !== undefined && map.date === undefined) continue
      const known = map[field] ?? guess(preview, table, sample, field)
      const answer = await chooseColumn(prompter, table, sample, field, known)
      // An optional column accepted as detected is not fixed, so that other files may have it elsewhere.
      if (REQUIRED.includes(field) || answer !== known || map[field] !== undefined) map[field] = answer
    }
    chosen = { ...chosen, map }
    ;[preview] = await previewOf(file, chosen)
    const rows = preview ? sampleReviews(preview, chosen) : []
    prompter.show(
      rows.length > 0 ? 'The first rows will be stored like this:' : 'None of the first rows could be read this way.',
    )
    for (const review of rows) prompter.show(`  ${line(review)}`)
    if (await prompter.confirm(rows.length > 0 ? 'Import them like this?' : 'Import anyway?')) return chosen
    inFull = true
  }
}

/**
 * When dates can be read in two ways and nothing proves one, asks which it is, before ids are derived from them.
 *
 * @param previews made with `withDates`
 */
export async function askForDateOrder(
  previews: readonly Preview[],
  options: ImportOptions,
  prompter: Prompter,
): Promise<ImportOptions> {
  const unclear = previews.filter(({ dates }) => dates && !isProven(dates.because))
  const [first] = unclear
  if (!first?.dates) return options
  const { cell, line } = first.dates.example
  const rows = unclear.reduce((sum, { dates }) => sum + (dates?.rows ?? 0), 0)
  const files = unclear.length > 1 ? ` in ${unclear.length} files` : ''
  const answer = await prompter.select(
    `Dates such as ${oneLine(cell)} (${first.table.file}, line ${line}; ${rows} rows${files}) can be read in two ways. Which is right?`,
    [false, true].map((dayFirst) => ({
      name: `${dayFirst ? 'day/month' : 'month/day'}   ${spelledOut(cell, dayFirst)}`,
      value: dayFirst ? 'day' : 'month',
    })),
    first.dates.dayFirst ? 'day' : 'month',
  )
  return { ...options, day_first_when_unclear: answer === 'day' }
}

function spelledOut(cell: string, dayFirst: boolean): string {
  const date = parseDate(cell, dayFirst)
  return date.ok
    ? date.value.toLocaleDateString('en', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
    : cell
}

async function firstRows(file: InputFile, options: ImportOptions): Promise<{ table: Table; sample: RawRow[] }> {
  for await (const table of openTables(file, options)) {
    for await (const batch of table.rows) if (batch.length > 0) return { table, sample: batch.slice(0, 200) }
    return { table, sample: [] }
  }
  throw new ImporterError('no_rows', `${file.name} contains nothing to import.`)
}

function guess(preview: Preview | undefined, table: Table, sample: RawRow[], field: MappableField): string {
  const found = preview?.plan.fields[field]?.[0]
  if (found !== undefined) return table.headers[found] ?? NONE
  const fits = field === 'text' ? looksLikeProse : field === 'date' ? looksLikeDates : () => false
  const fitting = table.headers.find((_, index) => fits(sample, index))
  return fitting ?? (field === 'text' ? longest(table, sample) : NONE)
}

/** The column with the most text, when none has whole sentences. */
function longest({ headers }: Table, sample: readonly RawRow[]): string {
  const lengths = headers.map((_, index) =>
    looksLikeDates(sample, index) ? 0 : sample.reduce((sum, row) => sum + (row.cells[index]?.length ?? 0), 0),
  )
  return headers[lengths.indexOf(Math.max(...lengths))] ?? NONE
}

async function chooseColumn(
  prompter: Prompter,
  table: Table,
  sample: RawRow[],
  field: MappableField,
  initial: string,
): Promise<string> {
  const choices = table.headers.map((header, index) => ({
    name: oneLine(`${header}   ${example(sample, index)}`),
    value: header,
  }))
  if (!REQUIRED.includes(field)) choices.unshift({ name: '(none)', value: NONE })
  return prompter.select(`Which column is the ${field}?`, choices, initial)
}

function example(sample: RawRow[], index: number): string {
  const cell = sample.map((row) => row.cells[index]?.trim() ?? '').find((value) => value !== '') ?? ''
  return truncate(oneLine(cell), 50)
}

function line(review: ReviewInput): string {
  const stars = review.rating == null ? 'unrated' : `${review.rating}/5`
  return `${review.occurred_at.toISOString().slice(0, 10)}  ${stars}  ${review.author_name}  ${review.source}  ${truncate(oneLine(review.text), 60)}`
}

async function terminalPrompter(terminal: Terminal, signal: AbortSignal): Promise<Prompter> {
  const { select, confirm } = await import('@inquirer/prompts')
  const ask = <T>(question: (context: PromptContext) => Promise<T>) =>
    prompt(question, signal, 'interrupted; nothing was imported')
  return {
    select: (message, choices, initial) =>
      ask((context) => select({ message, choices, default: initial, pageSize: 15 }, context)),
    confirm: (message) => ask((context) => confirm({ message, default: true }, context)),
    show: (text) => void process.stderr.write(`${truncate(printable(text), terminal.columns)}\n`),
  }
}

/** An input that can be imported, and the options to read it with. */
export interface CheckedInput {
  input: ImportInput
  options: ImportOptions
  /** Files of a folder that are not uploaded. */
  passedOver: readonly PassedOverFile[]
}

/** Checks an input before connecting or uploading; on a terminal it asks about whatever is uncertain. */
export async function checkInput(
  input: ImportInput,
  options: ImportOptions,
  context: { explain: boolean; mayAsk: boolean; terminal: Terminal; signal: AbortSignal; reporter: Reporter },
): Promise<CheckedInput> {
  const file = await readInput(input)
  const canAsk = context.mayAsk && isAtTerminal() && !input.read
  const prompter = canAsk ? await terminalPrompter(context.terminal, context.signal) : undefined
  let chosen = prompter ? await askForColumns(file, options, prompter) : options
  const previews = await previewOf(file, chosen, canAsk || context.explain)
  for (const preview of context.explain ? previews : []) {
    for (const line of explain(preview, chosen)) {
      context.reporter.writeStderr(wrapHanging(printable(line), context.terminal.columns))
    }
  }
  if (prompter) chosen = await askForDateOrder(previews, chosen, prompter)
  return { input, options: chosen, passedOver: file.passedOver ?? [] }
}
