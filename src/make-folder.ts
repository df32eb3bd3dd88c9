import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from './contract/code-of.ts'

/**
 * Creates a folder and those above it that are missing. One that exists is left as it is.
 *
 * Node's own `recursive` never ends where a folder that exists takes no others (`/proc`), and reports a read-only disk as
 * `ENOENT`.
 * @param mode of the folders that are created
 * @throws the system's error, such as `EACCES`, `EROFS`, or `EEXIST` when there is something else, also a link that leads nowhere
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  try {
    await mkdir(path, { mode })
  } catch (error) {
    if (await isFolder(path)) return
    const above = dirname(path)
    if (codeOf(error) !== 'ENOENT' || above === path || (await isFolder(above))) throw error
    await makeFolder(above, mode)
    await makeFolder(path, mode)
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false
}
