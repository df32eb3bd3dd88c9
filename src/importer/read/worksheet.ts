import { UNCALCULATED } from '../fields/spreadsheet-error.ts'
import { ImporterError } from '../importer-error.ts'
import type { CellStyle } from './cell-styles.ts'
import { checkRowCount } from './table.ts'
import { damagedWorkbook, parseXml } from './xml.ts'

/** A row of a worksheet: its number as the spreadsheet shows it, and its cells as text. Empty ones at the end are left out. */
export interface SheetRow {
  line: number
  cells: string[]
  /** Not shown, by a filter or by hand. */
  isHidden?: boolean
  /** Shows the value of a cell above, which is merged with one of its own. */
  isBelowMerged?: boolean
}

/** What the cells of a workbook's sheets refer to. */
export interface CellSources {
  /** The texts that sheets share, by their places. */
  strings: readonly string[]
  /** What cells show their numbers as, by the places of the styles. */
  styles: readonly CellStyle[]
  /** Days are counted from 1904, as old workbooks of the Macintosh do. */
  since1904: boolean
  /** A program wrote the formulas without their values, which are to be worked out when the workbook is opened. */
  isUncalculated: boolean
}

/** What the sheets of a workbook may still have. One shared text may stand in any number of cells, and one cell far to the right. */
export interface SheetAllowance {
  /** Cells, the empty ones before others included. */
  cells: number
  characters: number
}

const MAX_COLUMNS = 1_000
const DAY_MS = 86_400_000
/** Day 0 of the two calendars; the first takes 1900 for a leap year, which days before 1 March of it show. */
const SINCE_1900 = Date.UTC(1899, 11, 30)
const SINCE_1904 = Date.UTC(1904, 0, 1)
/** The last day that a spreadsheet knows, 31 December 9999. */
const LAST_DAY = 2_958_465
/** Spreadsheets keep fifteen digits. */
const EXACT = 1e15

/** The texts of `sharedStrings.xml`. What only tells how a text is pronounced is none of it. */
export function sharedStrings(file: string, xml: Uint8Array): string[] {
  const strings: string[] = []
  const text = new TextRuns()
  parseXml(file, xml, {
    open: (name) => text.open(name),
    text: (piece) => text.add(piece),
    close: (name) => {
      text.close(name)
      if (name === 'si') strings.push(text.take())
    },
  })
  return strings
}

/**
 * The rows of a sheet that hold anything.
 *
 * @param left is lessened by what the sheet has
 * @throws ImporterError `too_many_rows`, `too_many_columns`, `archive_too_large`
 */
export function sheetRows(file: string, xml: Uint8Array, sources: CellSources, left: SheetAllowance): SheetRow[] {
  const rows: SheetRow[] = []
  const text = new TextRuns()
  let row: SheetRow = { line: 0, cells: [] }
  let cell = { column: -1, type: '', style: 0, value: '', isFormula: false }
  let isValue = false
  const merged: Span[] = []
  parseXml(file, xml, {
    open: (name, { r: reference = '', t: type = 'n', s: style = '0', hidden = '', ref = '' }) => {
      if (name === 'mergeCell') merged.push(rowsOf(ref))
      if (name === 'row')
        row = { line: Number(reference) || row.line + 1, cells: [], isHidden: /^(?:1|true)$/.test(hidden) }
      if (name === 'row') cell = { column: -1, type: '', style: 0, value: '', isFormula: false }
      if (name === 'c') {
        // What stood in no place for it, as a cell's own text beside another type.
        text.take()
        cell = {
          column: columnOf(reference) ?? cell.column + 1,
          type,
          style: Number(style),
          value: '',
          isFormula: false,
        }
      }
      if (name === 'f') cell.isFormula = true
      isValue = name === 'v'
      text.open(name)
    },
    text: (piece) => {
      if (isValue) cell.value += piece
      else text.add(piece)
    },
    close: (name) => {
      isValue = false
      text.close(name)
      if (name === 'c') {
        // Whatever type a program gives it, a text of the cell's own is its text.
        const shown = text.take() || shownCell(cell, sources)
        if (shown === undefined)
          throw damagedWorkbook(file, `has a cell in row ${row.line} whose text is not in the workbook`)
        if (shown === '') return
        if (cell.column >= MAX_COLUMNS)
          throw new ImporterError(
            'too_many_columns',
            `${file} has more than ${MAX_COLUMNS} columns: it is no table of reviews.`,
          )
        left.cells -= cell.column + 1 - row.cells.length
        left.characters -= shown.length
        if (left.cells < 0 || left.characters < 0)
          throw new ImporterError(
            'archive_too_large',
            `${file}: the workbook's cells are more than one import takes. Split it.`,
          )
        while (row.cells.length < cell.column) row.cells.push('')
        row.cells[cell.column] = shown
      }
      if (name === 'row' && row.cells.length > 0) checkRowCount(file, rows.push(row))
    },
  })
  markMerged(rows, merged)
  return rows
}

/** First and last row. */
type Span = [first: number, last: number]

/** The rows of a range: `B2:B5` has 2 to 5. */
function rowsOf(range: string): Span {
  const [first = 0, last = first] = Array.from(range.matchAll(/\d+/g), Number)
  return [first, last]
}

/** In one pass, as a sheet may have any number of merged cells, of any height. */
function markMerged(rows: SheetRow[], merged: Span[]): void {
  const spans = merged.filter(([first, last]) => last > first).sort(([a], [b]) => a - b)
  let next = 0
  let reach = 0
  for (const row of rows) {
    for (; (spans[next]?.[0] ?? Number.POSITIVE_INFINITY) < row.line; next++)
      reach = Math.max(reach, spans[next]?.[1] ?? 0)
    if (row.line <= reach) row.isBelowMerged = true
  }
}

/** The number of a cell's column from 0: `B7` is in 1. */
function columnOf(reference: string): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0]
  if (letters === undefined) return undefined
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** A cell's value as text; `undefined` for a text that the workbook has not. */
function shownCell(
  { type, style, value, isFormula }: { type: string; style: number; value: string; isFormula: boolean },
  sources: CellSources,
): string | undefined {
  // Libraries write no value, or a nought for any; the text of an empty result has a type.
  if (isFormula && type === 'n' && (value === '' || (value === '0' && sources.isUncalculated))) return UNCALCULATED
  switch (type) {
    case 's':
      return value.trim() === '' ? '' : sources.strings[Number(value)]
    case 'b':
      return value.trim() === '' ? '' : /^\s*(?:1|true)\s*$/i.test(value) ? 'TRUE' : 'FALSE'
    case 'n': {
      const number = Number(value)
      if (value.trim() === '' || !Number.isFinite(number)) return value
      const shownAs = sources.styles[style]
      // 100 % is kept as 1, which would be one star.
      if (shownAs === 'percent') return `${Number((number * 100).toPrecision(15))}%`
      if (shownAs === 'date' && number >= 0 && number <= LAST_DAY) return dateOf(number, sources.since1904)
      if (typeof shownAs === 'object' && Number.isInteger(number) && number >= 0 && number < EXACT)
        return String(number).padStart(shownAs.digits, '0')
      // With an exponent, as Excel writes it, so that a rounded id is known for one: LibreOffice ends it in noughts.
      return Math.abs(number) < EXACT ? String(number) : number.toExponential()
    }
    default:
      return unescaped(value)
  }
}

/** A day by its number, as ISO 8601 without a zone; a time of day alone where there is no day. */
function dateOf(days: number, since1904: boolean): string {
  const seconds = Math.round((days * DAY_MS) / 1000)
  const iso = new Date((since1904 ? SINCE_1904 : SINCE_1900) + seconds * 1000).toISOString().slice(0, 19)
  if (days < 1) return iso.slice(11)
  return iso.endsWith('T00:00:00') ? iso.slice(0, 10) : iso
}

/** Signs that XML cannot hold are written by their number: `_x000D_`. */
function unescaped(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** Puts the runs of a text together, without those that say how it is pronounced. */
class TextRuns {
  #text = ''
  #isText = false
  #isPhonetic = false

  open(name: string): void {
    if (name === 'rPh') this.#isPhonetic = true
    this.#isText = name === 't' && !this.#isPhonetic
  }

  add(piece: string): void {
    if (this.#isText) this.#text += piece
  }

  close(name: string): void {
    if (name === 'rPh') this.#isPhonetic = false
    this.#isText = false
  }

  take(): string {
    const text = unescaped(this.#text)
    this.#text = ''
    return text
  }
}
