import { decodeHTMLStrict } from 'entities/decode'
import { ImporterError } from '../../importer-error.ts'
import { tableOfItems } from '../json/json.ts'
import { findRecords } from '../json/json-lists.ts'
import type { Table } from '../table.ts'
import { wordpressComments } from './wordpress-export.ts'
import { xmlValue } from './xml-records.ts'
import { PROLOG_BYTES } from './xml-root.ts'

/**
 * Opens an XML document: the comments of a WordPress export, else the reviews that are found in it as in JSON.
 *
 * @param bytes UTF-8 without a byte order mark, whatever the document declares
 * @throws ImporterError `bad_xml`, `no_rows`, `too_many_rows`
 */
export function readXml(file: string, bytes: Buffer, encoding: string): Promise<Table> {
  const text = bytes.toString('utf8')
  const document = xmlValue(text)
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
  const own = ownEntity(text)
  if (own !== undefined)
    notes.push(
      `it defines abbreviations of its own, such as ${own}, which stay as they are: write them out in the file`,
    )
  return tableOfItems({ file, fileType: 'xml', encoding, notes }, records)
}

/** An entity that a document defines and uses. None is expanded, since a few lines of them may stand for gigabytes. */
function ownEntity(text: string): string | undefined {
  const prolog = text.slice(0, PROLOG_BYTES)
  const codes = new Set(Array.from(prolog.matchAll(/<!ENTITY\s+([\w.-]{1,60})\s/g), ([, name]) => `&${name};`))
  if (codes.size === 0) return undefined
  for (const [code] of text.slice(prolog.lastIndexOf('<!ENTITY')).matchAll(/&[\w.-]{1,60};/g))
    if (codes.has(code) && decodeHTMLStrict(code) === code) return code
  return undefined
}
