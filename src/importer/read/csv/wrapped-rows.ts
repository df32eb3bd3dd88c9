import { parse } from 'csv-parse/sync'
import { isObject } from '../json/json-values.ts'

const OUTER = [';', ',', '\t']
const INNER = [',', ';', '\t', '|']
/** Fewer columns may be a sentence with a comma in it. */
const LEAST_COLUMNS = 3
const MOST_SAMPLED = 50
/** It is parsed with each delimiter. */
const SAMPLE_BYTES = 12_288
/** Rows that a line break in a text has cut are not whole. */
const WHOLE_SHARE = 0.8

export const WRAPPED_NOTE =
  'each row stood in its first column, as after saving it in a spreadsheet that did not split it: read by what is in it'

/**
 * Unpacks a CSV whose rows a program took for single cells and saved again: `"2026-01-05,Ann,""Warm, soft""";;`. Without this
 * the quotes and delimiters around the rows would be read as parts of the texts.
 *
 * @param bytes UTF-8 without a byte order mark
 * @returns undefined for any other file
 */
export function unwrapRows(bytes: Buffer): Buffer | undefined {
  const sample = bytes.toString('utf8', 0, SAMPLE_BYTES)
  const outer = mayBeWrapped(sample) ? OUTER.find((delimiter) => isWrapped(sample, delimiter)) : undefined
  if (outer === undefined) return undefined
  const rows = cellsOf(bytes.toString('utf8'), outer).map(({ record }) => rejoined(record, outer))
  return Buffer.from(`${rows.join('\n')}\n`)
}

/** Tells most files that they are not, without parsing them. */
function mayBeWrapped(sample: string): boolean {
  const [header = '', ...lines] = sample.split(/[\r\n]+/, MOST_SAMPLED)
  return /^"|[;,\t]$/.test(header) || lines.some((line) => line.startsWith('"') && line.includes('""'))
}

function isWrapped(sample: string, outer: string): boolean {
  const [header, ...rows] = cellsOf(sample, outer, MOST_SAMPLED)
  const [first = '', ...others] = header?.record ?? []
  if (!header || others.some((cell) => cell !== '') || rows.length === 0) return false
  const inner = INNER.find((delimiter) => first.split(delimiter).length >= LEAST_COLUMNS)
  if (inner === undefined) return false
  const isQuoted = ({ raw, record }: Cells) => raw.startsWith('"') && !record[0]?.startsWith('"')
  if (inner === outer && !isQuoted(header)) return false
  const columns = first.split(inner).length
  const whole = rows.filter(({ record: [cell = ''] }) => cell.split(inner).length >= columns)
  return (others.length > 0 || whole.some(isQuoted)) && whole.length >= rows.length * WHOLE_SHARE
}

/** The row as it was before: what the delimiter separated inside a text belongs together again. */
function rejoined(cells: readonly string[], outer: string): string {
  const last = cells.findLastIndex((cell) => cell !== '')
  return cells.slice(0, last + 1).join(outer)
}

interface Cells {
  record: string[]
  raw: string
}

function cellsOf(text: string, delimiter: string, to?: number): Cells[] {
  // csv-parse creates an error for each row of another width: its stack would take most of the time.
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    const found: unknown[] = parse(text, {
      delimiter,
      raw: true,
      relax_quotes: true,
      relax_column_count: true,
      skip_records_with_error: true,
      ...(to !== undefined && { to }),
    })
    return found.filter(isCells)
  } finally {
    Error.stackTraceLimit = limit
  }
}

/** What csv-parse gives with `raw`, which its types do not say. */
function isCells(found: unknown): found is Cells {
  return isObject(found) && typeof found.raw === 'string' && Array.isArray(found.record)
}
