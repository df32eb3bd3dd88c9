import { idInLink } from '../fields/external-id.ts'
import { isNothingWritten } from '../fields/page-words.ts'
import { isUnset } from '../fields/unset.ts'
import type { ColumnPlan } from '../formats/column-plan.ts'
import type { Field } from '../formats/mapping.ts'
import { unescapeFormula } from '../read/cell-escape.ts'
import { isSpreadsheet, type Table } from '../read/table.ts'

/** The first filled cell of a field in a row, or an empty string. */
export type CellReader = (cells: readonly string[], field: Field) => string

/** Creates a reader of cells by field. Cells are trimmed, except in our own export. */
export function cellReader({ fileType, since1904 }: Table, { fields, format, hasIdsInLinks }: ColumnPlan): CellReader {
  const asWritten = isSpreadsheet(fileType) ? unescapeFormula : (cell: string) => cell
  const read = format.isOwnExport ? asWritten : (cell: string) => cell.trim()
  const reader: CellReader = (cells, field) => {
    let unset = ''
    for (const index of fields[field] ?? []) {
      const found = read(cells[index] ?? '')
      if (found === '') continue
      if (field === 'id' && hasIdsInLinks) return idInLink(found) ?? ''
      if (format.isOwnExport || !isUnset(found)) return found
      unset ||= found
    }
    // Generated ids are made from the name as it is in the file.
    return field === 'author' ? unset : ''
  }
  return since1904 ? since1900(reader) : reader
}

const DAYS_BEFORE_1904 = 1462
const DAY_NUMBER = /^\d{5}(?:\.\d+)?$/

/** Converts raw day numbers of workbooks that count from 1904 to days from 1900. */
function since1900(cellOf: CellReader): CellReader {
  return (cells, field) => {
    const cell = cellOf(cells, field)
    return field === 'date' && DAY_NUMBER.test(cell) ? String(Number(cell) + DAYS_BEFORE_1904) : cell
  }
}

/** Placeholders for an empty half of a two-part review, as scrapers of Booking write them. */
const NOTHING_SAID =
  /^(?:no (?:negative|positive)|(?:отрицательный|положительный) отзыв отсутствует\.?|n\/a|none|-+|\.)$/i

/** Placeholders for an empty text. */
const NO_TEXT =
  /^(?:null|\(null\)|\[null\]|<na>|\\n|undefined|nan|none|n\/a|\[object object\]|\(?no comments?\)?|[-–—_.…*?]+)$/i

/** Creates a reader of a row's text, which may join several columns, one paragraph each. */
export function textReader(cellOf: CellReader, { fields, format, joinsTexts, halves }: ColumnPlan) {
  const said = (text: string) => (!format.isOwnExport && (NO_TEXT.test(text) || isNothingWritten(text)) ? '' : text)
  const isSaid = (part: string) => part !== '' && (format.joinsTexts === true || !NOTHING_SAID.test(part))
  const joined = (cells: readonly string[], indexes: readonly number[]) => {
    const filled = indexes.map((index) => (cells[index] ?? '').trim()).filter(isSaid)
    return filled.every(isNothingWritten) ? '' : said(filled.join('\n\n'))
  }
  return joinsTexts
    ? (cells: readonly string[]) => joined(cells, fields.text ?? [])
    : (cells: readonly string[]) => said(cellOf(cells, 'text')) || joined(cells, halves)
}
