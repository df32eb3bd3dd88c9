import { randomBytes } from 'node:crypto'
import { fsync } from 'node:fs'
import { type FileHandle, link, lstat, open, rename, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { CodedError, codeOf, ignoreCodes } from '../contract/code-of.ts'

/** The file already exists and may not be replaced, or the path is not a file. */
export class FileExists extends CodedError<'file_exists' | 'not_a_file'> {
  constructor(code: FileExists['code'], path: string) {
    super(code, code === 'file_exists' ? `the file ${path} already exists` : `${path} exists and is not a file`)
  }
}

/** A file being written: its name does not exist until `commit`. */
export interface PrivateFile {
  readonly path: string
  /** Open until `commit` or `discard`; do not use it with a stream, which would close it. */
  readonly handle: FileHandle
  /**
   * Renames the complete file to its final name.
   *
   * @throws {FileExists} when somebody created one meanwhile
   */
  commit(): Promise<void>
  /** Removes the draft; does nothing after `commit`. */
  discard(): Promise<void>
}

/**
 * Starts a file with personal data, readable and writable only by its owner whatever the umask. It is created beside
 * its final path under an unguessable name, so that a planted link is never followed. A link at the final path is
 * itself replaced, not its target.
 *
 * @param options.replace unless set, an existing file is an error, now and at `commit`
 * @throws {FileExists}
 */
export async function createPrivateFile(path: string, { replace = false } = {}): Promise<PrivateFile> {
  await checkPlace(path, replace)
  const draft = `${path}.${randomBytes(4).toString('hex')}.part`
  const handle = await open(draft, 'wx', 0o600)
  return {
    path,
    handle,
    async commit() {
      // A crash of the machine must not leave the name without its content. By file descriptor, because the file
      // handles of Yarn's Plug'n'Play have no `sync()`.
      await promisify(fsync)(handle.fd)
      await handle.close()
      await checkPlace(path, replace)
      if (replace) await rename(draft, path)
      else await placeNew(draft, path)
    },
    async discard() {
      await handle.close().catch(() => {})
      await rm(draft, { force: true })
    },
  }
}

/**
 * Writes a whole file, as {@link createPrivateFile} does.
 *
 * @throws {FileExists}
 */
export async function writePrivateFile(
  path: string,
  content: string | Uint8Array,
  options: { replace?: boolean } = {},
): Promise<void> {
  const file = await createPrivateFile(path, options)
  try {
    await file.handle.writeFile(content)
    await file.commit()
  } finally {
    await file.discard()
  }
}

/** Rejects devices and pipes, which a file would replace: root would lose `/dev/null`. */
async function checkPlace(path: string, replace: boolean): Promise<void> {
  const there = await lstat(path).catch(ignoreCodes('ENOENT'))
  if (there === undefined) return
  if (!there.isFile() && !there.isSymbolicLink()) throw new FileExists('not_a_file', path)
  if (!replace) throw new FileExists('file_exists', path)
}

/** `link` never overwrites. Without hard links, the check before must suffice. */
async function placeNew(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new FileExists('file_exists', path)
    return rename(draft, path)
  }
  await rm(draft, { force: true })
}
