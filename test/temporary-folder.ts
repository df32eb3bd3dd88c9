import { chmodSync, mkdtempSync, readFileSync, realpathSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

/** macOS gives each user a temporary folder of fifty characters; half of what a socket's path may have is gone then. */
const LONGEST_PARENT = 32

/** Its path is short, since sockets lie below it. A program that runs as another user may pass through it. */
/** @param parent the machine's folder for temporary files, unless set */
export function makeTemporaryFolder(parent = tmpdir()): string {
  const isLong = process.platform !== 'win32' && parent.length > LONGEST_PARENT
  const folder = mkdtempSync(join(isLong ? realpathSync('/tmp') : parent, 'pullquote-tests-'))
  chmodSync(folder, 0o711)
  return folder
}

const IN_MEMORY = '/dev/shm'
/** All tests together had at most 0.7 GB of files at once. */
const ROOM_BYTES = 3e9

/**
 * Where Linux keeps files in memory, if there is room for those of all tests; undefined elsewhere, and where TMPDIR names a
 * folder. Ten files of tests on the embedded database took 63 s of processor there and 79 on ext4, which looks for the inode of
 * each new file among all that were removed lately, and two thirds of the time by the clock.
 */
export function folderInMemory(): string | undefined {
  if (process.platform !== 'linux' || process.env.TMPDIR) return undefined
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .findLast((line) => line.split(' ')[1] === IN_MEMORY)
    // Tests write programs and run them.
    if (!mount?.startsWith('tmpfs ') || /\bnoexec\b/.test(mount)) return undefined
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize >= ROOM_BYTES && freemem() >= 2 * ROOM_BYTES ? IN_MEMORY : undefined
  } catch {
    return undefined
  }
}
