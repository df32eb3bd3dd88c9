import { setImmediate as turn } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import { ImporterError } from '../importer-error.ts'
import { unescapeFormula } from './cell-escape.ts'
import { detectDelimiter, SAMPLE_BYTES } from './delimiter.ts'
import { checkHeaders, uniqueHeaders } from './headers.ts'
import { checkRowCount, type RawRow, type Table } from './table.ts'

const [LF, CR, QUOTE] = [0x0a, 0x0d, 0x22]
/** Some milliseconds of parsing. */
const SLICE_BYTES = 262_144
const MAX_COLUMNS = 1_000
const HEADER_SEARCH_ROWS = 10
/** A quote that is closed behind more than this was never meant to be: no row of reviews is a tenth as long. */
const MAX_RECORD_BYTES = 1_048_576

type CsvEvent = { line: number; cells: string[] } | { line: number; unclosed: true }

/**
 * Opens CSV text. The first row with two filled cells or more is the header, so that a title above it does no harm.
 *
 * @param bytes UTF-8 without a byte order mark
 * @throws ImporterError `no_rows` when there is no header
 */
export async function readCsv(file: string, bytes: Buffer, encoding: string): Promise<Table> {
  const hint = /^sep=(.)\r?\n/i.exec(bytes.toString('latin1', 0, 16))
  const start = hint ? hint[0].length : 0
  const body = bytes.subarray(start)
  const delimiter = hint?.[1] ?? detectDelimiter(body.toString('utf8', 0, SAMPLE_BYTES))
  const events = () => records(file, body, delimiter, hint ? 2 : 1)
  const { header, position } = await findHeader(events())
  if (!header) throw new ImporterError('no_rows', `${file} has no header row.`)
  if (header.cells.length > MAX_COLUMNS)
    throw new ImporterError(
      'too_many_columns',
      `${file} has ${header.cells.length} columns by its first row: it is no table of reviews, or its line breaks were lost.`,
    )
  checkHeaders(file, header.cells)
  const own = ownColumns(header.cells)
  const headers = uniqueHeaders(own > 0 ? header.cells.slice(own).map(unescapeFormula) : header.cells)
  const notes = header.line > (hint ? 2 : 1) ? [`the header was found on line ${header.line}`] : []
  return {
    file,
    fileType: 'csv',
    headers,
    rows: { [Symbol.asyncIterator]: () => rows(events(), position + 1, headers.length + own, own) },
    encoding,
    delimiter,
    notes,
  }
}

/** How many leading columns are those that our errors.csv puts before the file's own. */
function ownColumns(cells: string[]): number {
  if (cells[0] !== 'line' || cells[1] !== 'reason') return 0
  return cells[2] === 'in_file' ? 3 : 2
}

/** The header, and how many records stand before it. */
async function findHeader(batches: AsyncGenerator<CsvEvent[]>) {
  let seen: CsvEvent[] = []
  for await (const batch of batches) {
    seen = seen.concat(batch)
    if (seen.length >= HEADER_SEARCH_ROWS) break
  }
  const whole = seen.filter((event) => 'cells' in event)
  const candidates = whole.slice(0, HEADER_SEARCH_ROWS)
  const header = candidates.find((record) => filled(record.cells) >= 2) ?? candidates.find((r) => filled(r.cells) >= 1)
  return { header, position: header ? seen.indexOf(header) : 0 }
}

function filled(cells: string[]): number {
  return cells.reduce((count, cell) => (cell.trim() === '' ? count : count + 1), 0)
}

async function* rows(batches: AsyncGenerator<CsvEvent[]>, above: number, width: number, own: number) {
  let skip = above
  for await (const batch of batches) {
    yield toRows(skip > 0 ? batch.slice(skip) : batch, width, own)
    skip -= Math.min(skip, batch.length)
  }
}

function toRows(events: CsvEvent[], width: number, own: number): RawRow[] {
  const found: RawRow[] = []
  for (const event of events) {
    if ('unclosed' in event) {
      const message = 'a quote (") opens here and is never closed: close it, or double it where it belongs to the text'
      found.push({ line: event.line, cells: [], fault: { reason: 'quote_not_closed', message } })
      continue
    }
    const { line, cells } = event
    const count = cells.length
    if (count === 1 && cells[0] === '') continue
    if (count !== width) {
      if (filled(cells) === 0) continue
      if (count < width || cells.slice(width).some((cell) => cell.trim() !== '')) {
        const message =
          count < width
            ? `has ${count} cells where the header has ${width}: a line break or a quote may have cut it; if the missing cells are only empty, import errors.csv as it is`
            : `has ${count} cells where the header has ${width}: quote the cell that holds the delimiter`
        // The surplus is joined to the last cell, so that errors.csv keeps everything under its own header.
        const kept = cells.slice(own, width)
        if (count > width) kept[kept.length - 1] = cells.slice(width - 1).join(' ')
        found.push({ line, cells: own > 0 ? kept.map(unescapeFormula) : kept, fault: { reason: 'ragged', message } })
        continue
      }
      event.cells = cells.slice(0, width)
    }
    if (own > 0) {
      event.cells = event.cells.slice(own).map(unescapeFormula)
      if (filled(event.cells) === 0) continue
    }
    found.push(event)
  }
  return found
}

/**
 * All records with the line each begins on. The file is cut behind line breaks and each slice is parsed by itself, with a
 * turn of the event loop between them, so that a server keeps answering. A slice that ends inside quotes is cut again
 * before its last record. Measured, this takes a fifth less time than csv-parse's stream, which asks at every byte
 * whether it needs more of them.
 */
async function* records(file: string, bytes: Buffer, delimiter: string, firstLine: number): AsyncGenerator<CsvEvent[]> {
  let count = 0
  const lineBreak = bytes.includes(LF) ? LF : CR
  const recordDelimiters = lineBreak === CR ? ['\r'] : bytes.includes('\r\n') ? ['\r\n', '\n'] : ['\n']
  let line = firstLine
  let wanted = SLICE_BYTES
  for (let at = 0; at < bytes.length; ) {
    const end = behindLines(bytes, at + wanted, 1, lineBreak)
    const slice = parseSlice(bytes.subarray(at, end), delimiter, recordDelimiters)
    const batch: CsvEvent[] = []
    const begin = line
    count += slice.records.length
    checkRowCount(file, count)
    for (const cells of slice.records) {
      batch.push({ line, cells })
      line += 1 + lineBreaksIn(cells, lineBreak)
    }
    wanted = SLICE_BYTES
    if (slice.whole) at = end
    else {
      at = behindLines(bytes, at, line - begin, lineBreak)
      const quote = closingQuote(bytes, end)
      // At least twice as far, so that a record of many quoted cells is not parsed once for each of them.
      if (quote !== -1 && quote - at <= MAX_RECORD_BYTES) wanted = Math.max(SLICE_BYTES, quote + 1 - at, 2 * (end - at))
      else {
        batch.push({ line, unclosed: true })
        at = behindLines(bytes, at, 1, lineBreak)
        line += 1
      }
    }
    await turn()
    if (batch.length > 0) yield batch
  }
}

function parseSlice(bytes: Buffer, delimiter: string, recordDelimiters: string[]) {
  let whole = true
  // csv-parse makes an error for each row of another width than the last, also when it is told that these are welcome;
  // its stack took four fifths of the time of a file of line breaks.
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    const records = parse(bytes, {
      delimiter,
      record_delimiter: recordDelimiters,
      relax_quotes: true,
      relax_column_count: true,
      // The only error left with these options is a quote that is open at the end.
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

/** Where a quote that is open at `from` is closed: the first that is not doubled. */
function closingQuote(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(QUOTE, from)
  while (at !== -1 && bytes[at + 1] === QUOTE) at = bytes.indexOf(QUOTE, at + 2)
  return at
}

/** The offset behind so many line breaks; the end when there are fewer. */
function behindLines(bytes: Buffer, from: number, lines: number, lineBreak: number): number {
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
