import { lstat, readdir, readFile, stat } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { type AsyncZipOptions, type AsyncZippable, zip } from 'fflate'
import { checkFileSizes, type PassedOverFile, passedOverIn, reviewFiles } from '../../importer/read/review-files.ts'
import { checkFileSize, type InputFile } from '../../importer/read/table.ts'
import { CliError, interruptedError, noSuchFile, usageError } from '../errors/cli-error.ts'
import { openInput } from '../open-input.ts'
import type { Reporter } from '../output/terminal.ts'

/** One import: a file, or a folder whose review files are merged. */
export interface ImportInput {
  /** As given by the user. */
  path: string
  isFolder: boolean
  /** Where its errors.csv goes by default. */
  errorsPath: string
  /** The content of standard input or another pipe, which can be read only once. */
  read?: InputFile
}

const STANDARD_INPUT = '-'

/**
 * The inputs that the arguments name: files, folders, glob patterns, and `-` for standard input, which is read here.
 *
 * @param options.fileName name for standard input; `stdin` unless set
 * @throws {CliError} usage; `no_file`
 */
export async function resolveInputs(
  args: readonly string[],
  options: { fileName: string | undefined; keyStdin: boolean; signal: AbortSignal; reporter: Reporter },
): Promise<ImportInput[]> {
  const { fileName, keyStdin, signal, reporter } = options
  if (!args.includes(STANDARD_INPUT)) {
    if (fileName !== undefined) throw usageError('--file-name is only for standard input', 'give - as the file')
    return inputsOf(args, signal)
  }
  if (keyStdin) throw usageError('standard input can be either the key or the file', 'give the key in PULLQUOTE_KEY')
  const files = await inputsOf(
    args.filter((argument) => argument !== STANDARD_INPUT),
    signal,
  )
  if (process.stdin.isTTY) reporter.info('Reading from the terminal; press Ctrl-D to end.')
  return [...files, await readOnce(process.stdin, 'standard input', fileName ?? 'stdin', signal)]
}

/**
 * Reads standard input, or a named pipe, to its end.
 *
 * @param source what is read, for messages
 * @param name name of the data in the report, and the base of its errors.csv path
 * @throws ImporterError `file_too_large`; CliError `no_file` when it is empty
 */
async function readOnce(stream: Readable, source: string, name: string, signal: AbortSignal): Promise<ImportInput> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of addAbortSignal(signal, stream)) {
      const bytes = Buffer.from(chunk)
      size += bytes.byteLength
      checkFileSize(name, size)
      chunks.push(bytes)
    }
  } catch (error) {
    if (signal.aborted) throw interruptedError('interrupted; nothing was imported')
    throw error
  }
  if (size === 0)
    throw new CliError(`${source} is empty`, {
      code: 'no_file',
      hints: ['send a file: … | pullquote reviews import -'],
    })
  return { path: name, isFolder: false, errorsPath: errorsPathOf(name), read: { name, bytes: Buffer.concat(chunks) } }
}

/**
 * Files, folders and patterns with `*`, `?` and `**`, for shells that do not expand them.
 *
 * @throws CliError `no_file`
 */
async function inputsOf(args: readonly string[], signal: AbortSignal): Promise<ImportInput[]> {
  const inputs = new Map<string, ImportInput>()
  const errorsPaths = new Set<string>()
  for (const argument of args) {
    for (const path of await pathsOf(argument)) {
      const found = await stat(path).catch(() => undefined)
      if (!found) throw noSuchFile(path)
      if (inputs.has(resolve(path))) continue
      // A pipe such as `<(zcat reviews.csv.gz)` can be read only once, and errors.csv cannot be written beside it.
      if (!found.isFile() && !found.isDirectory()) {
        const read = await readOnce(await openInput(path), path, basename(path), signal)
        inputs.set(resolve(path), { ...read, path })
        continue
      }
      const usual = errorsPathOf(path)
      // `reviews.csv` and `reviews.json` have one each.
      const errorsPath = errorsPaths.has(usual) ? `${withoutSlash(path)}.errors.csv` : usual
      errorsPaths.add(errorsPath)
      inputs.set(resolve(path), { path, isFolder: found.isDirectory(), errorsPath })
    }
  }
  return [...inputs.values()]
}

/** `reviews.errors.csv` for `reviews.csv`, and beside the folder for a folder. */
function errorsPathOf(path: string): string {
  // For `.` this is beside the current folder, not a hidden file in it.
  const named = /(?:^|[/\\])\.{1,2}$/.test(withoutSlash(path)) ? resolve(path) : withoutSlash(path)
  return `${named.replace(/\.(?:csv|tsv|json|jsonl|ndjson|geojson|xml|xlsx|zip|txt)$/i, '')}.errors.csv`
}

function withoutSlash(path: string): string {
  return path.replace(/[/\\]+$/, '')
}

async function pathsOf(argument: string): Promise<string[]> {
  if (!/[*?]/.test(argument) || (await stat(argument).catch(() => undefined))) return [argument]
  const found = await matching(argument)
  if (found.length === 0)
    throw new CliError(`no file matches ${argument}`, { code: 'no_file', hints: ['check the pattern'] })
  return found
}

async function matching(pattern: string): Promise<string[]> {
  const segments = pattern.split(/[/\\]/)
  const firstOpen = segments.findIndex((segment) => /[*?]/.test(segment))
  const root = segments.slice(0, firstOpen).join('/') || (pattern.startsWith('/') ? '/' : '.')
  const expression = new RegExp(
    `^${segments.slice(firstOpen).map(segmentPattern).join('/').replaceAll('(?:.*)/', '(?:.*/)?')}$`,
  )
  const deep = segments.slice(firstOpen).length > 1
  const names = await readdir(root, { recursive: deep }).catch(() => [])
  return names
    .map((name) => name.split(sep).join('/'))
    .filter((name) => expression.test(name) && !/errors\.csv$/i.test(name))
    .sort()
    .map((name) => (root === '.' && !pattern.startsWith('.') ? name : join(root, name)))
}

function segmentPattern(segment: string): string {
  if (segment === '**') return '(?:.*)'
  return segment
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]')
}

/**
 * Reads an input after checking its size; see {@link readFolder} for folders.
 *
 * @throws ImporterError `file_too_large` or `archive_too_large`, before anything is read
 */
export async function readInput(input: ImportInput): Promise<InputFile & { passedOver?: PassedOverFile[] }> {
  const { path, isFolder, read } = input
  if (read) return read
  if (isFolder) {
    const entries = await entriesIn(path)
    const named = (isFile: boolean) => entries.filter((entry) => entry.isFile === isFile).map(({ name }) => name)
    return readFolder(path, named(true), { irregular: named(false) })
  }
  checkFileSize(path, (await stat(path)).size)
  return { name: basename(path), bytes: await readFile(path) }
}

/** Everything below a folder except folders, as relative paths with slashes. Links are not followed. */
export async function entriesIn(folder: string): Promise<{ name: string; isFile: boolean }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  // A folder whose name is not in UTF-8 cannot be opened: Node 26 lists nothing of it, earlier versions fail by themselves.
  for (const { name, parentPath } of entries) if (name.includes('\ufffd')) await lstat(join(parentPath, name))
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => ({
      name: relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'),
      isFile: entry.isFile(),
    }))
}

const pack = promisify<AsyncZippable, AsyncZipOptions, Uint8Array>(zip)

/**
 * Packs a folder's review files into one archive, so that an export of several files is one import, and lists what is
 * not imported.
 *
 * @param names the regular files below the folder
 * @param options.irregular whatever else is there, such as links
 * @throws ImporterError `file_too_large` or `archive_too_large`, before anything is read
 */
export async function readFolder(
  path: string,
  names: readonly string[],
  {
    irregular = [],
    read = (file) => readFile(file),
  }: { irregular?: readonly string[]; read?: (path: string) => Promise<Uint8Array> } = {},
): Promise<InputFile & { passedOver: PassedOverFile[] }> {
  const wanted = reviewFiles(names)
  const name = basename(resolve(path))
  const passedOver: PassedOverFile[] = [
    ...passedOverIn(names),
    ...irregular.map((file) => ({
      file,
      code: 'no_review_file' as const,
      reason: 'a link or something else that is not an ordinary file',
    })),
  ].map((one) => ({ ...one, file: `${name}/${one.file}` }))
  if (wanted.length === 0) {
    const archives = passedOver.filter(({ code }) => code === 'nested_archive').map(({ file }) => file)
    throw usageError(
      `${path} contains no CSV, JSON, JSON lines, XML or XLSX file`,
      archives.length > 0
        ? `the archives in it are not read; import a zip by itself, and unpack others: ${archives.slice(0, 5).join(', ')}${archives.length > 5 ? ', …' : ''}`
        : 'give the folder of an export',
    )
  }
  const sizes = await Promise.all(wanted.map(async (name) => ({ name, size: (await lstat(join(path, name))).size })))
  checkFileSizes(path, sizes)
  const entries: [string, Uint8Array][] = []
  for (const name of wanted) entries.push([name, await read(join(path, name))])
  // Compressed in worker threads, since a server that watches the folder does this while serving requests.
  const bytes = await pack(Object.fromEntries(entries), { level: 6 })
  checkFileSize(name, bytes.byteLength)
  return { name, bytes, passedOver }
}
