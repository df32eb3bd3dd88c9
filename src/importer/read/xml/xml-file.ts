import { ImporterError } from '../../importer-error.ts'
import { tableOfItems } from '../json/json.ts'
import { findRecords } from '../json/json-lists.ts'
import type { Table } from '../table.ts'
import { wordpressComments } from './wordpress-export.ts'
import { xmlValue } from './xml-records.ts'

/**
 * Opens an XML document: the comments of a WordPress export, else the reviews that are found in it as in JSON.
 *
 * @param bytes UTF-8 without a byte order mark, whatever the document declares
 * @throws ImporterError `bad_xml`, `no_rows`, `too_many_rows`
 */
export function readXml(file: string, bytes: Buffer, encoding: string): Promise<Table> {
  const document = xmlValue(bytes.toString('utf8'))
  if ('fault' in document)
    throw new ImporterError(
      'bad_xml',
      `${file} ${document.fault}: it is damaged, or no list of reviews. Export or download it again, if possible as CSV or JSON.`,
    )
  const merged: string[] = []
  const { records, notes } = wordpressComments(document.value) ?? {
    records: findRecords(file, document.value, merged),
    notes: merged,
  }
  if (records.length === 0)
    throw new ImporterError('no_rows', [`${file} contains no reviews or comments`, ...notes].join('; ').concat('.'))
  return tableOfItems({ file, fileType: 'xml', encoding, notes }, records)
}
