import type { ColumnPlan } from '../formats/column-plan.ts'
import type { Field } from '../formats/mapping.ts'
import { unescapeFormula } from '../read/cell-escape.ts'
import { isSpreadsheet, type Table } from '../read/table.ts'

/** The first filled cell of a field in a row; empty when there is none. */
export type CellReader = (cells: readonly string[], field: Field) => string

/** Makes the function that reads cells by field: trimmed, but for our own export, which comes back as it was. */
export function cellReader({ fileType, since1904 }: Table, { fields, format }: ColumnPlan): CellReader {
  const asWritten = isSpreadsheet(fileType) ? unescapeFormula : (cell: string) => cell
  const read = format.isOwnExport ? asWritten : (cell: string) => cell.trim()
  const reader: CellReader = (cells, field) => {
    for (const index of fields[field] ?? []) {
      const value = cells[index]
      const found = value === undefined || value === '' ? '' : read(value)
      if (found !== '') return found
    }
    return ''
  }
  return since1904 ? since1900(reader) : reader
}

const DAYS_BEFORE_1904 = 1462
const DAY_NUMBER = /^\d{5}(?:\.\d+)?$/

/** Day numbers that cells show as such are counted from 1904 in some workbooks; they are read as of 1900. */
function since1900(cellOf: CellReader): CellReader {
  return (cells, field) => {
    const cell = cellOf(cells, field)
    return field === 'date' && DAY_NUMBER.test(cell) ? String(Number(cell) + DAYS_BEFORE_1904) : cell
  }
}

/** What stands in one of two halves of a review where nothing was written. */
const NOTHING_SAID = /^(?:no (?:negative|positive)|n\/a|none|-+|\.)$/i

/** What databases and programs write where nobody wrote anything. */
const NO_TEXT = /^(?:null|\(null\)|\[null\]|<na>|\\n|undefined|nan)$/i

/** Makes the function that reads a row's text, which may stand in several columns, a paragraph in each. */
export function textReader(cellOf: CellReader, { fields, format, joinsTexts }: ColumnPlan) {
  const said = (text: string) => (!format.isOwnExport && NO_TEXT.test(text) ? '' : text)
  if (!joinsTexts) return (cells: readonly string[]) => said(cellOf(cells, 'text'))
  const isSaid = (part: string) => part !== '' && (format.joinsTexts === true || !NOTHING_SAID.test(part))
  return (cells: readonly string[]) => {
    const parts = (fields.text ?? []).map((index) => (cells[index] ?? '').trim())
    return said(parts.filter(isSaid).join('\n\n'))
  }
}
