import { mkdir, realpath, stat } from 'node:fs/promises'
import { codeOf } from '../../contract/code-of.ts'
import { CliError, toCliError, usageError } from '../errors/cli-error.ts'

/**
 * Makes the folder to watch where it is missing. Links in it are not followed; one that leads to it was named by who may
 * say so.
 *
 * @returns where it is
 * @throws {CliError} usage: it is no folder
 */
export async function openWatchedFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) throw usageError(`${folder} is no folder`)
  return realpath(folder)
}

/** Why files wait, with what to do about it where somebody has to. A server that is away may come back by itself. */
export function reasonToWait(error: unknown): string {
  const { message, hints } = toCliError(error)
  return error instanceof CliError && hints[0] !== undefined ? `${message} (${hints[0]})` : message
}

/** The line for a start at which nothing could be imported; without it the first file would tell, perhaps days later. */
export function notReadyLine(error: unknown): string {
  return `Not ready, files are kept and tried later: ${reasonToWait(error)}.`
}
