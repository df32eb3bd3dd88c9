import { statfsSync, statSync } from 'node:fs'

const IN_MEMORY = new Set([0x0102_1994, 0x8584_58f6]) // tmpfs, ramfs
const OVERLAY = 0x794c_7630

/** What decides whether a folder's files stay. */
interface FolderDisk {
  /** `f_type` of statfs(2). */
  type: number
  /** Not on a volume of its own. */
  withSystem: boolean
}

function diskOf(folder: string): FolderDisk | undefined {
  try {
    return { type: statfsSync(folder).type, withSystem: statSync(folder).dev === statSync('/').dev }
  } catch {
    return undefined
  }
}

/**
 * A warning if the files of `folder` go with the container, the machine or the next deployment, which takes a database
 * without a word.
 * @param platform the hosting platform, if it is one that discards the disk
 */
export function passingDiskWarning(
  folder: string,
  platform: string | undefined,
  look: (folder: string) => FolderDisk | undefined = diskOf,
): string | undefined {
  const disk = process.platform === 'linux' ? look(folder) : undefined
  if (disk === undefined) return undefined
  const { type, withSystem } = disk
  const where = IN_MEMORY.has(type)
    ? 'in memory, and is lost when this machine or container ends'
    : platform !== undefined && withSystem
      ? `on a disk that ${platform} discards at a restart or a deployment`
      : type === OVERLAY
        ? "on the container's own disk, and is lost with the container"
        : undefined
  if (where === undefined) return undefined
  return `The embedded database in ${folder} is ${where}. Put PULLQUOTE_HOME on a volume, or set DATABASE_URL.`
}
