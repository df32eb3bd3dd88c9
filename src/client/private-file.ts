import { randomBytes } from 'node:crypto'
import { fsync } from 'node:fs'
import { type FileHandle, link, lstat, open, rename, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { CodedError, codeOf } from '../contract/code-of.ts'

/** The file is there already, and nobody asked to replace it; or what stands there is no file. */
export class FileExists extends CodedError<'file_exists' | 'not_a_file'> {
  constructor(code: FileExists['code'], path: string) {
    super(code, code === 'file_exists' ? `there is a file ${path} already` : `${path} is there and is not a file`)
  }
}

/** A file on its way: nothing stands under its name until `commit`. */
export interface PrivateFile {
  readonly path: string
  /** Open until `commit` or `discard`: a stream over it, which closes it, is not for this. */
  readonly handle: FileHandle
  /** Gives the whole file its name. @throws {FileExists} somebody made one meanwhile */
  commit(): Promise<void>
  /** Leaves nothing behind; does nothing after `commit`. */
  discard(): Promise<void>
}

/**
 * Begins a file with personal data: readable and writable by its owner only, whatever the umask, and made beside its
 * place under a name that nobody can guess, so that a link that was laid there is never followed. A link under the
 * final name is replaced itself, not what it leads to.
 *
 * @param options.replace without it an existing file is an error, now and at `commit`
 * @throws {FileExists}
 */
export async function createPrivateFile(path: string, { replace = false } = {}): Promise<PrivateFile> {
  await checkPlace(path, replace)
  const draft = `${path}.${randomBytes(4).toString('hex')}.part`
  const handle = await open(draft, 'wx', 0o600)
  let done = false
  return {
    path,
    handle,
    async commit() {
      // A crash of the machine must not leave the name without its content.
      // By its number: the files that Yarn's Plug'n'Play puts in the place of Node's have no `sync()`.
      await promisify(fsync)(handle.fd)
      await handle.close()
      await checkPlace(path, replace)
      if (replace) await rename(draft, path)
      else await placeNew(draft, path)
      done = true
    },
    async discard() {
      if (done) return
      done = true
      await handle.close().catch(() => {})
      await rm(draft, { force: true })
    },
  }
}

/** Writes a whole file at once, under the rules of {@link createPrivateFile}. @throws {FileExists} */
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

/** A device or a pipe would be replaced by a file: root would lose `/dev/null`. */
async function checkPlace(path: string, replace: boolean): Promise<void> {
  const there = await lstat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (there === undefined) return
  if (!there.isFile() && !there.isSymbolicLink()) throw new FileExists('not_a_file', path)
  if (!replace) throw new FileExists('file_exists', path)
}

/** `link` makes a name only where there is none. Where there are no hard links, the check before has to do. */
async function placeNew(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new FileExists('file_exists', path)
    return rename(draft, path)
  }
  await rm(draft, { force: true })
}
