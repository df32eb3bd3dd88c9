import { realpath, stat } from 'node:fs/promises'
import { ignoreCodes } from '../../contract/code-of.ts'
import { makeFolder } from '../../make-folder.ts'
import { usageError } from '../errors/cli-error.ts'

/**
 * Creates the folder to watch if it is missing. Links inside it are never followed; a link to it is, since the operator
 * named it.
 *
 * @returns its real path
 * @throws {CliError} usage, when it is not a folder
 */
export async function openWatchedFolder(folder: string): Promise<string> {
  await makeFolder(folder).catch(ignoreCodes('EEXIST'))
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) throw usageError(`${folder} is not a folder`)
  return realpath(folder)
}
