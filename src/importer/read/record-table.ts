import { ImporterError } from '../importer-error.ts'
import { unescapeFormula, unwrapTextFormula } from './cell-escape.ts'
import { mergeQuoteReadings } from './csv/bare-quotes.ts'
import { checkHeaders, uniqueHeaders } from './headers.ts'
import { type ErrorsCsvColumn, errorsCsvColumns } from './skipped-rows.ts'
import type { RawRow, Table } from './table.ts'

const MAX_COLUMNS = 1_000
const HEADER_SEARCH_ROWS = 10

/** A row with uninterpreted cells, or the position of a quote that is never closed. */
export type TableRecord = FilledRecord | { line: number; unclosed: true }

interface FilledRecord {
  line: number
  cells: string[]
  /** The cells when quotes inside quotes are literal; set only for rows that have such. */
  byOuterQuotes?: string[]
}

/**
 * Builds a table from records. The header is the first record with two or more filled cells, so that a title above it
 * does no harm, unless one with at least twice as many headings follows.
 *
 * @param batches starts over on each call
 */
export async function tableOfRecords(
  file: string,
  batches: () => AsyncGenerator<TableRecord[]>,
  { firstLine, ...kind }: Pick<Table, 'fileType' | 'encoding' | 'delimiter'> & { firstLine: number },
): Promise<Table> {
  const { header, position, isNumbered } = await findHeader(batches())
  if (!header) throw new ImporterError('no_rows', `${file} has no header row.`)
  if (header.cells.length > MAX_COLUMNS)
    throw new ImporterError(
      'too_many_columns',
      `${file} has ${header.cells.length} columns in its first row: it is not a table of reviews, or its line breaks were lost.`,
    )
  const headings = [...(isNumbered ? [''] : []), ...header.cells.map(unwrapTextFormula)]
  checkHeaders(file, headings)
  const own = errorsCsvColumns(headings)
  const isErrorsCsv = own.length > 0
  const headers = uniqueHeaders(isErrorsCsv ? headings.slice(own.length).map(unescapeFormula) : headings)
  const notes = header.line > firstLine ? [`the header was found on line ${header.line}`] : []
  if (isNumbered) notes.push('its rows are numbered, and the numbers have no heading, as R writes them')
  const width = headers.length + own.length
  return {
    file,
    ...kind,
    headers,
    notes,
    isErrorsCsv,
    rows: { [Symbol.asyncIterator]: () => rows(batches(), position + 1, { width, own, delimiter: kind.delimiter }) },
  }
}

/** The header, and its position among the records. */
async function findHeader(batches: AsyncGenerator<TableRecord[]>) {
  let seen: TableRecord[] = []
  for await (const batch of batches) {
    seen = seen.concat(batch)
    if (seen.length >= HEADER_SEARCH_ROWS) break
  }
  const whole = seen.filter((event) => 'cells' in event)
  const candidates = whole.slice(0, HEADER_SEARCH_ROWS)
  const first = isIndexed(candidates)
    ? candidates[0]
    : (candidates.find((record) => filled(record.cells) >= 2) ?? candidates.find((r) => filled(r.cells) >= 1))
  const header = first && (headerBelow(first, candidates) ?? first)
  const isNumbered = header !== undefined && areNumbered(header, candidates.slice(candidates.indexOf(header) + 1))
  return { header, position: header ? seen.indexOf(header) : 0, isNumbered }
}

/** Fewer could be ratings below their heading. */
const LEAST_NUMBERED = 6
const NUMBERS = /^(?:#|n[or]?\.?|num.*|row|index|.*id)$/i

/** Whether R wrote its rows' names, without a heading above them: each row has one cell more than the header, its number. */
function areNumbered({ cells: header }: FilledRecord, rows: readonly FilledRecord[]): boolean {
  if (rows.length < LEAST_NUMBERED || NUMBERS.test(header[0] ?? '')) return false
  return rows.every(({ cells }, at) => cells.length === header.length + 1 && cells[0] === String(at + 1))
}

/** Whether the rows of a single column are numbered, as data tools write them: the numbers have no heading. */
function isIndexed([header, ...rows]: readonly FilledRecord[]): boolean {
  const isNumbered = ({ cells }: FilledRecord, at: number) => cells.length === 2 && cells[0] === String(at)
  return header?.cells.length === 2 && header.cells[0] === '' && rows.length > 0 && rows.every(isNumbered)
}

/** The header below `above`, which is a report's line such as "Period, 2026" or the headings of groups of columns. */
function headerBelow(above: FilledRecord, candidates: readonly FilledRecord[]) {
  const least = Math.max(3, 2 * filled(above.cells))
  const lines = candidates.slice(candidates.indexOf(above) + 1)
  const found = lines.findIndex(({ cells }) => filled(cells) >= least)
  const header = lines[found]
  // Data rows have a date or a number.
  const isHeader = lines.length > found + 1 && header?.cells.every((cell) => cell === '' || !VALUE.test(cell))
  return isHeader ? header : undefined
}

/** A number, a date, or a text too long for a heading. */
const VALUE = /^\P{L}*\d|\d{4}|.{60}/u

function filled(cells: string[]): number {
  return cells.reduce((count, cell) => (cell.trim() === '' ? count : count + 1), 0)
}

/** The width of a table, and which of its columns our errors.csv added. */
interface Shape {
  width: number
  own: readonly ErrorsCsvColumn[]
  delimiter: string | undefined
}

async function* rows(batches: AsyncGenerator<TableRecord[]>, above: number, shape: Shape) {
  let skip = above
  for await (const batch of batches) {
    yield toRows(skip > 0 ? batch.slice(skip) : batch, shape)
    skip -= Math.min(skip, batch.length)
  }
}

function toRows(events: TableRecord[], { width, own, delimiter = ' ' }: Shape): RawRow[] {
  const found: RawRow[] = []
  const isErrorsCsv = own.length > 0
  const unescaped = (cells: string[]) => (isErrorsCsv ? cells.map(unescapeFormula) : cells)
  const ownCell = (cells: string[], name: ErrorsCsvColumn) =>
    own.includes(name) ? (cells[own.indexOf(name)] ?? '') : ''
  for (const event of events) {
    if ('unclosed' in event) {
      const message = 'a quote (") opens here and is never closed: close it, or double it if it is part of the text'
      found.push({ line: event.line, cells: [], fault: { reason: 'quote_not_closed', message } })
      continue
    }
    const { line, byOuterQuotes } = event
    const isOther = byOuterQuotes?.length === width
    const written = isOther
      ? event.cells.length === width
        ? mergeQuoteReadings(event.cells, byOuterQuotes)
        : byOuterQuotes
      : event.cells
    if (!written) {
      const message =
        'has quotes within quotes, so it is unclear where its cells end: double ("") those that are part of a text'
      found.push({ line, cells: event.cells, fault: { reason: 'ragged', message } })
      continue
    }
    const cells = written.some((cell) => cell.startsWith('="')) ? written.map(unwrapTextFormula) : written
    const count = cells.length
    if (cells.every((cell) => cell.trim() === '')) continue
    const row: RawRow = isErrorsCsv
      ? { line, cells: unescaped(cells.slice(own.length, width)), readAs: ownCell(cells, 'read_as') }
      : { line, cells }
    const beyond = cells.slice(width)
    const leftOver = ownCell(cells, 'too_many')
    if (count < width) {
      const message = `has ${count} cells where the header has ${width}: a line break or a quote may have cut it short; if only empty cells are missing, import errors.csv as it is`
      found.push({ ...row, fault: { reason: 'ragged', message } })
    } else if (beyond.some((cell) => cell.trim() !== '')) {
      const message = `has ${count} cells where the header has ${width}: put quotes around the cell that contains the delimiter`
      const surplus = unescaped(beyond).join(delimiter)
      found.push({
        ...row,
        cells: row.cells.slice(0, width - own.length),
        fault: { reason: 'ragged', message, surplus },
      })
    } else if (leftOver.trim() !== '') {
      const message =
        'its column too_many has text that belonged to no column: move it where it belongs, and empty that cell'
      found.push({ ...row, fault: { reason: 'ragged', message, surplus: unescapeFormula(leftOver) } })
    } else {
      if (count > width) row.cells = row.cells.slice(0, width - own.length)
      if (!isErrorsCsv || filled(row.cells) > 0) found.push(row)
    }
  }
  return found
}
