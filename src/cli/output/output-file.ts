import { lstat } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { createPrivateFile, FileExists } from '../../client/private-file.ts'
import { codeOf } from '../../contract/code-of.ts'
import { CliError, usageError } from '../errors/cli-error.ts'
import { isAtTerminal, requireConfirmation } from '../prompts.ts'

/**
 * Checks that a file can be written before any work is done for it, and asks before an existing one is replaced.
 *
 * @param options.replace agreed beforehand, by --force
 * @returns whether an existing file may be replaced
 * @throws {CliError} usage; `declined` when the user answers no
 */
export async function prepareOutputFile(
  path: string,
  options: { replace: boolean; mayAsk: boolean; signal: AbortSignal },
): Promise<boolean> {
  // It would be a file of that name, while a pipe such as `| gpg` gets the command's own words.
  if (path === '-') throw usageError('this command does not write to standard output', 'name a file')
  const there = await lstat(path).catch(() => undefined)
  if (there?.isDirectory()) throw usageError(`${path} is a folder`, 'name a file in it')
  let { replace } = options
  if (there && !replace && (there.isFile() || there.isSymbolicLink())) {
    const otherwise = `the file ${path} already exists; nothing was written`
    if (!options.mayAsk || !isAtTerminal()) throw usageError(otherwise, 'replace it with --force')
    await requireConfirmation(`Replace ${path}?`, {
      given: false,
      otherwise: 'nothing was written',
      signal: options.signal,
    })
    replace = true
  }
  try {
    const file = await createPrivateFile(path, { replace })
    await file.discard()
  } catch (error) {
    throw toOutputFileError(error, path)
  }
  return replace
}

/** Describes why a file cannot be written; returns other errors unchanged. */
export function toOutputFileError(error: unknown, path: string): unknown {
  if (error instanceof FileExists) {
    if (error.code === 'not_a_file') return usageError(error.message, 'choose an ordinary file')
    return usageError(`${error.message}; nothing was written`, 'replace it with --force')
  }
  const folder = dirname(path)
  const elsewhere = 'choose another place'
  const reasons: Record<string, [what: string, hint: string]> = {
    ENOENT: [`there is no folder ${folder}`, `create it first: mkdir -p ${folder}`],
    ENOTDIR: [`${folder} is not a folder`, elsewhere],
    EACCES: [`this user may not write to ${folder}`, elsewhere],
    EPERM: [`this user may not write to ${folder}`, elsewhere],
    EROFS: [`${folder} is read-only`, elsewhere],
    ENOSPC: [`the disk of ${folder} is full`, 'free some space, or choose another place'],
    ENAMETOOLONG: ['the name of the file is too long', 'choose a shorter one'],
  }
  const [what, hint] = reasons[codeOf(error) ?? ''] ?? []
  if (hint === undefined) return error
  return new CliError(`${what}; ${path} was not written`, { code: 'not_written', hints: [hint] })
}

/** `a.csv`, or `a (2).csv` when that is taken. */
export async function availablePath(folder: string, name: string): Promise<string> {
  const extension = extname(name)
  const stem = name.slice(0, name.length - extension.length)
  for (let count = 1; ; count++) {
    const path = join(folder, count === 1 ? name : `${stem} (${count})${extension}`)
    if (!(await lstat(path).catch(() => undefined))) return path
  }
}
