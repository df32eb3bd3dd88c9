import { setImmediate as turn } from 'node:timers/promises'
import type { TableRecord } from './record-table.ts'
import { checkRowCount } from './table.ts'

/** What this way of writing a table may be told of it. */
export const BACKSLASH_NOTE =
  'backslashes are read as databases write them: \\n is a line break, \\\\ a backslash, \\N nothing'

const MAX_COLUMNS = 1_000
const BATCH_ROWS = 1_000
/** Of rows with a cell in quotes: more, and quotes mean something in the file. */
const MOST_QUOTED = 0.2
const QUOTING = new Set([',', ';'])
const SIGNS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', 0: '', b: '', f: '', v: '', Z: '' }
const KNOWN = /^[nrt0bfvZ\\"'\r\n]$/

/** A row with its cells as they are written. */
interface WrittenRow {
  line: number
  cells: string[]
}

/**
 * The rows of a table as databases and their tools write them: quotes mean nothing, and what would end a cell or row is
 * behind a backslash (COPY of PostgreSQL; --batch, OUTFILE and --tab of MySQL; @tsv of jq). Undefined for any other: every backslash
 * has to be one of theirs, and all rows as wide as the first.
 *
 * @throws ImporterError `too_many_rows`
 */
export function backslashRows(
  file: string,
  text: string,
  delimiter: string,
  firstLine: number,
): WrittenRow[] | undefined {
  if (delimiter === '\\' || !evidence(delimiter).test(text)) return undefined
  const rows: WrittenRow[] = []
  let row: WrittenRow = { line: firstLine, cells: [] }
  let [start, line, quoted, isQuoted] = [0, firstLine, 0, false]
  for (let at = 0; at <= text.length; at++) {
    const sign = text[at]
    if (sign === '\\') {
      at++
      const next = text[at] ?? ''
      // Nothing is a cell by itself.
      const isKnown = next === 'N' ? at - 1 === start : next === delimiter || KNOWN.test(next)
      if (!isKnown) return undefined
      if (next === '\n') line++
    } else if (sign === undefined || sign === delimiter || sign === '\n') {
      const cell = text.slice(start, sign !== delimiter && text[at - 1] === '\r' ? Math.max(start, at - 1) : at)
      if (cell.length > 2 && cell.startsWith('"') && cell.endsWith('"')) {
        if (cell.slice(1, -1).includes('""')) return undefined
        isQuoted = true
      }
      if (row.cells.push(cell) > MAX_COLUMNS) return undefined
      start = at + 1
      if (sign === delimiter) continue
      line++
      if (row.cells.length > 1 || cell !== '') {
        if (row.cells.length !== (rows[0] ?? row).cells.length) return undefined
        if (isQuoted) quoted++
        checkRowCount(file, rows.push(row))
      }
      row = { line, cells: [] }
      isQuoted = false
    }
  }
  const isTable = rows.length > 1 && (rows[0]?.cells.length ?? 0) > 1
  return isTable && quoted <= rows.length * MOST_QUOTED ? rows : undefined
}

/**
 * What nobody types: a line break or tab behind no letter, or before no small one (as in "day\night"), a doubled backslash, `\N`
 * alone. Where cells are usually quoted only a delimiter behind a backslash is any.
 */
function evidence(delimiter: string): RegExp {
  if (QUOTING.has(delimiter)) return new RegExp(`\\\\${delimiter}`)
  // A line `sep=` may name any sign, also one that means something in a class.
  const end = `\\u{${delimiter.codePointAt(0)?.toString(16)}}`
  return new RegExp(
    `(?<!\\p{L})\\\\[nrt]|\\\\[nr](?!\\p{Ll})|\\\\[\\\\\n${end}]|(?:^|[\n${end}])\\\\N(?=[\r\n${end}]|$)`,
    'u',
  )
}

/** The rows with their cells as they were before they were written. */
export async function* readBackslashRows(rows: readonly WrittenRow[]): AsyncGenerator<TableRecord[]> {
  for (let start = 0; start < rows.length; start += BATCH_ROWS) {
    yield rows.slice(start, start + BATCH_ROWS).map(({ line, cells }) => ({ line, cells: cells.map(readCell) }))
    await turn()
  }
}

function readCell(cell: string): string {
  if (cell === '\\N') return ''
  return cell.includes('\\') ? cell.replace(/\\([\s\S])/g, (_, sign: string) => SIGNS[sign] ?? sign) : cell
}
