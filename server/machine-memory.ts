import { totalmem } from 'node:os'

/** Bytes of the machine's memory, or of the container's limit if that is less. */
export function machineMemory(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}

/**
 * A server with the embedded database took 356 MB for 170 reviews; in a container with 256 MB the kernel killed it at the
 * first push.
 */
const ENOUGH_FOR_EMBEDDED = 384 * 2 ** 20

/** A warning if the system may kill a server with the embedded database. */
export function memoryWarning(): string | undefined {
  const bytes = machineMemory()
  if (bytes >= ENOUGH_FOR_EMBEDDED) return undefined
  return `There are ${Math.round(bytes / 2 ** 20)} MB of memory, and a server with the embedded database needs 512: the system may kill it at any push. Give it more, or set DATABASE_URL.`
}
