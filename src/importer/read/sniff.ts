import { ImporterError } from '../importer-error.ts'
import { utf16WithoutMark } from './encoding.ts'

/** What the first bytes say a file is. */
export type FileKind = 'zip' | 'text'

const CSV_ADVICE = 'Open it and save it as "CSV UTF-8" (in Google Sheets: File, Download, CSV), then import that file.'

function startsWith(bytes: Uint8Array, ...prefix: number[]): boolean {
  return prefix.every((byte, index) => bytes[index] === byte)
}

/**
 * Tells an archive from text and refuses what is neither, with the way out.
 *
 * @throws ImporterError `empty_file`, `spreadsheet_file`, `compressed_file`, `web_page` or `not_text`
 */
export function sniff(name: string, bytes: Uint8Array): FileKind {
  if (bytes.length === 0) throw new ImporterError('empty_file', `${name} is empty.`)
  if (startsWith(bytes, 0x50, 0x4b, 0x03, 0x04) || startsWith(bytes, 0x50, 0x4b, 0x05, 0x06)) return 'zip'
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0))
    throw new ImporterError('spreadsheet_file', `${name} is an old Excel file. ${CSV_ADVICE}`)
  if (startsWith(bytes, 0x1f, 0x8b))
    throw new ImporterError(
      'compressed_file',
      `${name} is compressed with gzip. Unpack it (gunzip) and import the result.`,
    )
  if (startsWith(bytes, 0x37, 0x7a, 0xbc, 0xaf) || startsWith(bytes, 0x52, 0x61, 0x72, 0x21))
    throw new ImporterError('compressed_file', `${name} is a 7z or RAR archive. Unpack it and import the files inside.`)
  if (startsWith(bytes, 0x25, 0x50, 0x44, 0x46))
    throw new ImporterError('not_text', `${name} is a PDF. Export the reviews as CSV or JSON instead.`)
  if (startsWith(bytes, 0xff, 0xfe, 0, 0) || startsWith(bytes, 0, 0, 0xfe, 0xff))
    throw new ImporterError('not_text', `${name} is text in UTF-32. Save it as UTF-8, then import it.`)
  if (looksBinary(bytes))
    throw new ImporterError(
      'not_text',
      `${name} is not text: it is neither CSV nor JSON. Export the reviews as CSV or JSON.`,
    )
  const start = Buffer.from(bytes.subarray(0, 512))
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()
    .toLowerCase()
  if (/^<(?:!doctype|html|\?xml|head|body|table)/.test(start))
    throw new ImporterError(
      'web_page',
      `${name} is a web page or XML, not an export: perhaps a login page was saved. Download the export again as CSV or JSON.`,
    )
  return 'text'
}

/** Refuses a spreadsheet that is a zip inside (XLSX, ODS, Numbers), known by the names of its entries. */
export function refuseOfficeArchive(name: string, entries: readonly string[]): void {
  const has = (pattern: RegExp) => entries.some((entry) => pattern.test(entry))
  if (has(/^xl\/workbook\.(?:xml|bin)$/))
    throw new ImporterError('spreadsheet_file', `${name} is an Excel workbook. ${CSV_ADVICE}`)
  if (has(/^content\.xml$/) && has(/^mimetype$/))
    throw new ImporterError('spreadsheet_file', `${name} is an OpenDocument file. ${CSV_ADVICE}`)
  if (has(/^Index\/.*\.iwa$/)) throw new ImporterError('spreadsheet_file', `${name} is a Numbers file. ${CSV_ADVICE}`)
  if (has(/^word\/document\.xml$/))
    throw new ImporterError(
      'not_text',
      `${name} is a Word document. Copy the table into a spreadsheet and save it as CSV.`,
    )
}

/** Control characters that no text export has, in the first 64 KiB; UTF-16 is text although half its bytes are zero. */
function looksBinary(bytes: Uint8Array): boolean {
  if (startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0xfe, 0xff) || utf16WithoutMark(bytes)) return false
  const length = Math.min(bytes.length, 65_536)
  let controls = 0
  for (let index = 0; index < length; index++) {
    const byte = bytes[index] ?? 0
    if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) controls++
  }
  return controls > length * 0.01
}
