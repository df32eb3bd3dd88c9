import { setImmediate as turn } from 'node:timers/promises'
import { Columns, flatten, isObject } from './flatten.ts'
import { ImporterError } from './importer-error.ts'
import { jsonFault } from './json-fault.ts'
import { shown } from './skip.ts'
import type { RawRow, Table, TableFormat } from './table.ts'

const ROWS_PER_TURN = 500
const LIST_DEPTH = 3

/** A value to become a row, and where it stands. */
interface Item {
  line: number
  value: unknown
}
interface Found {
  format: TableFormat
  items: Item[]
  badLines: RawRow[]
}

/**
 * Opens JSON: an array of objects, an object with one array of objects below a key, GeoJSON features, or JSON lines.
 *
 * @param bytes UTF-8 without a byte order mark
 * @throws ImporterError `bad_json` or `no_rows`
 */
export async function readJson(file: string, bytes: Buffer, encoding: string): Promise<Table> {
  const { format, items, badLines } = findItems(file, bytes.toString('utf8'))
  const columns = new Columns()
  const batches: RawRow[][] = badLines.length > 0 ? [badLines] : []
  for (let start = 0; start < items.length; start += ROWS_PER_TURN) {
    batches.push(items.slice(start, start + ROWS_PER_TURN).map((item) => toRow(item, columns)))
    await turn()
  }
  for (const batch of batches) for (const row of batch) dropUnsafe(row, columns)
  return {
    file,
    format,
    headers: columns.headers,
    rows: inTurns(batches),
    encoding,
    mended: false,
    notes: notesOf(columns),
  }
}

async function* inTurns(batches: RawRow[][]) {
  for (const batch of batches) {
    yield batch
    await turn()
  }
}

function toRow({ line, value }: Item, columns: Columns): RawRow {
  if (isObject(value)) return { line, cells: flatten(value, columns) }
  const message = `is ${shown(String(JSON.stringify(value)))} where an object with a review's fields is expected`
  return { line, cells: [], fault: { reason: 'not_an_object', message } }
}

/** A column with one id that lost its digits is of no use in the other rows either: ids must be of one kind. */
function dropUnsafe(row: RawRow, columns: Columns): void {
  for (const header of columns.unsafe) {
    const index = columns.at(header)
    if (index !== undefined && index < row.cells.length) row.cells[index] = ''
  }
}

function notesOf(columns: Columns): string[] {
  const notes = [...columns.unsafe].map(
    (header) => `column "${header}" holds whole numbers beyond 2^53, which JSON readers round: it is not used`,
  )
  if (columns.overflow) notes.push('the objects have more than 1,000 different keys; the later ones are left out')
  return notes
}

function findItems(file: string, text: string): Found {
  const whole = parse(text)
  if (whole.ok) return { ...itemsOf(file, whole.value), badLines: [] }
  const lines = jsonLines(text)
  if (lines) return lines
  const { line, column } = jsonFault(text)
  throw new ImporterError('bad_json', `${file} is not valid JSON from line ${line}, column ${column}: ${whole.message}`)
}

type Parsed = { ok: true; value: unknown } | { ok: false; message: string }

function parse(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}

/** JSON lines when at least one line is an object by itself; the lines that are not JSON are bad rows. */
function jsonLines(text: string): Found | undefined {
  const items: Item[] = []
  const badLines: RawRow[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const parsed = parse(line)
    if (parsed.ok) items.push({ line: index + 1, value: parsed.value })
    else
      badLines.push({
        line: index + 1,
        cells: [],
        fault: { reason: 'bad_json', message: `is not JSON: ${shown(line)}` },
      })
  }
  const objects = items.filter((item) => isObject(item.value)).length
  // A pretty-printed document with a mistake has some lines that are JSON by themselves, such as "{}": not JSON lines.
  return objects > 0 && objects >= badLines.length ? { format: 'jsonl', items, badLines } : undefined
}

function itemsOf(file: string, root: unknown): { format: TableFormat; items: Item[] } {
  const list = listOf(file, root)
  const geo = isObject(root) && root.type === 'FeatureCollection'
  return {
    format: geo ? 'geojson' : 'json',
    items: list.map((value, index) => ({
      line: index + 1,
      value: geo && isObject(value) && isObject(value.properties) ? value.properties : value,
    })),
  }
}

function listOf(file: string, root: unknown): unknown[] {
  if (Array.isArray(root)) return root
  if (!isObject(root)) throw new ImporterError('no_rows', `${file} holds a single JSON value, not a list of reviews.`)
  let level: Record<string, unknown>[] = [root]
  for (let depth = 0; depth < LIST_DEPTH && level.length > 0; depth++) {
    const lists = level.flatMap((object) => Object.entries(object)).filter(([, value]) => isListOfObjects(value))
    const chosen = lists.length > 1 ? lists.filter(([key]) => key === 'reviews') : lists
    const [list] = chosen
    if (list && chosen.length === 1) return list[1] as unknown[]
    if (lists.length > 1) {
      const keys = lists.map(([key]) => key)
      throw new ImporterError(
        'no_rows',
        `${file} has several lists (${keys.join(', ')}) and none is called "reviews". Keep only the list of reviews.`,
        keys,
      )
    }
    level = level.flatMap((object) => Object.values(object)).filter(isObject)
  }
  // An empty list is an export without reviews; an object without any list is a file of one review.
  const empty = Object.values(root).find((value) => Array.isArray(value))
  return Array.isArray(empty) && empty.length === 0 ? [] : [root]
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.some(isObject)
}
