import { setImmediate as turn } from 'node:timers/promises'
import { IMPORT_FILE_BYTES } from '../../../contract/limits.ts'
import { UNCALCULATED } from '../../fields/spreadsheet-error.ts'
import { ImporterError } from '../../importer-error.ts'
import { unpackEntries } from '../archive.ts'
import { tableOfRecords } from '../record-table.ts'
import type { PassedOverFile } from '../review-files.ts'
import { type InputFile, sizeAndLimit, type Table } from '../table.ts'
import { damagedWorkbook, parseXml } from '../xml/xml.ts'
import { externalAddresses } from './cell-links.ts'
import type { Span } from './cell-reference.ts'
import { cellStyles } from './cell-styles.ts'
import { addLinkColumns } from './link-columns.ts'
import { partEntries, relationsOf, relationsPart, workbookPart } from './workbook-parts.ts'
import { type CellSources, type SheetRow, sharedStrings, sheetRows } from './worksheet.ts'

/** Maximum unpacked size: XML takes several times as much as the same table as CSV. */
const MAX_BYTES = 4 * IMPORT_FILE_BYTES
/** Maximum cells of all sheets, with empty ones before filled ones; and of one sheet, also with those after. */
const MAX_CELLS = 20_000_000
const BATCH_ROWS = 1_000

interface Sheet {
  name: string
  /** Id of the relationship to its part. */
  id: string
}

/**
 * Whether a zip is an Excel workbook (XLSX), by its entries.
 *
 * @throws ImporterError `bad_archive`, `archive_too_large`
 */
export function isWorkbook(archive: InputFile): boolean {
  return workbookPart(archive) !== undefined
}

/** A non-empty sheet. */
export interface FilledSheet {
  /** The file's name, followed by the sheet's when there are several. */
  name: string
  rows: SheetRow[]
  hidden: Span[]
  since1904: boolean
}

/**
 * The visible, non-empty sheets of an Excel workbook (ECMA-376, SpreadsheetML).
 *
 * @param passOver called for each hidden sheet
 * @throws ImporterError `bad_archive`, `archive_too_large`, `no_rows`, `too_many_rows`, `too_many_columns`
 */
export function workbookSheets(file: InputFile, passOver: (one: PassedOverFile) => void = () => {}): FilledSheet[] {
  const entries = partEntries(file)
  const read = (...paths: string[]) => {
    const wanted = new Set(paths.flatMap((path) => entries.get(path) ?? []))
    const size = [...wanted].reduce((sum, entry) => sum + entry.size, 0)
    if (size > MAX_BYTES) {
      const [has, limit] = sizeAndLimit(size, MAX_BYTES)
      throw new ImporterError(
        'archive_too_large',
        `${file.name} is ${has} when unpacked; a workbook may be at most ${limit}. Split it, or save its sheets as CSV.`,
      )
    }
    const unpacked = unpackEntries(file, [...wanted])
    return (path: string) => unpacked.get(entries.get(path)?.name ?? '')
  }
  const part = workbookPart(file) ?? ''
  const lists = read(part, relationsPart(part))
  const relations = relationsOf(file.name, part, lists(relationsPart(part)) ?? new Uint8Array())
  const { sheets, hidden, since1904, isUncalculated } = listedSheets(file.name, lists(part) ?? new Uint8Array())
  for (const name of hidden)
    passOver({ file: `${file.name}/${name}`, code: 'hidden_sheet', reason: 'a hidden sheet: unhide it to import it' })
  const pathOf = ({ id }: Sheet) => relations.byId.get(id) ?? ''
  const paths = sheets.map(pathOf)
  const parts = read(relations.strings, relations.styles, ...paths, ...paths.map(relationsPart))
  const [strings, styles] = [parts(relations.strings), parts(relations.styles)]
  const sources: CellSources = {
    strings: strings ? sharedStrings(file.name, strings) : [],
    styles: styles ? cellStyles(file.name, styles) : [],
    since1904,
    isUncalculated,
  }
  const left = { cells: MAX_CELLS, characters: MAX_BYTES }
  const filled = sheets.flatMap((sheet) => {
    const name = `${file.name}/${sheet.name}`
    const xml = parts(pathOf(sheet))
    if (!xml) throw damagedWorkbook(name, 'is listed in the workbook but missing from it')
    const { rows, links, hidden } = sheetRows(name, xml, sources, left)
    const targets = links.length > 0 && parts(relationsPart(pathOf(sheet)))
    const addresses = targets ? externalAddresses(name, targets) : new Map<string, string>()
    addLinkColumns(name, rows, { links, addresses }, left)
    return rows.length > 0 ? [{ name, rows, hidden, since1904 }] : []
  })
  const [first, ...others] = filled
  if (!first) throw new ImporterError('no_rows', `${file.name} has no visible sheet with anything in it.`)
  return others.length > 0 ? filled : [{ ...first, name: file.name }]
}

/** The visible sheets in the workbook's order, and the names of the hidden ones. */
function listedSheets(
  file: string,
  xml: Uint8Array,
): { sheets: Sheet[]; hidden: string[] } & Pick<CellSources, 'since1904' | 'isUncalculated'> {
  const sheets: Sheet[] = []
  const hidden: string[] = []
  let since1904 = false
  let isUncalculated = false
  parseXml(file, xml, {
    open: (element, { name = '', state = 'visible', date1904 = '', fullCalcOnLoad = '', ...more }) => {
      if (element === 'workbookPr') since1904 = /^(?:1|true)$/.test(date1904)
      if (element === 'calcPr') isUncalculated = /^(?:1|true)$/.test(fullCalcOnLoad)
      const id = Object.entries(more).find(([key]) => key.endsWith(':id'))?.[1] ?? ''
      if (element !== 'sheet') return
      if (state === 'visible') sheets.push({ name, id })
      else hidden.push(name)
    },
  })
  return { sheets, hidden, since1904, isUncalculated }
}

/**
 * Opens a sheet as a table.
 *
 * @throws ImporterError what {@link tableOfRecords} throws
 */
export async function openSheet({ name, rows, hidden: columns, since1904 }: FilledSheet): Promise<Table> {
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  if (rows.length * width > MAX_CELLS)
    throw new ImporterError(
      'too_many_columns',
      `${name} has ${rows.length} rows of ${width} columns: it is not a table of reviews.`,
    )
  async function* batches() {
    for (let start = 0; start < rows.length; start += BATCH_ROWS) {
      yield rows.slice(start, start + BATCH_ROWS).map(({ line, cells }) => ({
        line,
        cells: [...cells, ...Array<string>(width - cells.length).fill('')],
      }))
      await turn()
    }
  }
  const table = await tableOfRecords(name, batches, {
    fileType: 'xlsx',
    encoding: 'UTF-8',
    delimiter: undefined,
    firstLine: rows[0]?.line ?? 1,
  })
  const hidden = rows.filter(({ isHidden }) => isHidden).length
  if (hidden > 0)
    table.notes.push(
      `${hidden} of its rows ${hidden === 1 ? 'is' : 'are'} hidden in the sheet but read anyway: delete any that should not be imported`,
    )
  const merged = rows.filter(({ isBelowMerged }) => isBelowMerged).length
  if (merged > 0)
    table.notes.push(
      `${merged} of its rows ${merged === 1 ? 'has a cell that is' : 'have cells that are'} merged with the one above, which alone has the value: unmerge them and fill the values down`,
    )
  const added = rows.filter(({ hasAddedYear }) => hasAddedYear).length
  if (added > 0)
    table.notes.push(
      `${added} of its rows ${added === 1 ? 'has a day' : 'have days'} that the sheet shows without a year: the spreadsheet made it of what somebody typed, such as "Nov 25" for November 2025 or "10/10" for a mark, and added the year. Check them there, and write "November 2025" or "10 out of 10"`,
    )
  const uncalculated = rows.filter(({ cells }) => cells.includes(UNCALCULATED)).length
  if (uncalculated > 0)
    table.notes.push(
      `${uncalculated} of its rows ${uncalculated === 1 ? 'has a formula' : 'have formulas'} without a value, read as ${UNCALCULATED}: open the workbook in a spreadsheet and save it, or format cells that only begin with "=" as text`,
    )
  const hiddenColumns = new Set(columns.flatMap(([first, last]) => table.headers.slice(first, last + 1)))
  return { ...table, hidden: hiddenColumns, ...(since1904 && { since1904 }) }
}
