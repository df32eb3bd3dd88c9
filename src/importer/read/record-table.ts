import { ImporterError } from '../importer-error.ts'
import { unescapeFormula } from './cell-escape.ts'
import { checkHeaders, uniqueHeaders } from './headers.ts'
import type { RawRow, Table } from './table.ts'

const MAX_COLUMNS = 1_000
const HEADER_SEARCH_ROWS = 10

/** A row of a file as it was read, its cells without a meaning yet; or where a quote opens that is never closed. */
export type TableRecord = { line: number; cells: string[] } | { line: number; unclosed: true }

/**
 * Makes a table of records. The first with two filled cells or more is the header, so that a title above it does no harm.
 *
 * @param batches begins anew with each call
 * @throws ImporterError `no_rows` when there is no header, `too_many_columns`, `header_too_long`
 */
export async function tableOfRecords(
  file: string,
  batches: () => AsyncGenerator<TableRecord[]>,
  { firstLine, ...kind }: Pick<Table, 'fileType' | 'encoding' | 'delimiter'> & { firstLine: number },
): Promise<Table> {
  const { header, position } = await findHeader(batches())
  if (!header) throw new ImporterError('no_rows', `${file} has no header row.`)
  if (header.cells.length > MAX_COLUMNS)
    throw new ImporterError(
      'too_many_columns',
      `${file} has ${header.cells.length} columns by its first row: it is no table of reviews, or its line breaks were lost.`,
    )
  checkHeaders(file, header.cells)
  const own = ownColumns(header.cells)
  const headers = uniqueHeaders(own > 0 ? header.cells.slice(own).map(unescapeFormula) : header.cells)
  const notes = header.line > firstLine ? [`the header was found on line ${header.line}`] : []
  const width = headers.length + own
  return {
    file,
    ...kind,
    headers,
    notes,
    isPart: own > 0,
    rows: { [Symbol.asyncIterator]: () => rows(batches(), position + 1, { width, own, delimiter: kind.delimiter }) },
  }
}

/** How many leading columns are those that our errors.csv puts before the file's own. */
function ownColumns(cells: string[]): number {
  if (cells[0] !== 'line' || cells[1] !== 'reason') return 0
  return cells[2] === 'in_file' ? 3 : 2
}

/** The header, and how many records stand before it. */
async function findHeader(batches: AsyncGenerator<TableRecord[]>) {
  let seen: TableRecord[] = []
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

/** How wide a table is, and how many of its columns are those of our errors.csv. */
interface Shape {
  width: number
  own: number
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
        const surplus = cells.slice(width - 1)
        // Of two numbers a comma would make a third: 4 and 5 are no 4,5.
        const between = surplus.every((cell) => /^[\s\d.]*$/.test(cell)) ? ' ' : delimiter
        if (count > width) kept[kept.length - 1] = surplus.join(between)
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
