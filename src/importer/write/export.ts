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

/** The fields of a stored review that were imported, and so can be imported again. */
export type ExportedReview = Pick<StoredReview, (typeof COLUMNS)[number] | 'metadata'> & {
  /** Sentences that do not appear, by their letters and digits, with blanks between them. */
  hidden_words?: string
}

/** Drops what the server added, so that a long list stays small. */
export function toExportedReview(review: StoredReview, hiddenWords?: readonly string[]): ExportedReview {
  const kept = Object.fromEntries([...COLUMNS, 'metadata' as const].map((name) => [name, review[name]]))
  return { ...(kept as ExportedReview), ...(hiddenWords && { hidden_words: hiddenWords.join(' ') }) }
}

export interface ExportWriter {
  /** The text at the start of each file. */
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
      const { metadata, hidden_words } = review
      return `${JSON.stringify({ ...Object.fromEntries(fields), hidden_words, metadata })}\n`
    },
  }
}

/**
 * CSV with one column for each metadata key, as `metadata.<key>`. Formulas are escaped; the importer recognizes the
 * format by its columns and reverses that.
 *
 * @param metadataKeys every key in any of the reviews
 * @param hasHidden whether a review has hidden words
 */
export function csvWriter(metadataKeys: readonly string[], hasHidden = false): ExportWriter {
  const columns = hasHidden ? [...COLUMNS, 'hidden_words' as const] : COLUMNS
  return {
    head: () => BYTE_ORDER_MARK + csvLine([...columns, ...metadataKeys.map((key) => `metadata.${key}`)]),
    line: (review) => {
      const values = columns.map((name) => String(review[name] ?? ''))
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
 * Splits an export into files that the importer accepts, each at most 10 MiB with its own header.
 *
 * @yields pieces of text and the number of their file, from 1
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
