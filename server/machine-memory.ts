import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { dirname, join } from 'node:path'

/** Bytes of the machine's memory, or of the least limit that its control groups (a container, a user's slice) set. */
export function machineMemory(): number {
  const constrained = process.constrainedMemory()
  return Math.min(totalmem(), constrained > 0 ? constrained : Infinity, limitOfGroups())
}

/**
 * The least memory limit of this process's control groups on Linux, in bytes, or Infinity. Node (20 to 26) asks the innermost
 * group only: a limit of the one around it, as hosting panels set for all processes of a customer, stays unknown.
 * @param root of the file system, for tests
 */
export function limitOfGroups(root = '/'): number {
  const groups = readAt(root, 'proc/self/cgroup')
  const [, ofVersion1] = /^\d+:(?:[^:\n]*,)?memory(?:,[^:\n]*)?:(\/.*)$/m.exec(groups) ?? []
  if (ofVersion1 !== undefined) {
    const statistics = readAt(root, 'sys/fs/cgroup/memory', ofVersion1, 'memory.stat')
    return Number(/^hierarchical_memory_limit (\d+)$/m.exec(statistics)?.[1] ?? Infinity)
  }
  const [, innermost] = /^0::(\/.*)$/m.exec(groups) ?? []
  let least = Infinity
  for (let group = innermost; group !== undefined && group !== '/'; group = dirname(group)) {
    const limit = /^\d+$/m.exec(readAt(root, 'sys/fs/cgroup', group, 'memory.max'))?.[0]
    least = Math.min(least, Number(limit ?? Infinity))
  }
  return least
}

/** Empty where there is no such file. */
function readAt(...path: string[]): string {
  try {
    return readFileSync(join(...path), 'utf8')
  } catch {
    return ''
  }
}

/**
 * With 5,000 reviews a server with the embedded database took 449 MB, or 343 with one arena. In a container with 384 MB the
 * kernel killed it at a backup, with 256 at the first push.
 */
const ENOUGH_FOR_EMBEDDED = 512 * 2 ** 20

/** A warning if the system may kill a server with the embedded database. */
export function memoryWarning(): string | undefined {
  const bytes = machineMemory()
  if (bytes >= ENOUGH_FOR_EMBEDDED) return undefined
  return `There are ${Math.round(bytes / 2 ** 20)} MB of memory, and a server with the embedded database needs 512: the system may kill it at any push or backup. Give it more, or set DATABASE_URL. On Linux MALLOC_ARENA_MAX=1 in the environment saves about 100.`
}
