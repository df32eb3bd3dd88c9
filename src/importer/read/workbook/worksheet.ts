import { DAY_MS } from '../../../contract/timestamp.ts'
import { UNCALCULATED } from '../../fields/spreadsheet-error.ts'
import { ImporterError } from '../../importer-error.ts'
import { checkRowCount } from '../table.ts'
import { damagedWorkbook, parseXml } from '../xml/xml.ts'
import { addressOfFormula, type CellLink, linkOf } from './cell-links.ts'
import { columnOf, rowsOf, type Span } from './cell-reference.ts'
import type { CellStyle } from './cell-styles.ts'

/** A row of a worksheet: its number in the spreadsheet, and its cells as text without trailing empty ones. */
export interface SheetRow {
  line: number
  cells: string[]
  /** Hidden by a filter or by hand. */
  isHidden?: boolean
  /** Has a day that is shown without its year, which the spreadsheet added when somebody typed `Nov 25`. */
  hasAddedYear?: boolean
  /** Has a cell that is merged with one above, which alone holds the value. */
  isBelowMerged?: boolean
}

/** What a sheet holds. */
export interface SheetContent {
  rows: SheetRow[]
  links: CellLink[]
  /** Columns hidden by hand, from 0. */
  hidden: Span[]
}

/** What cells refer to elsewhere in the workbook. */
export interface CellSources {
  /** Shared strings, by index. */
  strings: readonly string[]
  /** How cells display numbers, by style index. */
  styles: readonly CellStyle[]
  /** Days count from 1904, as in old Macintosh workbooks. */
  since1904: boolean
  /** A program wrote formulas without values, to be calculated when the workbook is opened. */
  isUncalculated: boolean
}

/**
 * What the sheets of a workbook may still use. A bound on the file is not enough: one shared string may appear in any
 * number of cells, and a cell may be far to the right.
 */
export interface SheetBudget {
  /** Cells, including empty ones before filled ones. */
  cells: number
  characters: number
}

/** @throws ImporterError `archive_too_large` when less is left */
export function spend(file: string, left: SheetBudget, { cells, characters }: SheetBudget): void {
  left.cells -= cells
  left.characters -= characters
  if (left.cells >= 0 && left.characters >= 0) return
  throw new ImporterError('archive_too_large', `${file}: the workbook has more cells than one import takes. Split it.`)
}

const IS_TRUE = /^(?:1|true)$/
const MAX_COLUMNS = 1_000
/** Day 0 of the two date systems. The first treats 1900 as a leap year, so days before 1 March 1900 are off by one. */
const SINCE_1900 = Date.UTC(1899, 11, 30)
const SINCE_1904 = Date.UTC(1904, 0, 1)
/** The last day in spreadsheets, 31 December 9999. */
const LAST_DAY = 2_958_465
/** Spreadsheets keep 15 significant digits. */
const EXACT = 1e15

const NO_CELL = { column: -1, type: '', style: 0, value: '', isFormula: false, formula: '' }

/** The texts of `sharedStrings.xml`, without phonetic runs. */
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
 * The non-empty rows of a sheet, the links of its cells, and its hidden columns.
 *
 * @param left the remaining budget, reduced by what the sheet uses
 * @throws ImporterError `bad_archive`, `too_many_rows`, `too_many_columns`, `archive_too_large`
 */
export function sheetRows(file: string, xml: Uint8Array, sources: CellSources, left: SheetBudget): SheetContent {
  const rows: SheetRow[] = []
  const links: CellLink[] = []
  const hiddenColumns: Span[] = []
  const text = new TextRuns()
  let row: SheetRow = { line: 0, cells: [] }
  let cell = { ...NO_CELL }
  let part: 'v' | 'f' | undefined
  const merged: Span[] = []
  parseXml(file, xml, {
    open: (name, { r: reference = '', t: type = 'n', s: style = '0', hidden = '', ref = '', ...more }) => {
      if (name === 'mergeCell') merged.push(rowsOf(ref))
      if (name === 'col' && IS_TRUE.test(hidden)) hiddenColumns.push([Number(more.min) - 1, Number(more.max) - 1])
      if (name === 'hyperlink') links.push(...linkOf(ref, more))
      if (name === 'row') {
        row = { line: Number(reference) || row.line + 1, cells: [], isHidden: IS_TRUE.test(hidden) }
        cell = { ...NO_CELL }
      }
      if (name === 'c') {
        // Discards text outside a cell.
        text.take()
        cell = { ...NO_CELL, column: columnOf(reference) ?? cell.column + 1, type, style: Number(style) }
      }
      if (name === 'f') cell.isFormula = true
      part = name === 'v' || name === 'f' ? name : undefined
      text.open(name)
    },
    text: (piece) => {
      if (part === 'v') cell.value += piece
      else if (part === 'f') cell.formula += piece
      else text.add(piece)
    },
    close: (name) => {
      part = undefined
      text.close(name)
      if (name === 'c') {
        // Inline text wins whatever type a program declares.
        const shown = text.take() || displayedValue(cell, sources)
        if (shown === undefined)
          throw damagedWorkbook(file, `has a cell in row ${row.line} whose text is missing from the workbook`)
        if (shown === '') return
        if (cell.column >= MAX_COLUMNS)
          throw new ImporterError(
            'too_many_columns',
            `${file} has more than ${MAX_COLUMNS} columns: it is not a table of reviews.`,
          )
        spend(file, left, { cells: cell.column + 1 - row.cells.length, characters: shown.length })
        while (row.cells.length < cell.column) row.cells.push('')
        row.cells[cell.column] = shown
        if (cell.type === 'n' && sources.styles[cell.style] === 'day') row.hasAddedYear = true
        const address = addressOfFormula(cell.formula)
        if (address !== undefined) links.push({ line: row.line, column: cell.column, address })
      }
      if (name === 'row' && row.cells.length > 0) checkRowCount(file, rows.push(row))
    },
  })
  markMerged(rows, merged)
  return { rows, links, hidden: hiddenColumns }
}

/** A single pass, because a sheet may have any number of merged cells of any height. */
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

/** A cell's value as text; undefined for a shared string that is missing. */
function displayedValue({ type, style, value, isFormula }: typeof NO_CELL, sources: CellSources): string | undefined {
  // Libraries write no value, or 0 for every formula; the empty text of a calculated formula has a type.
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
      // 100 % is stored as 1, which would read as one star.
      if (shownAs === 'percent') return `${Number((number * 100).toPrecision(15))}%`
      if ((shownAs === 'date' || shownAs === 'day') && number >= 0 && number <= LAST_DAY)
        return dateOf(number, sources.since1904)
      if (typeof shownAs === 'object' && Number.isInteger(number) && number >= 0 && number < EXACT)
        return String(number).padStart(shownAs.digits, '0')
      // With an exponent, as Excel writes it, so that a rounded id is recognized; LibreOffice would pad it with zeros.
      return Math.abs(number) < EXACT ? String(number) : number.toExponential()
    }
    default:
      return unescaped(value)
  }
}

/** A day number as ISO 8601 without a time zone; only a time of day when it is less than 1. */
function dateOf(days: number, since1904: boolean): string {
  const seconds = Math.round((days * DAY_MS) / 1000)
  const iso = new Date((since1904 ? SINCE_1904 : SINCE_1900) + seconds * 1000).toISOString().slice(0, 19)
  if (days < 1) return iso.slice(11)
  return iso.endsWith('T00:00:00') ? iso.slice(0, 10) : iso
}

/** Characters that XML cannot contain are escaped as `_x000D_`. */
function unescaped(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** Concatenates the runs of a text, without phonetic ones. */
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
