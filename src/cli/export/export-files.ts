import { extname } from 'node:path'
import type { Client } from '../../client/client.ts'
import { createPrivateFile, type PrivateFile } from '../../client/private-file.ts'
import { LIST_LIMIT } from '../../contract/limits.ts'
import {
  csvWriter,
  type ExportedReview,
  exportFiles,
  jsonLinesWriter,
  toExportedReview,
} from '../../importer/write/export.ts'
import { usageError } from '../errors/cli-error.ts'

/** All reviews of the key's project and environment, of one source when it is given, in the list's order. */
export async function allReviews(
  client: Client,
  options: { source?: string | undefined; signal: AbortSignal; onPage: (count: number) => void },
): Promise<ExportedReview[]> {
  const reviews: ExportedReview[] = []
  let cursor: string | undefined
  do {
    const page = await client.list({ source: options.source, limit: LIST_LIMIT.max, cursor }, options.signal)
    for (const review of page.reviews) reviews.push(toExportedReview(review))
    options.onPage(reviews.length)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return reviews
}

export type ExportFormat = 'csv' | 'jsonl'

const ENDINGS: Record<string, ExportFormat> = { csv: 'csv', jsonl: 'jsonl', ndjson: 'jsonl' }

/**
 * What a file's ending says, or what was chosen; `undefined` stands for standard output.
 *
 * @throws {CliError} usage, where the two disagree, or neither says
 */
export function exportFormat(file: string | undefined, chosen: ExportFormat | undefined): ExportFormat {
  if (file === undefined) return chosen ?? 'csv'
  const ending = extname(file).slice(1).toLowerCase()
  const byEnding = Object.hasOwn(ENDINGS, ending) ? ENDINGS[ending] : undefined
  if (/^(?:gz|zip|bz2|xz|zst)$/.test(ending)) {
    throw usageError(
      `${file} would not be compressed, whatever its name says`,
      'write to standard output: pullquote reviews export --format jsonl | gzip > FILE',
    )
  }
  if (chosen !== undefined && byEnding !== undefined && chosen !== byEnding) {
    throw usageError(
      `${file} ends like ${byEnding}, and --format says ${chosen}`,
      'leave --format out, or name it otherwise',
    )
  }
  const format = chosen ?? byEnding
  if (format !== undefined) return format
  throw usageError(
    `the name ${file} does not say in which format to write`,
    'end it in .csv or .jsonl, or choose with --format',
  )
}

/** An export in pieces of text, each with the number of its file: no file is larger than an import takes. */
export function exportPieces(reviews: readonly ExportedReview[], format: ExportFormat, limit?: number) {
  const keys = new Set<string>()
  if (format === 'csv') for (const review of reviews) for (const key of Object.keys(review.metadata)) keys.add(key)
  return exportFiles(reviews, format === 'csv' ? csvWriter([...keys]) : jsonLinesWriter(), limit)
}

/** The name of the first, second … file of an export. */
export function exportName(path: string, file: number): string {
  return file === 1 ? path : path.replace(/(\.[^./\\]+)?$/, `.${file}$1`)
}

/**
 * Writes an export beside its final names and renames at the end, so that a broken run leaves no half file behind.
 * A second file and further ones, past the size that an import takes, are `name.2.csv`, `name.3.csv` …
 *
 * @param options.replace files that are there
 * @returns the files
 * @throws {FileExists}
 */
export async function writeExport(
  path: string,
  reviews: readonly ExportedReview[],
  format: ExportFormat,
  options: { replace: boolean },
): Promise<string[]> {
  const written: PrivateFile[] = []
  try {
    for (const { file, text } of exportPieces(reviews, format)) {
      if (file > written.length) {
        written.push(await createPrivateFile(exportName(path, file), options))
      }
      await written.at(-1)?.handle.writeFile(text)
    }
    for (const one of written) await one.commit()
    return written.map((one) => one.path)
  } finally {
    for (const one of written) await one.discard()
  }
}
