import { lstat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Environment } from '../../contract/review.ts'
import { type ImportOptions, parseMapping } from '../../importer/formats/mapping.ts'
import { locateJsonError } from '../../importer/read/json/json-fault.ts'
import { CliError } from '../errors/cli-error.ts'
import { loadMapping, savedMappings } from '../import/saved-mappings.ts'
import { NotRegularFile, readRegularFile } from './snapshot.ts'

/** Folders that the watch creates itself. */
export const DONE_FOLDERS = { imported: 'imported', failed: 'failed' } as const
const MAPPING_FILE = 'mapping.json'
const MAPPING_BYTES = 256 * 1024
/** Incomplete files of browsers, copy tools and editors, what they note about them, and files that operating systems leave behind. */
const UNFINISHED =
  /^[.~]|^#.*#$|(?:\.(?:part|partial|tmp|temp|crdownload|opdownload|download|swp|filepart|aria2(?:__temp)?|lftp-pget-status|st|!qb)|~)$|^(?:Thumbs\.db|desktop\.ini)$/i

/** Import settings implied by a file's location in the watched folder. */
export interface Placement {
  /** Default: the environment of the command. */
  env: Environment | undefined
  /** From the folder's own mapping, or the saved one of that name; may be empty. */
  options: ImportOptions | undefined
}

/** Whether a path below the watched folder is never imported. */
export function isIgnored(dir: string, path: string): boolean {
  const segments = relative(dir, path).split(sep)
  const [name = ''] = segments.slice(-1)
  if (segments.some((segment) => segment in DONE_FOLDERS || UNFINISHED.test(segment))) return true
  return name === MAPPING_FILE
}

/**
 * `live/` and `test/` are the environments; any other folder, inside or beside them, is named after a saved mapping or
 * contains a `mapping.json`. A `mapping.json` in a file's own folder applies to it.
 *
 * @param path a file, or a folder that is one import
 * @returns a message instead when the containing folder has no such meaning
 * @throws ImporterError or CliError `bad_mapping`
 */
export async function placementOf(dir: string, path: string, configDir: string): Promise<Placement | string> {
  const { folders, env, rest } = foldersOf(dir, path)
  const [name, ...deeper] = rest
  if (deeper.length > 0)
    return `${folders.join('/')} is nested too deep: files may be in the watched folder, in live or test, and in a mapping's folder`
  const own = await mappingIn(dir, join(dir, ...folders))
  if (own) return { env, options: own }
  if (name === undefined) return { env, options: undefined }
  if ((await savedMappings(configDir)).includes(name)) return { env, options: await loadMapping(configDir, name) }
  return `${name} is neither an environment nor a saved mapping, and contains no ${MAPPING_FILE}: its files are not imported`
}

/** The folder dropped here as a whole that contains a file: one that is neither an environment nor a mapping's. */
export async function droppedFolderOf(dir: string, path: string, configDir: string): Promise<string | undefined> {
  const { folders, env, rest } = foldersOf(dir, path)
  const above = env === undefined ? [] : folders.slice(0, 1)
  const [name] = rest
  if (name === undefined) return undefined
  const isMapping = (await hasMapping(join(dir, ...above, name))) || (await savedMappings(configDir)).includes(name)
  if (!isMapping) return join(dir, ...above, name)
  return rest[1] === undefined ? undefined : join(dir, ...above, name, rest[1])
}

/** The folders between the watched one and a path; `rest` is without the environment's. */
function foldersOf(dir: string, path: string): { folders: string[]; env: Environment | undefined; rest: string[] } {
  const folders = relative(dir, path).split(sep).slice(0, -1)
  const env = folders[0] === 'live' ? 'live' : folders[0] === 'test' ? 'test' : undefined
  return { folders, env, rest: env === undefined ? folders : folders.slice(1) }
}

async function hasMapping(folder: string): Promise<boolean> {
  return (await lstat(join(folder, MAPPING_FILE)).catch(() => undefined)) !== undefined
}

/**
 * The folder's own mapping. Whoever can drop files here could link to any file, so links are not followed and the
 * content is not quoted in errors.
 */
async function mappingIn(root: string, folder: string): Promise<ImportOptions | undefined> {
  if (!(await hasMapping(folder))) return undefined
  const where = relative(root, join(folder, MAPPING_FILE))
  const bytes = await readRegularFile(root, join(folder, MAPPING_FILE), (size) => {
    if (size > MAPPING_BYTES) throw badMapping(`${where} is too long for a mapping`)
  }).catch((error: unknown) => {
    throw error instanceof NotRegularFile ? badMapping(`${where}: ${error.message}`) : error
  })
  // Without a byte order mark, as editors on Windows write it.
  const text = new TextDecoder().decode(bytes)
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    const { line, column } = locateJsonError(text)
    throw badMapping(`${where} is not valid JSON (line ${line}, column ${column})`)
  }
  return parseMapping(parsed)
}

function badMapping(message: string): CliError {
  return new CliError(message, { code: 'bad_mapping', hints: ['put a valid mapping there, as an ordinary file'] })
}
