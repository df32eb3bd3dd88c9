import { extname } from 'node:path'
import type { Client } from '../../client/client.ts'
import { createPrivateFile, type PrivateFile } from '../../client/private-file.ts'
import { ignoreCodes } from '../../contract/code-of.ts'
import { LIST_LIMIT } from '../../contract/limits.ts'
import {
  csvWriter,
  type ExportedReview,
  exportFiles,
  jsonLinesWriter,
  toExportedReview,
} from '../../importer/write/export.ts'
import { usageError } from '../errors/cli-error.ts'

/** All reviews of the key's project and environment, optionally of one source only, in the order of the list route. */
export async function allReviews(
  client: Pick<Client, 'list' | 'hiddenWords'>,
  options: { source?: string | undefined; signal: AbortSignal; onPage: (count: number) => void },
): Promise<ExportedReview[]> {
  const reviews: ExportedReview[] = []
  // A server of an earlier version does not tell them.
  const hidden = await client.hiddenWords(options.signal).catch(ignoreCodes('not_found'))
  let cursor: string | undefined
  do {
    const page = await client.list({ source: options.source, limit: LIST_LIMIT.max, cursor }, options.signal)
    for (const review of page.reviews) reviews.push(toExportedReview(review, hidden?.get(review.id)))
    options.onPage(reviews.length)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return reviews
}

export type ExportFormat = 'csv' | 'jsonl'

const ENDINGS: Record<string, ExportFormat> = { csv: 'csv', jsonl: 'jsonl', ndjson: 'jsonl' }

/**
 * The format by a file's extension or by choice (`--format`).
 *
 * @param file undefined for standard output
 * @throws {CliError} usage when the two disagree, when neither tells, or when the extension is one of a compressed file
 */
export function exportFormat(file: string | undefined, chosen: ExportFormat | undefined): ExportFormat {
  if (file === undefined) return chosen ?? 'csv'
  const ending = extname(file).slice(1).toLowerCase()
  const byEnding = Object.hasOwn(ENDINGS, ending) ? ENDINGS[ending] : undefined
  if (/^(?:gz|zip|bz2|xz|zst)$/.test(ending)) {
    throw usageError(
      `${file} would not be compressed, despite its name`,
      'write to standard output: pullquote reviews export --format jsonl | gzip > FILE',
    )
  }
  if (chosen !== undefined && byEnding !== undefined && chosen !== byEnding) {
    throw usageError(
      `${file} ends like ${byEnding}, and --format says ${chosen}`,
      'leave out --format, or choose another name',
    )
  }
  const format = chosen ?? byEnding
  if (format !== undefined) return format
  throw usageError(
    `the name ${file} does not say in which format to write`,
    'end the name in .csv or .jsonl, or use --format',
  )
}

/** An export in pieces of text, each with its file's number: no file is larger than an import accepts. */
export function exportPieces(reviews: readonly ExportedReview[], format: ExportFormat, limit?: number) {
  const keys = new Set<string>()
  if (format === 'csv') for (const review of reviews) for (const key of Object.keys(review.metadata)) keys.add(key)
  const hasHidden = reviews.some((review) => review.hidden_words !== undefined)
  return exportFiles(reviews, format === 'csv' ? csvWriter([...keys], hasHidden) : jsonLinesWriter(), limit)
}

/** The name of an export's n-th file, from 1. */
export function exportName(path: string, file: number): string {
  return file === 1 ? path : path.replace(/(\.[^./\\]+)?$/, `.${file}$1`)
}

/**
 * Writes an export to temporary files and renames them at the end, so that a failed run leaves no partial file. Past the
 * size that an import accepts it continues in `name.2.csv`, `name.3.csv` …
 *
 * @param options.replace overwrites existing files
 * @returns the paths written
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
      if (file > written.length) written.push(await createPrivateFile(exportName(path, file), options))
      await written.at(-1)?.handle.writeFile(text)
    }
    for (const one of written) await one.commit()
    return written.map((one) => one.path)
  } finally {
    for (const one of written) await one.discard()
  }
}
