import { chmodSync, mkdtempSync, readFileSync, realpathSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

/** macOS's temporary folder per user has fifty characters, half of the limit for the path of a socket. */
const LONGEST_PARENT = 32

/**
 * Creates a temporary folder with a short path, since sockets are created below it, which programs of other users can
 * traverse.
 *
 * @param parent default: the machine's folder for temporary files
 */
export function makeTemporaryFolder(parent = tmpdir()): string {
  const isLong = process.platform !== 'win32' && parent.length > LONGEST_PARENT
  const folder = mkdtempSync(join(isLong ? realpathSync('/tmp') : parent, 'pullquote-tests-'))
  chmodSync(folder, 0o711)
  return folder
}

const IN_MEMORY = '/dev/shm'
/** All tests together were seen to have at most 0.7 GB of files at once. */
const ROOM_BYTES = 3e9

/**
 * Linux's in-memory file system, if it has room for the files of all tests; undefined elsewhere and when TMPDIR is set. Ten
 * test files on the embedded database took 63 s of CPU time there, against 79 on ext4, which searches all recently removed
 * inodes for each new file, and two thirds of the wall-clock time.
 */
export function folderInMemory(): string | undefined {
  if (process.platform !== 'linux' || process.env.TMPDIR) return undefined
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .findLast((line) => line.split(' ')[1] === IN_MEMORY)
    // Tests write programs and execute them.
    if (!mount?.startsWith('tmpfs ') || /\bnoexec\b/.test(mount)) return undefined
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize >= ROOM_BYTES && freemem() >= 2 * ROOM_BYTES ? IN_MEMORY : undefined
  } catch {
    return undefined
  }
}
