import { Unzip, UnzipInflate, unzipSync } from 'fflate'
import { IMPORT_FILE_BYTES } from '../../contract/limits.ts'
import { ImporterError } from '../importer-error.ts'
import type { PassedOverFile } from './open-tables.ts'
import { refuseOfficeArchive } from './sniff.ts'
import { checkFileSize, type InputFile, megabytes } from './table.ts'

const MAX_ENTRIES = 10_000
/** All review files of one archive or folder together, unpacked: about the paid plan's cap of reviews. */
export const MAX_IMPORT_BYTES = 4 * IMPORT_FILE_BYTES

/** Packed bytes unpacked at a time: deflate gives at most 1,032 times as many, so no step makes more than 5 MiB. */
const STEP_BYTES = 4_096

interface Entry {
  name: string
  /** Bytes, as the directory of the archive declares them. */
  size: number
}

/**
 * The review files inside a zip. Every declared size is checked before a byte is unpacked, and unpacking stops at the
 * first byte beyond it, so that an archive that lies about its sizes costs neither memory nor time.
 *
 * @throws ImporterError `bad_archive`, `unsafe_archive`, `archive_too_large`, `no_rows`, or the advice for office files
 */
export function* unzipReviews(
  archive: InputFile,
  passOver: (one: PassedOverFile) => void = () => {},
): Generator<InputFile> {
  const entries = listEntries(archive)
  const names = entries.map((entry) => entry.name)
  refuseOfficeArchive(archive.name, names)
  const unsafe = names.find(isUnsafePath)
  if (unsafe !== undefined)
    throw new ImporterError(
      'unsafe_archive',
      `${archive.name} holds the path ${JSON.stringify(unsafe)}, which leads out of the archive. Nothing was imported.`,
    )
  if (new Set(names).size < names.length)
    throw new ImporterError('unsafe_archive', `${archive.name} holds one path twice. Unpack it and import the folder.`)
  const chosen = new Set(reviewFiles(names))
  for (const one of passedOverIn(names)) passOver({ ...one, file: `${archive.name}/${one.file}` })
  if (chosen.size === 0)
    throw new ImporterError(
      'no_rows',
      names.some(isArchive)
        ? `${archive.name} holds no CSV, JSON or JSON lines file, only further archives: unpack it and import these.`
        : `${archive.name} holds no CSV, JSON or JSON lines file.`,
    )
  const wanted = entries.filter((entry) => chosen.has(entry.name))
  checkFileSizes(archive.name, wanted)
  const unpacked = unpack(archive, wanted)
  for (const [name, bytes] of unpacked) {
    unpacked.delete(name)
    yield { name: `${archive.name}/${name}`, bytes }
  }
}

/** The archive's own directory. It stands at the end, so that a download that broke off is noticed here. */
function listEntries(archive: InputFile): Entry[] {
  const entries: Entry[] = []
  let count = 0
  try {
    unzipSync(archive.bytes, {
      filter: ({ name, originalSize }) => {
        if (++count > MAX_ENTRIES) throw new ImporterError('archive_too_large', tooMany(archive.name))
        if (!name.endsWith('/')) entries.push({ name, size: Math.max(originalSize, 0) })
        return false
      },
    })
  } catch (error) {
    throw error instanceof ImporterError ? error : badArchive(archive.name)
  }
  return entries
}

function tooMany(name: string): string {
  return `${name} holds more than ${MAX_ENTRIES} files. Unpack it and import the review files.`
}

/** Unpacks the wanted entries in one pass; each must come out at exactly the size that the directory declares. */
function unpack(archive: InputFile, wanted: readonly Entry[]): Map<string, Uint8Array> {
  const sizes = new Map(wanted.map((entry) => [entry.name, entry.size]))
  const unpacked = new Map<string, Uint8Array>()
  const unzip = new Unzip((file) => {
    const size = sizes.get(file.name)
    if (size === undefined || unpacked.has(file.name)) return
    const target = new Uint8Array(size)
    let filled = 0
    file.ondata = (error, chunk, final) => {
      if (error) throw error
      // Throws past the declared size.
      target.set(chunk, filled)
      filled += chunk.length
      if (final && filled === size) unpacked.set(file.name, target)
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  const { bytes } = archive
  try {
    for (let at = 0; at < bytes.length; at += STEP_BYTES)
      unzip.push(bytes.subarray(at, at + STEP_BYTES), at + STEP_BYTES >= bytes.length)
  } catch {
    throw badArchive(archive.name)
  }
  // Of an empty file nothing comes out.
  for (const { name, size } of wanted) if (size === 0) unpacked.set(name, new Uint8Array(0))
  for (const { name } of wanted) if (!unpacked.has(name)) throw badArchive(`${archive.name}/${name}`)
  return unpacked
}

function badArchive(name: string): ImporterError {
  return new ImporterError(
    'bad_archive',
    `${name} could not be unpacked: the archive is damaged, encrypted or incomplete. Download it again, or unpack it yourself.`,
  )
}

/**
 * Refuses a set of files that are too large one by one or together.
 *
 * @param files names and sizes in bytes
 * @throws ImporterError `file_too_large` or `archive_too_large`
 */
export function checkFileSizes(name: string, files: readonly { name: string; size: number }[]): void {
  for (const file of files) checkFileSize(file.name, file.size)
  const total = files.reduce((sum, file) => sum + file.size, 0)
  if (total > MAX_IMPORT_BYTES)
    throw new ImporterError(
      'archive_too_large',
      `The review files in ${name} have ${megabytes(total)} together; one import takes ${megabytes(MAX_IMPORT_BYTES)}. Import them in several goes.`,
    )
}

function isUnsafePath(name: string): boolean {
  return name.startsWith('/') || /^[A-Za-z]:/.test(name) || name.includes('\0') || name.split(/[/\\]/).includes('..')
}

/**
 * The files of a folder or archive that hold reviews: those of a Google Takeout; where there is none of these, every CSV
 * or JSON file counts.
 */
export function reviewFiles(names: readonly string[]): string[] {
  const takeout = takeoutFiles(names)
  if (takeout.length > 0) return takeout
  return visible(names)
    .filter((name) => REVIEW_FILE.test(name) && !/errors\.csv$/i.test(name))
    .sort()
}

/** The pages of reviews of a Google Takeout, which names them `reviews.json` and `reviews-<token>.json` among much else. */
export function takeoutFiles(names: readonly string[]): string[] {
  return visible(names)
    .filter((name) => /(?:^|\/)reviews(?:[-_ (][^/]*)?\.json$/i.test(name))
    .sort()
}

/**
 * Why each of the other files of a folder or archive is not read. What systems leave about is no file of anybody's and
 * is not named.
 */
export function passedOverIn(names: readonly string[]): PassedOverFile[] {
  const chosen = new Set(reviewFiles(names))
  const isTakeout = takeoutFiles(names).length > 0
  return names
    .filter((name) => !chosen.has(name) && !SYSTEM.test(name))
    .sort()
    .map((file) => {
      if (isArchive(file))
        return { file, code: 'nested_archive', reason: 'an archive inside, which is not read: import it by itself' }
      if (!REVIEW_FILE.test(file) || visible([file]).length === 0)
        return { file, code: 'no_review_file', reason: 'no CSV, JSON or JSON lines file' }
      if (isTakeout)
        return {
          file,
          code: 'beside_takeout',
          reason: "none of the Takeout's reviews: import it by itself if it has some",
        }
      return {
        file,
        code: 'earlier_errors',
        reason: 'the skipped rows of an earlier import: mend it and import it by itself',
      }
    })
}

const SYSTEM = /(?:^|\/)(?:\.DS_Store|__MACOSX\/.*|\._[^/]*|Thumbs\.db|desktop\.ini)$/i
const REVIEW_FILE = /\.(?:csv|tsv|json|jsonl|ndjson|geojson)$/i

function isArchive(name: string): boolean {
  return /\.(?:zip|gz|tgz|tar|7z|rar|bz2|xz)$/i.test(name)
}

function visible(names: readonly string[]): string[] {
  return names.filter((name) => !/(?:^|\/)(?:\.|__MACOSX\/)/.test(name))
}
