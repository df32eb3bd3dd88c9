import { unzipReviews } from './archive.ts'
import { readCsv } from './csv-read.ts'
import { toUtf8 } from './encoding.ts'
import { ImporterError } from './importer-error.ts'
import { readJson } from './json-read.ts'
import { sniff } from './sniff.ts'
import { checkFileSize, type InputFile, type Table } from './table.ts'

/**
 * Opens one file, or every review file inside a zip, one after the other.
 *
 * @throws ImporterError when the file as a whole can't be read; bad rows come as rows with a `fault`
 */
export async function* openTables(file: InputFile): AsyncGenerator<Table> {
  checkFileSize(file.name, file.bytes.byteLength)
  if (sniff(file.name, file.bytes) === 'text') {
    yield await openTable(file)
    return
  }
  for (const entry of unzipReviews(file)) {
    if (sniff(entry.name, entry.bytes) === 'zip')
      throw new ImporterError('unsafe_archive', `${entry.name} is an archive inside an archive. Unpack it first.`)
    yield await openTable(entry)
  }
}

async function openTable(file: InputFile): Promise<Table> {
  const { bytes, encoding } = toUtf8(file.bytes)
  const first = bytes.toString('latin1', 0, 4096).trimStart()[0]
  if (first === undefined) throw new ImporterError('empty_file', `${file.name} is empty.`)
  return first === '{' || first === '[' ? readJson(file.name, bytes, encoding) : readCsv(file.name, bytes, encoding)
}
