import { Unzip, UnzipInflate, unzipSync } from 'fflate'
import { ImporterError } from '../importer-error.ts'
import { checkFileSizes, isArchive, MAX_FILES, type PassedOverFile, passedOverIn, reviewFiles } from './review-files.ts'
import { refuseOfficeArchive } from './sniff.ts'
import type { InputFile } from './table.ts'

/** Compressed bytes per step: deflate expands at most 1,032 times, so no step produces more than 5 MiB. */
const STEP_BYTES = 4_096

export interface Entry {
  name: string
  /** Bytes, as declared in the archive's central directory. */
  size: number
}

/**
 * The review files inside a zip. Every declared size is checked before anything is unpacked, and unpacking stops at the
 * first byte beyond it, so an archive that lies about its sizes costs neither memory nor time.
 *
 * @throws ImporterError `bad_archive`, `unsafe_archive`, `archive_too_large`, `no_rows`, or the advice for office files
 */
export function* unzipReviews(
  archive: InputFile,
  passOver: (one: PassedOverFile) => void = () => {},
): Generator<InputFile> {
  const entries = entriesOf(archive)
  const names = entries.map((entry) => entry.name)
  refuseOfficeArchive(archive.name, names)
  const unsafe = names.find(isUnsafePath)
  if (unsafe !== undefined)
    throw new ImporterError(
      'unsafe_archive',
      `${archive.name} contains the path ${JSON.stringify(unsafe)}, which leads out of the archive. Nothing was imported.`,
    )
  if (new Set(names).size < names.length)
    throw new ImporterError(
      'unsafe_archive',
      `${archive.name} contains one path twice. Unpack it and import the folder.`,
    )
  const chosen = new Set(reviewFiles(names))
  for (const one of passedOverIn(names)) passOver({ ...one, file: `${archive.name}/${one.file}` })
  if (chosen.size === 0)
    throw new ImporterError(
      'no_rows',
      names.some(isArchive)
        ? `${archive.name} contains no CSV, JSON or JSON lines file, only other archives: unpack it and import those.`
        : `${archive.name} contains no CSV, JSON or JSON lines file.`,
    )
  const wanted = entries.filter((entry) => chosen.has(entry.name))
  checkFileSizes(archive.name, wanted)
  const unpacked = unpackEntries(archive, wanted)
  for (const [name, bytes] of unpacked) {
    unpacked.delete(name)
    yield { name: `${archive.name}/${name}`, bytes }
  }
}

/**
 * The entries of the central directory. It stands at the end of the file, so a truncated download is noticed here.
 *
 * @throws ImporterError `bad_archive`, `archive_too_large`
 */
export function entriesOf(archive: InputFile): Entry[] {
  const entries: Entry[] = []
  let count = 0
  try {
    unzipSync(archive.bytes, {
      filter: ({ name, originalSize }) => {
        if (++count > MAX_FILES) throw new ImporterError('archive_too_large', tooMany(archive.name))
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
  return `${name} contains more than ${MAX_FILES} files. Unpack it and import the review files.`
}

/**
 * Unpacks the wanted entries in one pass; each must have exactly the size that the directory declares.
 *
 * @throws ImporterError `bad_archive`
 */
export function unpackEntries(archive: InputFile, wanted: readonly Entry[]): Map<string, Uint8Array> {
  const sizes = new Map(wanted.map((entry) => [entry.name, entry.size]))
  const unpacked = new Map<string, Uint8Array>()
  const unzip = new Unzip((file) => {
    const size = sizes.get(file.name)
    if (size === undefined || unpacked.has(file.name)) return
    const target = new Uint8Array(size)
    let filled = 0
    file.ondata = (error, chunk, final) => {
      if (error) throw error
      // Throws when the chunk exceeds the declared size.
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
  // Empty files emit no data.
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

function isUnsafePath(name: string): boolean {
  return name.startsWith('/') || /^[A-Za-z]:/.test(name) || name.includes('\0') || name.split(/[/\\]/).includes('..')
}
