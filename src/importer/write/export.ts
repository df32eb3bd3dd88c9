import { IMPORT_FILE_BYTES } from '../../contract/limits.ts'
import type { StoredReview } from '../../contract/review.ts'
import { escapeMetadata } from '../read/cell-escape.ts'
import { BYTE_ORDER_MARK, csvLine } from './csv.ts'

const COLUMNS = [
  'external_id',
  'source',
  'rating',
  'text',
  'author_name',
  'author_avatar_url',
  'occurred_at',
  'url',
  'language',
  'hidden',
] as const

/** What of a stored review was put in, and so can be put in again. */
export type ExportedReview = Pick<StoredReview, (typeof COLUMNS)[number] | 'metadata'>

/** A review without what the server added by itself, so that a long list of them stays small. */
export function toExportedReview(review: StoredReview): ExportedReview {
  return Object.fromEntries([...COLUMNS, 'metadata' as const].map((name) => [name, review[name]])) as ExportedReview
}

export interface ExportWriter {
  /** The text that begins each file. */
  head(): string
  /** One review's lines. */
  line(review: ExportedReview): string
}

/** JSON lines: one object a line, with the fields of the push API and `hidden`. */
export function jsonLinesWriter(): ExportWriter {
  return {
    head: () => '',
    line: (review) => {
      const fields = COLUMNS.map((name) => [name, review[name]] as const).filter(([, value]) => value !== null)
      return `${JSON.stringify({ ...Object.fromEntries(fields), metadata: review.metadata })}\n`
    },
  }
}

/**
 * CSV with one column for each metadata key, as `metadata.<key>`. Cells that a spreadsheet would run are escaped; the
 * importer knows the format by its columns and takes that back.
 *
 * @param metadataKeys every key that any of the reviews has
 */
export function csvWriter(metadataKeys: readonly string[]): ExportWriter {
  return {
    head: () => BYTE_ORDER_MARK + csvLine([...COLUMNS, ...metadataKeys.map((key) => `metadata.${key}`)]),
    line: (review) => {
      const values = COLUMNS.map((name) => String(review[name] ?? ''))
      const metadata = new Map(Object.entries(review.metadata))
      return csvLine([
        ...values,
        ...metadataKeys.map((key) => {
          const value = metadata.get(key)
          return value === undefined ? '' : escapeMetadata(value)
        }),
      ])
    },
  }
}

/**
 * Cuts an export into files that the importer takes, each at most 10 MiB with its own header.
 *
 * @yields pieces of text and the number of the file that each belongs to, from 1
 */
export function* exportFiles(
  reviews: Iterable<ExportedReview>,
  writer: ExportWriter,
  limit = IMPORT_FILE_BYTES,
): Generator<{ file: number; text: string }> {
  let file = 1
  let text = writer.head()
  let bytes = Buffer.byteLength(text)
  for (const review of reviews) {
    const line = writer.line(review)
    const length = Buffer.byteLength(line)
    if (bytes + length > limit) {
      yield { file, text }
      file++
      text = writer.head()
      bytes = Buffer.byteLength(text)
    }
    text += line
    bytes += length
    if (text.length > 256 * 1024) {
      yield { file, text }
      text = ''
    }
  }
  yield { file, text }
}
