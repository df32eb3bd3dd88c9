import { ImporterError, type ImporterErrorCode } from '../importer-error.ts'
import { detectBomlessUtf16, isUtf32 } from './encodings/wide-encodings.ts'
import { PROLOG_BYTES, xmlRoot } from './xml/xml-root.ts'

const WORKBOOK_ADVICE =
  'Open it and save it as an Excel workbook (.xlsx) or as "CSV UTF-8" (in Google Sheets: File, Download), then import that file.'

function startsWith(bytes: Uint8Array, ...prefix: number[]): boolean {
  return prefix.every((byte, index) => bytes[index] === byte)
}

type Refusal = [code: ImporterErrorCode, message: string]

/** Unsupported binary formats by signature, with what to do instead. */
const REFUSED: [signature: number[], ...Refusal][] = [
  [[0xd0, 0xcf, 0x11, 0xe0], 'spreadsheet_file', `is an old Excel file, or one with a password. ${WORKBOOK_ADVICE}`],
  [[0x1f, 0x8b], 'compressed_file', 'is compressed with gzip. Unpack it (gunzip) and import the result.'],
  [[0x42, 0x5a, 0x68], 'compressed_file', 'is compressed with bzip2. Unpack it (bunzip2) and import the result.'],
  [[0xfd, 0x37, 0x7a, 0x58], 'compressed_file', 'is compressed with xz. Unpack it (unxz) and import the result.'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'compressed_file', 'is compressed with zstd. Unpack it (unzstd) and import the result.'],
  [
    [0x50, 0x4b, 0x07, 0x08],
    'compressed_file',
    'is one part of a split zip. Unpack all parts together and import the files inside.',
  ],
  [[0x37, 0x7a, 0xbc, 0xaf], 'compressed_file', 'is a 7z or RAR archive. Unpack it and import the files inside.'],
  [[0x52, 0x61, 0x72, 0x21], 'compressed_file', 'is a 7z or RAR archive. Unpack it and import the files inside.'],
  [[0x25, 0x50, 0x44, 0x46], 'not_text', 'is a PDF. Export the reviews as CSV or JSON instead.'],
]
/** Text formats that are not tables, by their beginning; strict enough that no header row matches. */
const REFUSED_TEXT: [start: RegExp, ...Refusal][] = [
  [
    /^\s*(?:--(?:\r?\n--)? (?:MySQL|MariaDB|PostgreSQL|phpMyAdmin|Adminer)\b|\/\*M?!|(?:--[^\n]*\n\s*|(?:SET|USE)\b[^;\n]*;\s*)*(?:INSERT INTO|(?:CREATE|DROP) TABLE|BEGIN(?: TRANSACTION)?;|START TRANSACTION;|PRAGMA foreign_keys)\b)/i,
    'not_text',
    'is a database dump in SQL. Export the table with the reviews as CSV or JSON.',
  ],
  [
    /^(?:ID;P\w*(?:;[NE])*\r?\n[A-Z];|TABLE\r?\n0,1\r?\n)/,
    'spreadsheet_file',
    `is a SYLK or DIF file. ${WORKBOOK_ADVICE}`,
  ],
  [
    // Also what site generators keep above the text of a page.
    /^(?:#[^\n]*\n|\s)*(?:%YAML\b|---[ \t]*\r?\n(?:#[^\n]*\n)*(?:- +)?[\w"'-]+:\s|(?:[\w-]+:[ \t]*\r?\n[ \t]*)?- +[\w"'-]+:\s)/,
    'not_text',
    'is YAML, or begins with it. Convert the reviews to JSON (yq -o=json; in Jekyll {{ site.data.reviews | jsonify }}) and import that.',
  ],
  [/^\{\\rtf1/, 'not_text', 'is an RTF document. Put the reviews into a table and save it as CSV.'],
]
const UTF_32: Refusal = ['not_text', 'is text in UTF-32. Save it as UTF-8, then import it.']
const BINARY: Refusal = ['not_text', 'is not text: it is neither CSV nor JSON. Export the reviews as CSV or JSON.']
const WITH_ZEROS: Refusal = [
  'not_text',
  'has text with zero bytes in it, as a copy that was not finished leaves them, or text in UTF-16 that was joined to other text. Export or copy it again, or save it as "CSV UTF-8".',
]
const WEB_PAGE: Refusal = [
  'web_page',
  'is a web page, not an export: perhaps a login page was saved. Download the export again.',
]

const WEB_TABLE: Refusal = [
  'web_page',
  'is a web page with a table in it, even if its name says otherwise. If the table has the reviews, rename the file so that it ends in .html, open it in a spreadsheet, ' +
    'save it as an Excel workbook (.xlsx) or as "CSV UTF-8", then import that file. If it is another page, such as a login page, download the export again.',
]

/** Many shop systems write an HTML or XML table and name it as an Excel file. */
const WEB_PAGE_AS_XLS: Refusal = [
  'spreadsheet_file',
  `is a web page or XML file named like an Excel file. ${WORKBOOK_ADVICE}`,
]

/** Written by Excel 2003, Gnumeric, LibreOffice (.fods) and many programs modelled on Excel. */
const SPREADSHEET_XML = /<\?mso-application|<(?:\w+:)?Workbook\b|<office:document\b/
const SPREADSHEET: Refusal = ['spreadsheet_file', `is an XML spreadsheet. ${WORKBOOK_ADVICE}`]

/**
 * Distinguishes archives from text and rejects anything else with advice.
 *
 * @throws ImporterError `empty_file`, `spreadsheet_file`, `compressed_file`, `web_page` or `not_text`
 */
export function sniff(name: string, bytes: Uint8Array): 'zip' | 'text' {
  if (bytes.length === 0) throw new ImporterError('empty_file', `${name} is empty.`)
  if (startsWith(bytes, 0x50, 0x4b, 0x03, 0x04) || startsWith(bytes, 0x50, 0x4b, 0x05, 0x06)) return 'zip'
  const [, ...bySignature] = REFUSED.find(([signature]) => startsWith(bytes, ...signature)) ?? []
  const start = beginning(bytes, 4_096)
  const [, ...byStart] = REFUSED_TEXT.find(([pattern]) => pattern.test(start)) ?? []
  const byBytes = isUtf32(bytes) ? UTF_32 : binaryOf(withoutDosEnd(bytes))
  const [code, message] = bySignature[0]
    ? bySignature
    : (byBytes ?? (MARKUP.test(start) && !isXml(name, bytes) ? markupOf(name, bytes) : byStart))
  if (code === undefined) return 'text'
  throw new ImporterError(code, `${name} ${message}`)
}

/** Whether a file is an XML document that may hold records; shop systems' `.xls` in XML are spreadsheets. */
export function isXml(name: string, bytes: Uint8Array): boolean {
  if (/\.xls$/i.test(name) || SPREADSHEET_XML.test(beginning(bytes, 512))) return false
  return xmlRoot(beginning(bytes, PROLOG_BYTES), beginning(bytes.subarray(-1_024), 1_024)) !== undefined
}

/** No header row begins with one of these tags. */
const MARKUP = /^\s*<(?:!--|(?:!doctype|html|\?xml|head|body|table|thead|tr|style|meta|script|div|center)\b)/i

function markupOf(name: string, bytes: Uint8Array): Refusal {
  if (SPREADSHEET_XML.test(beginning(bytes, 512))) return SPREADSHEET
  if (/\.xls$/i.test(name)) return WEB_PAGE_AS_XLS
  return /<table\b/i.test(beginning(bytes, 65_536)) ? WEB_TABLE : WEB_PAGE
}

/** The first bytes as text, correct for ASCII in UTF-8, UTF-16 and single-byte encodings. */
export function beginning(bytes: Uint8Array, length: number): string {
  const text = Buffer.from(bytes.subarray(0, length)).toString('latin1')
  return text.replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '').replaceAll('\0', '')
}

/** Spreadsheets and documents in a zip container, by entries that each contains. */
const OFFICE: [entries: RegExp[], ...Refusal][] = [
  [[/^xl\/workbook\.bin$/], 'spreadsheet_file', `is a binary Excel workbook. ${WORKBOOK_ADVICE}`],
  [[/^content\.xml$/, /^mimetype$/], 'spreadsheet_file', `is an OpenDocument file. ${WORKBOOK_ADVICE}`],
  [[/^Index\/.*\.iwa$/], 'spreadsheet_file', `is a Numbers file. ${WORKBOOK_ADVICE}`],
  [[/^word\/document\.xml$/], 'not_text', 'is a Word document. Copy the table into a spreadsheet and save it as CSV.'],
]

/** Rejects a document in a zip container (XLSB, ODS, Numbers, DOCX). */
export function refuseOfficeArchive(name: string, entries: readonly string[]): void {
  for (const [patterns, code, message] of OFFICE) {
    const isIt = patterns.every((pattern) => entries.some((entry) => pattern.test(entry)))
    if (isIt) throw new ImporterError(code, `${name} ${message}`)
  }
}

/** The refusal of text whose first 64 KiB have control characters unknown in exports; UTF-16 is text despite its zeros. */
function binaryOf(bytes: Uint8Array): Refusal | undefined {
  if (startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0xfe, 0xff) || detectBomlessUtf16(bytes)) return undefined
  const length = Math.min(bytes.length, 65_536)
  let zeros = 0
  let others = 0
  for (let index = 0; index < length; index++) {
    const byte = bytes[index] ?? 0
    if (byte === 0) zeros++
    // 27 is ISO-2022-JP's escape, 30 RFC 7464's record separator.
    else if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27 && byte !== 30)) others++
  }
  if (zeros + others <= length * MOST_CONTROLS) return undefined
  return others <= (length - zeros) * MOST_CONTROLS && zeros < length ? WITH_ZEROS : BINARY
}

const MOST_CONTROLS = 0.01

/** Programs from the time of MS-DOS end a text with Ctrl-Z, which would be a row of its own. */
export function withoutDosEnd(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === 0x1a ? bytes.subarray(0, -1) : bytes
}
