import { setImmediate as turn } from 'node:timers/promises'
import type { TableRecord } from '../record-table.ts'
import { checkRowCount } from '../table.ts'

/** Shown to the user when a table is read this way. */
export const BACKSLASH_NOTE =
  'backslashes are read as databases write them: \\n is a line break, \\\\ a backslash, \\N nothing'

const MAX_COLUMNS = 1_000
const BATCH_ROWS = 1_000
/** Maximum share of rows with a quoted cell; above it, quotes are syntax in this file. */
const MOST_QUOTED = 0.2
const QUOTING = new Set([',', ';'])
const SIGNS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', 0: '', b: '', f: '', v: '', Z: '' }
const KNOWN = /^[nrt0bfvZ\\"'\r\n]$/

/** A row with its cells still escaped. */
interface WrittenRow {
  line: number
  cells: string[]
}

/**
 * Splits a table as databases and their tools write it: quotes have no meaning, and delimiters and line breaks inside
 * cells are escaped with a backslash (PostgreSQL's COPY; MySQL's --batch, OUTFILE and --tab; jq's @tsv). Undefined for
 * any other text: every backslash must start a known escape, and all rows must be as wide as the first.
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
      // `\N` (null) must be the whole cell.
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
 * Matches escapes that nobody types: `\n`, `\r` or `\t` not after a letter; `\n` or `\r` not before a lower-case letter
 * (unlike "day\night"); an escaped backslash, line break or delimiter; `\N` as a whole cell. With delimiters whose
 * files usually quote cells, only an escaped delimiter is evidence.
 */
function evidence(delimiter: string): RegExp {
  if (QUOTING.has(delimiter)) return new RegExp(`\\\\${delimiter}`)
  // As a code point, because a `sep=` line may name a character that is special in a character class.
  const end = `\\u{${delimiter.codePointAt(0)?.toString(16)}}`
  return new RegExp(
    `(?<!\\p{L})\\\\[nrt]|\\\\[nr](?!\\p{Ll})|\\\\[\\\\\n${end}]|(?:^|[\n${end}])\\\\N(?=[\r\n${end}]|$)`,
    'u',
  )
}

/** The rows with their cells unescaped, in batches. */
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
