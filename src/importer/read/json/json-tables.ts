import { uniqueHeaders } from '../headers.ts'
import { isObject } from './json-values.ts'

type Item = Record<string, unknown>
/** Keys under which a column description has the column's name. */
const NAME_KEYS = ['name', 'label', 'column_name', 'columnName']

/**
 * The records of a table in JSON. By rows of cells, as query tools and spreadsheets answer, the names are in a list
 * beside the rows (`{"columns":[…],"data":[[…]]}`) or in the first row; by columns, as data tools write it, each column
 * is a list of cells or an object of numbered cells.
 */
export function recordsOfTable(value: unknown): Item[] | undefined {
  if (isRows(value)) return belowFirstRow(value)
  if (!isObject(value)) return undefined
  const rows = rowsIn(value)
  return recordsBelowNames(value) ?? (rows ? belowFirstRow(rows) : byColumns(value))
}

/** As {@link recordsOfTable}, only for an object with the column names beside the rows of cells. */
export function recordsBelowNames(object: Item): Item[] | undefined {
  const rows = rowsIn(object)
  return rows && belowNames(rows, object)
}

/** The tables of a phpMyAdmin dump by name: it lists a header, the database and then the tables. */
export function phpMyAdminTables(root: readonly unknown[]): Item | undefined {
  const [header, ...others] = root.filter(isObject)
  if (header?.type !== 'header') return undefined
  const tables = others.flatMap(({ type, name, data }) =>
    type === 'table' && typeof name === 'string' ? [[name, data] as const] : [],
  )
  return tables.length > 0 ? Object.fromEntries(tables) : undefined
}

function rowsIn(object: Item): unknown[][] | undefined {
  const [rows, ...others] = Object.values(object).filter(isRows)
  return others.length === 0 ? rows : undefined
}

function isRows(value: unknown): value is unknown[][] {
  return Array.isArray(value) && value.length > 0 && value.every(Array.isArray)
}

function belowNames(rows: readonly unknown[][], beside: Item): Item[] | undefined {
  const width = widest(rows)
  for (const value of Object.values(beside)) {
    const list: unknown = isObject(value) ? value.fields : value
    if (!Array.isArray(list) || list.length !== width) continue
    const names = list.map((one: unknown) => (isObject(one) ? NAME_KEYS.map((key) => one[key]).find(isName) : one))
    if (areNames(names)) return named(names, rows)
  }
  return undefined
}

function belowFirstRow([names, ...rows]: readonly unknown[][]): Item[] | undefined {
  return names && rows.length > 0 && widest(rows) <= names.length && areNames(names) ? named(names, rows) : undefined
}

function byColumns(table: Item): Item[] | undefined {
  const names = Object.keys(table)
  const columns = Object.values(table).map((column) => (isNumbered(column) ? Object.values(column) : column))
  const [first] = columns
  if (names.length < 2 || !Array.isArray(first) || first.length < 2) return undefined
  const areColumns = columns.every(
    (column) => Array.isArray(column) && column.length === first.length && !column.some(isNested),
  )
  if (!areColumns) return undefined
  const cells = columns.filter(Array.isArray)
  return named(
    names,
    first.map((_, row) => cells.map((column): unknown => column[row])),
  )
}

/** Whether an object's keys count up from 0, as pandas writes a column. */
function isNumbered(value: unknown): value is Item {
  return isObject(value) && '0' in value && Object.keys(value).every((key, index) => key === String(index))
}

function widest(rows: readonly unknown[][]): number {
  return rows.reduce((most, row) => Math.max(most, row.length), 0)
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function areNames(names: readonly unknown[]): names is string[] {
  return names.length > 1 && names.every(isName)
}

function named(names: readonly string[], rows: readonly unknown[][]): Item[] {
  const headers = uniqueHeaders([...names])
  return rows.map((row) => Object.fromEntries(row.map((cell, index) => [headers[index] ?? '', cell])))
}
