import { ImporterError } from '../importer-error.ts'
import { unzipReviews } from './archive.ts'
import { readCsv } from './csv.ts'
import { toUtf8 } from './encoding.ts'
import { readJson } from './json.ts'
import type { PassedOverFile } from './review-files.ts'
import { sniff } from './sniff.ts'
import { checkFileSize, type InputFile, type Table } from './table.ts'

/**
 * Opens one file, or every review file inside a zip, one after the other.
 *
 * @param passOver called for each file of an archive that is not opened; without it the first such file that looked like
 * reviews ends all
 * @throws ImporterError when the file as a whole can't be read; bad rows come as rows with a `fault`
 */
export async function* openTables(file: InputFile, passOver?: (one: PassedOverFile) => void): AsyncGenerator<Table> {
  checkFileSize(file.name, file.bytes.byteLength)
  if (sniff(file.name, file.bytes) === 'text') {
    yield await openTable(file)
    return
  }
  for (const entry of unzipReviews(file, passOver)) {
    let table: Table
    try {
      if (sniff(entry.name, entry.bytes) === 'zip') throw nested(entry.name)
      table = await openTable(entry)
    } catch (error) {
      if (!(error instanceof ImporterError) || !passOver) throw error
      passOver({ file: entry.name, code: error.code, reason: withoutName(error.message, entry.name) })
      continue
    }
    yield table
  }
}

function nested(name: string): ImporterError {
  return new ImporterError(
    'nested_archive',
    `${name} is an archive inside an archive. Unpack it and import it by itself.`,
  )
}

/** A refusal's sentence as it stands behind the name of the file. */
export function withoutName(message: string, name: string): string {
  const rest = message.startsWith(name) ? message.slice(name.length).replace(/^[:,]? /, '') : message
  return rest.replace(/\.$/, '')
}

async function openTable(file: InputFile): Promise<Table> {
  const { bytes, encoding, isOtherScript } = toUtf8(file.bytes)
  if (isOtherScript)
    throw new ImporterError(
      'unknown_encoding',
      `${file.name} is not in UTF-8, and its letters are not Latin: which they are cannot be told for certain. ` +
        'Save it as "CSV UTF-8", then import that file.',
    )
  const first = bytes.find((byte) => byte > 0x20)
  if (first === undefined) throw new ImporterError('empty_file', `${file.name} is empty.`)
  const isJson = first === 0x7b || first === 0x5b || (JSON_NAME.test(file.name) && !looksLikeTable(bytes))
  return isJson ? readJson(file.name, bytes, encoding) : readCsv(file.name, bytes, encoding)
}

const JSON_NAME = /\.(?:json|jsonl|ndjson|geojson)$/i

/** Some exports are CSV under another name; one line, or lines without a delimiter, are no table. */
function looksLikeTable(bytes: Buffer): boolean {
  const [first = '', second] = bytes.toString('utf8', 0, 65_536).trim().split('\n')
  return second !== undefined && /[,;\t|]/.test(first)
}
