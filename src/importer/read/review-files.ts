import { IMPORT_FILE_BYTES } from '../../contract/limits.ts'
import { ImporterError, type ImporterErrorCode } from '../importer-error.ts'
import { checkFileSize, sizeAndLimit } from './table.ts'

/** Total unpacked size of the review files of an archive or folder: about the paid plan's cap of reviews. */
const MAX_IMPORT_BYTES = 4 * IMPORT_FILE_BYTES

/** Each is a table of its own, with its own report. */
export const MAX_FILES = 10_000

/** A file of a folder or archive, or a sheet of a workbook, that was not imported, and why. */
export interface PassedOverFile {
  file: string
  code: ImporterErrorCode | 'no_review_file' | 'beside_takeout' | 'earlier_errors' | 'hidden_sheet'
  /** A sentence fragment, without the file name. */
  reason: string
}

/** Those of a Google Takeout or, when there are none, every CSV, JSON, XML or XLSX file. */
export function reviewFiles(names: readonly string[]): string[] {
  const takeout = takeoutFiles(names)
  if (takeout.length > 0) return takeout
  return visible(names)
    .filter((name) => REVIEW_FILE.test(name) && !/errors\.csv$/i.test(name))
    .sort()
}

/** The review files of a Google Takeout, named `reviews.json` and `reviews-<token>.json` among much else. */
export function takeoutFiles(names: readonly string[]): string[] {
  return visible(names)
    .filter((name) => /(?:^|\/)reviews(?:[-_ (][^/]*)?\.json$/i.test(name))
    .sort()
}

/** Why each other file of a folder or archive is not read. Files left behind by operating systems are not listed. */
export function passedOverIn(names: readonly string[]): PassedOverFile[] {
  const chosen = new Set(reviewFiles(names))
  const code = takeoutFiles(names).length > 0 ? 'beside_takeout' : 'earlier_errors'
  const codeOf = (file: string) => {
    if (isArchive(file)) return 'nested_archive'
    return REVIEW_FILE.test(file) && visible([file]).length > 0 ? code : 'no_review_file'
  }
  const others = names.filter((name) => !chosen.has(name) && !SYSTEM.test(name)).sort()
  return others.map((file) => {
    const code = codeOf(file)
    return { file, code, reason: code === 'nested_archive' && !/\.zip$/i.test(file) ? UNPACK : REASONS[code] }
  })
}

const REASONS = {
  nested_archive: 'an archive, which is not read here: import it by itself',
  no_review_file: 'not a CSV, JSON, JSON lines, XML or XLSX file',
  beside_takeout: "not one of the Takeout's review files: import it by itself if it has reviews",
  earlier_errors: 'the skipped rows of an earlier import: correct them and import the file by itself',
}
/** Zip is the only archive format that is read. */
const UNPACK = 'a compressed file, which is not read: unpack it and import the result'
// With "s", since in a name with a line break each of many folders would be searched to there.
const SYSTEM = /(?:^|\/)(?:\.DS_Store|__MACOSX\/.*|\._[^/]*|Thumbs\.db|desktop\.ini)$/is
const REVIEW_FILE = /\.(?:csv|tsv|json|jsonl|ndjson|geojson|xml|xlsx)$/i

const NO_REVIEW_FILES: ReadonlySet<string> = new Set<PassedOverFile['code']>([
  'no_review_file',
  'beside_takeout',
  'earlier_errors',
  'hidden_sheet',
])

/** Whether any file that might hold reviews was not imported. */
export function hasUnreadFiles({ passedOver }: { passedOver: readonly { code: string }[] }): boolean {
  return passedOver.some(({ code }) => !NO_REVIEW_FILES.has(code))
}

/** Whether a file name has the extension of an archive. */
export function isArchive(name: string): boolean {
  return /\.(?:zip|gz|tgz|tar|7z|rar|bz2|xz)$/i.test(name)
}

function visible(names: readonly string[]): string[] {
  return names.filter((name) => !/(?:^|\/)(?:\.|__MACOSX\/)/.test(name))
}

/**
 * Rejects files that are too large, individually or together.
 *
 * @param files names and sizes in bytes
 * @throws ImporterError `file_too_large` or `archive_too_large`
 */
export function checkFileSizes(name: string, files: readonly { name: string; size: number }[]): void {
  if (files.length > MAX_FILES)
    throw new ImporterError(
      'archive_too_large',
      `${name} has more than ${MAX_FILES} review files. Import them in several parts.`,
    )
  for (const file of files) checkFileSize(file.name, file.size)
  const total = files.reduce((sum, file) => sum + file.size, 0)
  if (total <= MAX_IMPORT_BYTES) return
  const [have, limit] = sizeAndLimit(total, MAX_IMPORT_BYTES)
  throw new ImporterError(
    'archive_too_large',
    `The review files in ${name} are ${have} in total; one import takes at most ${limit}. Import them in several parts.`,
  )
}
