import { parseJsonText } from '../../../contract/json-text.ts'
import { uniqueHeaders } from '../headers.ts'
import type { RawRow, Table } from '../table.ts'
import { flatten, JsonColumns } from './flatten.ts'
import { notesOf, tableOfItems } from './json.ts'
import { countJsonNames } from './json-fault.ts'
import { listsWithin } from './json-lists.ts'
import { isObject } from './json-values.ts'

/** Rows from which the columns are chosen. */
const SAMPLE = 200

/**
 * Expands cells that hold JSON, as programs write that flatten nested data: an object becomes columns of its parts
 * (`user` becomes `user.name`, `user.id`), and where a column named after reviews holds a list of them in each row, as
 * in exports of places, those reviews become the rows.
 */
export async function withJsonCells(table: Table): Promise<Table> {
  const columns = await jsonColumns(table)
  if (columns.size === 0) return table
  const parts = new JsonColumns()
  const found: object[] = []
  const faults: RawRow[] = []
  for await (const batch of table.rows)
    for (const row of batch) {
      const cells = partsOf(row, columns, table.headers)
      parts.addFrom(cells)
      if (row.fault) faults.push({ ...row, cells: [] })
      else found.push(cells)
    }
  const notes = [...table.notes]
  const reviews = listsWithin(found, notes)
  if (reviews) {
    const note = `each row contains a list of reviews, which was read instead (reviews: ${reviews.length}, rows: ${found.length})`
    return tableOfItems({ ...table, fileType: 'json', notes: [...notes, note] }, reviews, faults)
  }
  const plain = [...table.headers.keys()].filter((column) => !columns.has(column))
  const inColumns = (row: RawRow): RawRow => {
    const flat = flatten(partsOf(row, columns, table.headers), parts)
    return { ...row, cells: [...plain.map((column) => row.cells[column] ?? ''), ...flat] }
  }
  async function* rows() {
    for await (const batch of table.rows) yield batch.map(inColumns)
  }
  return {
    ...table,
    headers: uniqueHeaders([...plain.map((column) => table.headers[column] ?? ''), ...parts.headers]),
    rows: { [Symbol.asyncIterator]: rows },
    formatted: parts.formatted,
    notes: [...table.notes, ...notesOf(parts)],
  }
}

/** Columns in which at least half of the non-empty cells are objects or lists of objects, and which of the two. */
async function jsonColumns({ headers, rows }: Table): Promise<Map<number, 'objects' | 'lists'>> {
  const sample: RawRow[] = []
  for await (const batch of rows) {
    sample.push(...batch.filter(({ fault }) => !fault).slice(0, SAMPLE - sample.length))
    if (sample.length >= SAMPLE) break
  }
  const columns = new Map<number, 'objects' | 'lists'>()
  for (const column of headers.keys()) {
    const filled = sample.map(({ cells }) => cells[column]?.trim() ?? '').filter((cell) => !EMPTY.test(cell))
    const json = filled.map(jsonIn).filter((value) => value !== undefined)
    // In our own export, a list in metadata is literal text.
    if (json.length > 0 && json.length * 2 >= filled.length && !headers[column]?.startsWith('metadata.'))
      columns.set(column, json.some(Array.isArray) ? 'lists' : 'objects')
  }
  return columns
}

const EMPTY = /^(?:|\[\]|\{\}|null|none|nan)$/i

function partsOf({ cells }: RawRow, columns: Awaited<ReturnType<typeof jsonColumns>>, headers: readonly string[]) {
  const parts = [...columns].flatMap(([column, kind]): [string, unknown][] => {
    const cell = cells[column]?.trim() ?? ''
    const header = headers[column] ?? ''
    if (EMPTY.test(cell)) return kind === 'lists' ? [[header, []]] : []
    return [[header, jsonIn(cell) ?? cell]]
  })
  // Object.fromEntries creates own properties even for "__proto__".
  return Object.fromEntries(parts)
}

/** The object, or list with objects, in a cell, written as JSON or as Python does. */
function jsonIn(cell: string): object | undefined {
  if (!/^(?:\{.*\}|\[.*\])$/s.test(cell) || countJsonNames(cell) === undefined) return undefined
  for (const write of [(text: string) => text, fromPython]) {
    try {
      const value = parseJsonText(write(cell))
      if (isObject(value) || (Array.isArray(value) && value.some(isObject))) return value
    } catch {
      // Try the next notation.
    }
  }
  return undefined
}

/** Escapes come first, so that one outside quotes is not tried as the start of many strings. */
const PYTHON = /\\.|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|\b(?:None|True|False)\b/gs
const WORDS: Record<string, string> = { None: 'null', True: 'true', False: 'false' }

/** Converts Python's `str` of lists and objects, which pandas writes into CSV files, to JSON. */
function fromPython(text: string): string {
  return text.replace(PYTHON, (all, single?: string, double?: string) => {
    const inner = single ?? double
    if (inner === undefined) return WORDS[all] ?? all
    const escaped = inner.replace(/\\x(..)|\\'|\\?"/gs, (mark, hex?: string) => {
      if (hex !== undefined) return `\\u00${hex}`
      return mark === "\\'" ? "'" : '\\"'
    })
    return `"${escaped}"`
  })
}
