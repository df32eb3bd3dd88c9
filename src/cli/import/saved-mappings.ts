import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writePrivateFile } from '../../client/private-file.ts'
import { type ImportOptions, parseMapping } from '../../importer/formats/mapping.ts'
import { makeFolder } from '../../make-folder.ts'
import { STORED_NAME } from '../connection/settings.ts'
import { CliError, usageError } from '../errors/cli-error.ts'
import { suggestName } from '../errors/closest.ts'

function folderOf(configDir: string): string {
  return join(configDir, 'mappings')
}

/**
 * Loads a mapping by the name it was saved under, or from a file.
 *
 * @throws CliError `no_mapping`; ImporterError `bad_mapping`
 */
export async function loadMapping(configDir: string, nameOrFile: string): Promise<ImportOptions> {
  const isFile = /[/\\]|\.json$/i.test(nameOrFile)
  const path = isFile ? nameOrFile : join(folderOf(configDir), `${nameOrFile}.json`)
  const bytes = await readFile(path).catch(() => undefined)
  if (bytes === undefined) throw await noMapping(configDir, nameOrFile, isFile)
  let parsed: unknown
  try {
    // Without a byte order mark, as editors on Windows write it.
    parsed = JSON.parse(new TextDecoder().decode(bytes))
  } catch (error) {
    throw new CliError(`${path} is not valid JSON: ${error instanceof Error ? error.message : error}`, {
      code: 'bad_mapping',
    })
  }
  return parseMapping(parsed)
}

async function noMapping(configDir: string, name: string, isFile: boolean): Promise<CliError> {
  const otherwise = 'save one with: pullquote reviews import FILE --save-mapping NAME'
  const hint = isFile ? 'check the path' : suggestName(name, await savedMappings(configDir), otherwise)
  const message = isFile ? `there is no file ${name}` : `there is no saved mapping "${name}"`
  return new CliError(message, { code: 'no_mapping', hints: [hint] })
}

/** The names of the mappings saved on this machine. */
export async function savedMappings(configDir: string): Promise<string[]> {
  const names = await readdir(folderOf(configDir)).catch(() => [])
  return names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5))
}

/**
 * Saves a mapping under a name.
 *
 * @param confirmReplace called before a different mapping of that name is replaced; throws to refuse
 * @returns the file it was written to
 * @throws {CliError} usage, for an invalid name
 */
export async function saveMapping(
  configDir: string,
  name: string,
  options: ImportOptions,
  confirmReplace: (path: string) => Promise<void>,
): Promise<string> {
  if (!STORED_NAME.test(name))
    throw usageError(
      `"${name}" is not a valid name for a mapping`,
      'use letters, digits, dots, hyphens and underscores',
    )
  const path = join(folderOf(configDir), `${name}.json`)
  const text = `${JSON.stringify(options, null, 2)}\n`
  const earlier = await readFile(path, 'utf8').catch(() => undefined)
  if (earlier === text) return path
  if (earlier !== undefined) await confirmReplace(path)
  // Parent folders are made private as well: the profiles with their keys go there.
  await makeFolder(folderOf(configDir), 0o700)
  // Atomic, since a watched folder may be reading it.
  await writePrivateFile(path, text, { replace: true })
  return path
}
