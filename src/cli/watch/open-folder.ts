import { mkdir, realpath, stat } from 'node:fs/promises'
import { codeOf } from '../../contract/code-of.ts'
import { CliError, toCliError, usageError } from '../errors/cli-error.ts'

/**
 * Creates the folder to watch if it is missing. Links inside it are never followed; a link to it is, since the operator
 * named it.
 *
 * @returns its real path
 * @throws {CliError} usage, when it is not a folder
 */
export async function openWatchedFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) throw usageError(`${folder} is not a folder`)
  return realpath(folder)
}

/** Why files wait, with a hint if the user must act. An unreachable server may come back by itself. */
export function reasonToWait(error: unknown): string {
  const { message, hints } = toCliError(error)
  return error instanceof CliError && hints[0] !== undefined ? `${message} (${hints[0]})` : message
}

/** Logged at start when nothing could be imported; otherwise only the first file would reveal it, perhaps days later. */
export function notReadyLine(error: unknown): string {
  return `Not ready; files are kept and tried again later: ${reasonToWait(error)}.`
}
