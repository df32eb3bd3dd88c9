import { setImmediate as turn } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import { ImporterError } from '../../importer-error.ts'
import { type TableRecord, tableOfRecords } from '../record-table.ts'
import { checkRowCount, type Table } from '../table.ts'
import { BACKSLASH_NOTE, backslashRows, readBackslashRows } from './backslash-cells.ts'
import { doubleEscapedQuotes } from './backslash-quotes.ts'
import { cellsByOuterQuotes } from './bare-quotes.ts'
import { detectDelimiter, hasSpacesAfter, SAMPLE_BYTES } from './delimiter.ts'
import { closingQuote, type RowEnds, rowEnds, withSingleReturns } from './row-ends.ts'
import { unwrapRows, WRAPPED_NOTE } from './wrapped-rows.ts'

const LF = 0x0a
/** Takes a few milliseconds to parse. */
const SLICE_BYTES = 262_144
/**
 * The first is short: csv-parse makes an error of each row that is not as wide as the slice's first, and a file's first line may
 * be a title, or have blank lines below it. Later slices begin with a row like the others.
 */
const FIRST_SLICE_BYTES = 8_192
/** A quote not closed within this distance was never meant to open one: no row of reviews is a tenth as long. */
const MAX_RECORD_BYTES = 1_048_576

/**
 * Opens a CSV file.
 *
 * @param bytes UTF-8 without a byte order mark
 * @throws ImporterError `not_text`, and what {@link tableOfRecords} throws
 */
export async function readCsv(file: string, bytes: Buffer, encoding: string): Promise<Table> {
  const hint = /^sep=(.)\r?\n/i.exec(bytes.toString('latin1', 0, 16))
  const unwrapped = hint ? undefined : unwrapRows(withSingleReturns(bytes))
  if (unwrapped) {
    const table = await readCsv(file, unwrapped, encoding)
    return { ...table, notes: [...table.notes, WRAPPED_NOTE] }
  }
  const body = withSingleReturns(bytes.subarray(hint ? hint[0].length : 0))
  const sample = body.toString('utf8', 0, SAMPLE_BYTES)
  if (isDrawn(sample))
    throw new ImporterError(
      'not_text',
      `${file} is a table drawn with lines, as in Markdown and the output of database clients, so its texts are cut and padded. Export it from the same program as CSV or with tabs instead.`,
    )
  const delimiter = hint?.[1] ?? detectDelimiter(sample)
  const firstLine = hint ? 2 : 1
  const dialect = { delimiter, ltrim: hasSpacesAfter(delimiter, sample) }
  const kind = { fileType: 'csv', encoding, delimiter, firstLine } as const
  const written = body.includes('\\') ? backslashRows(file, body.toString('utf8'), delimiter, firstLine) : undefined
  if (written) {
    const table = await tableOfRecords(file, () => readBackslashRows(written), kind)
    return { ...table, notes: [...table.notes, BACKSLASH_NOTE] }
  }
  const standard = doubleEscapedQuotes(body, delimiter)
  const ends = rowEnds(standard, delimiter)
  const batches = () => records(file, standard, dialect, ends, firstLine)
  return tableOfRecords(file, batches, kind)
}

/** Whether one of the first lines is a drawn rule: `----+----`, `|---|---|`, `├────┼────┤`. */
function isDrawn(sample: string): boolean {
  const lines = sample.split(/\r?\n/, 5)
  return lines.some(
    (line) => /^[-─═ +|│:=┌┬┐╭╮├┼┤╞╪╡]{3,}$/.test(line) && /[-─═]{2}/.test(line) && /[+|│┬┼╪]/.test(line),
  )
}

/** With `ltrim`, cells and their opening quotes may be preceded by spaces. */
interface Dialect {
  delimiter: string
  ltrim: boolean
}

/**
 * All records with the line each begins on. The file is cut after line breaks and each slice parsed separately,
 * yielding to the event loop in between so that a server keeps responding. A slice that ends inside quotes is cut again
 * before its last record. Measured, this takes a fifth less time than csv-parse's stream, which checks at every byte
 * whether it needs more.
 */
async function* records(
  file: string,
  bytes: Buffer,
  dialect: Dialect,
  { lineBreak, ends }: RowEnds,
  firstLine: number,
): AsyncGenerator<TableRecord[]> {
  let count = 0
  let line = firstLine
  let wanted = FIRST_SLICE_BYTES
  for (let at = 0; at < bytes.length; ) {
    const end = afterRow(bytes, at + wanted, ends)
    const slice = parseSlice(bytes.subarray(at, end), dialect, ends)
    const batch: TableRecord[] = []
    const begin = line
    count += slice.records.length
    checkRowCount(file, count)
    let place = { line, at }
    for (const cells of slice.records) {
      const next = line + 1 + lineBreaksIn(cells, lineBreak)
      if (cells.some((cell) => cell.startsWith('"'))) {
        const from = afterLines(bytes, place.at, line - place.line, lineBreak)
        place = { line: next, at: afterLines(bytes, from, next - line, lineBreak) }
        const byOuterQuotes = cellsByOuterQuotes(bytes.toString('utf8', from, place.at), dialect.delimiter)
        batch.push(byOuterQuotes ? { line, cells, byOuterQuotes } : { line, cells })
      } else batch.push({ line, cells })
      line = next
    }
    wanted = SLICE_BYTES
    if (slice.whole) at = end
    else {
      at = afterLines(bytes, at, line - begin, lineBreak)
      const quote = closingQuote(bytes, end)
      // Growing at least twofold keeps a record of many quoted cells from being parsed once for each of them.
      if (quote !== -1 && quote - at <= MAX_RECORD_BYTES) wanted = Math.max(SLICE_BYTES, quote + 1 - at, 2 * (end - at))
      else {
        batch.push({ line, unclosed: true })
        at = afterLines(bytes, at, 1, lineBreak)
        line += 1
      }
    }
    await turn()
    if (batch.length > 0) yield batch
  }
}

function parseSlice(bytes: Buffer, dialect: Dialect, recordDelimiters: string[]) {
  let whole = true
  // csv-parse creates an error for each row whose width changes, even with relax_column_count; capturing its stack took
  // four fifths of the time of a file of line breaks.
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    const records = parse(bytes, {
      ...dialect,
      record_delimiter: recordDelimiters,
      relax_quotes: true,
      relax_column_count: true,
      // With these options the only remaining error is a quote still open at the end.
      skip_records_with_error: true,
      on_skip: () => {
        whole = false
      },
    })
    return { records, whole }
  } finally {
    Error.stackTraceLimit = limit
  }
}

/** The offset after the next unquoted row end; the length of the file when there is none. */
function afterRow(bytes: Buffer, from: number, ends: readonly string[]): number {
  // Every other row end also ends with the last one.
  const end = ends.at(-1) ?? '\n'
  const at = bytes.indexOf(end, from)
  return at === -1 ? bytes.length : at + end.length
}

/** The offset after `lines` line breaks; the length of the file when there are fewer. */
function afterLines(bytes: Buffer, from: number, lines: number, lineBreak: number): number {
  let offset = from
  for (let count = 0; count < lines; count++) {
    const at = bytes.indexOf(lineBreak, offset)
    if (at === -1) return bytes.length
    offset = at + 1
  }
  return offset
}

function lineBreaksIn(cells: readonly string[], lineBreak: number): number {
  const character = lineBreak === LF ? '\n' : '\r'
  let count = 0
  for (const cell of cells) {
    for (let at = cell.indexOf(character); at !== -1; at = cell.indexOf(character, at + 1)) count++
  }
  return count
}
