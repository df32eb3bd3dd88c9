import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from './contract/code-of.ts'

/**
 * Creates a folder and those above it that are missing. One that exists is left as it is.
 *
 * Node's own `recursive` never ends where a folder that exists takes no others (`/proc`).
 * @param mode of the folders that are created
 * @throws the system's error: also `ENOENT` for such a folder and a link that leads nowhere, `EEXIST` for a file
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  try {
    await mkdir(path, { mode })
  } catch (error) {
    if (await isFolder(path)) return
    // It tells a link that leads nowhere from a file.
    if (codeOf(error) === 'EEXIST') await mkdir(path, { recursive: true })
    const above = dirname(path)
    if (codeOf(error) !== 'ENOENT' || above === path || (await isFolder(above))) throw error
    await makeFolder(above, mode)
    await makeFolder(path, mode)
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false
}
