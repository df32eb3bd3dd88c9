import { ImporterError } from '../importer-error.ts'
import { unzipReviews } from './archive.ts'
import { readCsv } from './csv/csv.ts'
import { toUtf8 } from './encodings/encoding.ts'
import { isEncodingName } from './encodings/legacy-encodings.ts'
import { readJson } from './json/json.ts'
import { withJsonCells } from './json/json-cells.ts'
import { isCutOff } from './mid-line.ts'
import type { PassedOverFile } from './review-files.ts'
import { splitByReadAs } from './skipped-rows.ts'
import { beginning, isXml, sniff, withoutDosEnd } from './sniff.ts'
import { checkFileSize, type InputFile, isSpreadsheet, type Table } from './table.ts'
import { isWorkbook, openSheet, workbookSheets } from './workbook/workbook.ts'
import { readXml } from './xml/xml-file.ts'
import { PROLOG_BYTES, xmlEncoding } from './xml/xml-root.ts'

/**
 * Opens a file, every sheet of an Excel workbook, or every review file in a zip, one after another.
 *
 * @param encoding of files that are neither UTF-8 nor UTF-16; guessed by default
 * @param passOver called for each file or sheet that is not opened; without it, the first that cannot be read throws
 * @throws ImporterError when the file as a whole can't be read; bad rows come as rows with a `fault`
 */
export async function* openTables(
  file: InputFile,
  { encoding }: { encoding?: string | undefined } = {},
  passOver?: (one: PassedOverFile) => void,
): AsyncGenerator<Table> {
  checkFileSize(file.name, file.bytes.byteLength)
  const isArchive = sniff(file.name, file.bytes) === 'zip' && !isWorkbook(file)
  const parts = isArchive ? partsIn(file, encoding, passOver) : partsOf(file, encoding, passOver)
  const isAlone = Array.isArray(parts) && parts.length === 1
  for (const { name, open } of parts) {
    let tables: Table[]
    try {
      const opened = await open()
      tables = await splitByReadAs(opened)
      if (isSpreadsheet(opened.fileType)) tables = await Promise.all(tables.map(withJsonCells))
    } catch (error) {
      if (!(error instanceof ImporterError) || !passOver || isAlone) throw error
      passOver({ file: name, code: error.code, reason: withoutFileName(error.message, name) })
      continue
    }
    yield* tables
  }
}

/** A file, or one sheet of a workbook. */
interface Part {
  name: string
  /** @throws ImporterError */
  open(): Promise<Table>
}

function* partsIn(
  archive: InputFile,
  encoding: string | undefined,
  passOver?: (one: PassedOverFile) => void,
): Generator<Part> {
  for (const file of unzipReviews(archive, passOver)) yield* partsOf(file, encoding, passOver)
}

function partsOf(file: InputFile, encoding: string | undefined, passOver?: (one: PassedOverFile) => void): Part[] {
  const { name } = file
  try {
    if (sniff(name, file.bytes) === 'text') return [{ name, open: () => openTable(file, encoding) }]
    if (!isWorkbook(file)) throw nested(name)
    return workbookSheets(file, passOver).map((sheet) => ({ name: sheet.name, open: async () => openSheet(sheet) }))
  } catch (error) {
    return [{ name, open: () => Promise.reject(error) }]
  }
}

function nested(name: string): ImporterError {
  return new ImporterError(
    'nested_archive',
    `${name} is an archive inside an archive. Unpack it and import it by itself.`,
  )
}

/** An error message without the file name it starts with and its full stop. */
export function withoutFileName(message: string, name: string): string {
  const rest = message.startsWith(name) ? message.slice(name.length).replace(/^[:,]? /, '') : message
  return rest.replace(/\.$/, '')
}

async function openTable(file: InputFile, named: string | undefined): Promise<Table> {
  const isDocument = isXml(file.name, file.bytes)
  const declared = isDocument ? xmlEncoding(beginning(file.bytes, PROLOG_BYTES)) : undefined
  const known = declared !== undefined && isEncodingName(declared) ? declared : undefined
  const { bytes, encoding, candidates, lost } = toUtf8(withoutDosEnd(file.bytes), named ?? known)
  if (candidates) throw unknownEncoding(file.name, candidates)
  if (lost && lost.count > TOLERATED_LOSSES && lost.count > lost.of * TOLERATED_SHARE)
    throw new ImporterError(
      'unknown_encoding',
      `${file.name} is not in ${encoding}: ${lost.count} of its ${lost.of} characters beyond ASCII do not exist in that encoding. ${ENCODING_ADVICE}`,
    )
  const first = bytes.find((byte) => byte > 0x20)
  if (first === undefined) throw new ImporterError('empty_file', `${file.name} is empty: there is nothing to import.`)
  const isJson = first === 0x7b || first === 0x5b || (JSON_NAME.test(file.name) && !looksLikeTable(bytes))
  const read = isDocument ? readXml : isJson ? readJson : readCsv
  const table = await read(file.name, bytes, encoding)
  if (table.fileType === 'csv' && isCutOff(file.bytes)) table.isCutOff = true
  if (lost)
    table.notes.push(`${lost.count} of its characters could not be read in ${encoding} and were replaced with "\ufffd"`)
  return table
}

/** Undecodable characters that are tolerated: a number in any file, or a share of the non-ASCII ones. */
const [TOLERATED_LOSSES, TOLERATED_SHARE] = [3, 0.02]
const ENCODING_ADVICE =
  'Name the encoding it was saved in (--encoding windows-1250), or save it as "CSV UTF-8", then import that file.'

function unknownEncoding(name: string, candidates: readonly string[]): ImporterError {
  const which =
    candidates.length > 0 ? `it may be ${candidates.slice(0, 4).join(' or ')}` : 'it looks like no known encoding'
  return new ImporterError(
    'unknown_encoding',
    `${name} is not in UTF-8, and its encoding could not be detected: ${which}. ${ENCODING_ADVICE}`,
  )
}

const JSON_NAME = /\.(?:json|jsonl|ndjson|geojson)$/i

/** Some exports are CSV despite a JSON file name; a single line, or lines without a delimiter, are not a table. */
function looksLikeTable(bytes: Buffer): boolean {
  const [first = '', second] = bytes.toString('utf8', 0, 65_536).trim().split('\n')
  return second !== undefined && /[,;\t|]/.test(first)
}
