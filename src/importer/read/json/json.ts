import { setImmediate as turn } from 'node:timers/promises'
import { findRepeatedName } from '../../../contract/json-names.ts'
import { parseJsonText } from '../../../contract/json-text.ts'
import { ImporterError } from '../../importer-error.ts'
import { quoted } from '../../quoted.ts'
import { checkHeaders } from '../headers.ts'
import { checkRowCount, type FileType, type RawRow, type Table } from '../table.ts'
import { flatten, JsonColumns } from './flatten.ts'
import { countJsonNames, locateJsonError, withoutNaN } from './json-fault.ts'
import { findRecords } from './json-lists.ts'
import { textsInSequence } from './json-sequence.ts'
import { checkSingleValues, isObject } from './json-values.ts'

const ROWS_PER_TURN = 500
/** A file with this many more invalid lines than valid ones is not JSON lines. */
const BAD_LINES = 10_000

/** A value that becomes a row, and its line or position. */
interface Item {
  line: number
  value: unknown
}
interface Found {
  fileType: FileType
  items: Item[]
  badLines: RawRow[]
  notes: string[]
}

/**
 * Opens JSON: an array of objects, an object that contains one, GeoJSON features, JSON lines, or concatenated objects.
 *
 * @param bytes UTF-8 without a byte order mark
 * @throws ImporterError `bad_json` or `no_rows`
 */
export async function readJson(file: string, bytes: Buffer, encoding: string): Promise<Table> {
  const { fileType, items, badLines, notes } = findItems(file, bytes.toString('utf8'))
  return tableOf({ file, fileType, encoding, notes }, items, badLines)
}

/**
 * The table of a list that was found in another document, or in the cells of another table.
 *
 * @throws ImporterError `no_rows`, `too_many_rows`
 */
export function tableOfItems(
  within: Pick<Table, 'file' | 'fileType' | 'encoding' | 'notes'>,
  values: readonly unknown[],
  badRows: readonly RawRow[] = [],
): Promise<Table> {
  const items = values.map((value, index) => ({ line: index + 1, value }))
  return tableOf(within, items, badRows)
}

async function tableOf(
  { file, fileType, encoding, notes }: Pick<Table, 'file' | 'fileType' | 'encoding' | 'notes'>,
  items: readonly Item[],
  badLines: readonly RawRow[],
): Promise<Table> {
  checkRowCount(file, items.length)
  const [first] = items
  if (first && !items.some(({ value }) => isObject(value)))
    throw new ImporterError(
      'no_rows',
      `${file} is a list of ${kindOf(first.value)}, not of objects with a review's fields.`,
    )
  const columns = new JsonColumns()
  for (let start = 0; start < items.length; start += ROWS_PER_TURN) {
    for (const { value } of items.slice(start, start + ROWS_PER_TURN)) if (isObject(value)) columns.addFrom(value)
    await turn()
  }
  checkHeaders(file, columns.headers)
  if (first && columns.headers.length === 0)
    throw new ImporterError('no_rows', `${file} contains only an empty object: there is nothing to import.`)
  return {
    file,
    fileType,
    headers: columns.headers,
    rows: { [Symbol.asyncIterator]: () => inTurns(items, badLines, columns) },
    encoding,
    joined: columns.joined,
    formatted: columns.formatted,
    notes: [...notes, ...notesOf(columns)],
  }
}

/** What a list is of, for people. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'lists'
  return value === null
    ? 'null values'
    : ({ string: 'texts', number: 'numbers' }[typeof value as string] ?? 'single values')
}

async function* inTurns(items: readonly Item[], badLines: readonly RawRow[], columns: JsonColumns) {
  if (badLines.length > 0) yield [...badLines]
  for (let start = 0; start < items.length; start += ROWS_PER_TURN) {
    yield items.slice(start, start + ROWS_PER_TURN).map((item) => toRow(item, columns))
    await turn()
  }
}

function toRow({ line, value }: Item, columns: JsonColumns): RawRow {
  if (isObject(value)) return { line, cells: flatten(value, columns) }
  const what = typeof value === 'object' && value !== null ? 'a list' : quoted(String(JSON.stringify(value)))
  const message = `is ${what} where an object with a review's fields is expected`
  return { line, cells: [], fault: { reason: 'not_an_object', message } }
}

/** Notes on columns that are left out. */
export function notesOf(columns: JsonColumns): string[] {
  const notes = [...columns.unsafe].map(
    (header) => `column "${header}" has whole numbers above 2^53, which JSON readers round: it is not used`,
  )
  if (columns.overflow) notes.push('the objects have more than 1,000 different keys; the later ones are left out')
  return notes
}

function findItems(file: string, text: string): Found {
  const whole = parse(text)
  if (whole.ok) {
    const repeated = repeatedName(file, text, whole.value)
    return { ...itemsOf(file, whole.value, repeated === undefined ? [] : [isRepeated(repeated)]), badLines: [] }
  }
  if (/NaN|Infinity/.test(text)) {
    const numbered = withoutNaN(text)
    if (numbered !== text) return findItems(file, numbered)
  }
  const lines = jsonLines(file, text)
  if (lines && lines.badLines.length === 0) return lines
  const inSequence = sequence(file, text)
  if (inSequence) return inSequence
  const once = text.includes('\\\\"') ? withSingleBackslashes(file, text) : undefined
  if (once) return once
  if (lines) return lines
  const { line, column, isEnd } = locateJsonError(text)
  if (isEnd)
    throw new ImporterError(
      'bad_json',
      `${file} breaks off in line ${line}: it is incomplete. Export or download it again.`,
    )
  throw new ImporterError('bad_json', `${file} is not valid JSON at line ${line}, column ${column}: ${whole.message}`)
}

/** Concatenated values; undefined unless all of the text can be read so. */
function sequence(file: string, text: string): Found | undefined {
  const texts = textsInSequence(text)
  if (!texts) return undefined
  checkRowCount(file, texts.length)
  const values: unknown[] = []
  const notes: string[] = []
  for (const [index, one] of texts.entries()) {
    const parsed = parse(one)
    if (!parsed.ok) return undefined
    const where = `value ${index + 1}`
    const repeated = repeatedName(`${file}, ${where},`, one, parsed.value)
    if (repeated !== undefined && notes.length === 0) notes.push(isRepeated(repeated, `${where}: `))
    values.push(parsed.value)
  }
  return { ...itemsOf(file, values.every(Array.isArray) ? values.flat() : values, notes), badLines: [] }
}

/** JSON whose backslashes a database doubled (COPY, mysql --batch); undefined unless all of it can be read so. */
function withSingleBackslashes(file: string, text: string): Found | undefined {
  const once = text.replaceAll('\\\\', '\\')
  const notes = ['its backslashes are doubled, as databases write them into tables: each pair is read as one']
  const whole = parse(once)
  if (whole.ok) return { ...itemsOf(file, whole.value, notes), badLines: [] }
  const lines = jsonLines(file, once)
  return lines && lines.badLines.length === 0 ? { ...lines, notes: [...lines.notes, ...notes] } : undefined
}

/** @throws ImporterError when lists or objects are nested too deep */
function repeatedName(place: string, text: string, value: unknown): string | undefined {
  const names = countJsonNames(text)
  if (names !== undefined) return findRepeatedName(text, value, names)
  throw new ImporterError('bad_json', `${place} contains lists or objects nested deeper than in any export of reviews.`)
}

function isRepeated(path: string, where = ''): string {
  return `${where}${quoted(path)} appears twice in one object, and others may too: only the last of each is read`
}

type Parsed = { ok: true; value: unknown } | { ok: false; message: string }

function parse(text: string): Parsed {
  try {
    return { ok: true, value: parseJsonText(text) }
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}

/** JSON lines, if at least one line is an object; lines that are not JSON become bad rows. */
function jsonLines(file: string, text: string): Found | undefined {
  const items: Item[] = []
  const badLines: RawRow[] = []
  const notes: string[] = []
  let number = 0
  for (const line of linesOf(text)) {
    number++
    if (line.trim() === '') continue
    const parsed = parse(line)
    if (parsed.ok) {
      const repeated = repeatedName(`${file}, line ${number},`, line, parsed.value)
      if (repeated !== undefined && notes.length === 0) notes.push(isRepeated(repeated, `line ${number}: `))
      items.push({ line: number, value: parsed.value })
    } else
      badLines.push({ line: number, cells: [], fault: { reason: 'bad_json', message: `is not JSON: ${quoted(line)}` } })
    if (badLines.length > items.length + BAD_LINES) return undefined
    checkRowCount(file, items.length)
  }
  const objects = items.filter((item) => isObject(item.value)).length
  // A pretty-printed document with a mistake has some lines that are valid JSON, such as "{}", and is not JSON lines.
  if (objects === 0 || objects < badLines.length) return undefined
  const values = items.map(({ value }) => value)
  const list = findRecords(file, values)
  // One page, or one place with its reviews, a line: the reviews are in the nested lists.
  return list === values ? { fileType: 'jsonl', items, badLines, notes } : { ...itemsOf(file, values, notes), badLines }
}

function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start)
    yield text.slice(start, end === -1 ? text.length : end)
    start = end === -1 ? text.length : end + 1
  }
}

/** @param notes those on the lists that are merged are added */
function itemsOf(file: string, root: unknown, notes: string[]): Omit<Found, 'badLines'> {
  if (isObject(root)) checkSingleValues(file, root)
  const list = findRecords(file, root, notes)
  const geo = isObject(root) && root.type === 'FeatureCollection'
  checkRowCount(file, list.length)
  return {
    fileType: geo ? 'geojson' : 'json',
    items: list.map((value, index) => ({
      line: index + 1,
      value: geo && isObject(value) && isObject(value.properties) ? value.properties : value,
    })),
    notes,
  }
}
