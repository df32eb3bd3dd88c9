import { totalmem } from 'node:os'

/** Bytes of the machine's memory, or of the container's when it is given less. */
export function machineMemory(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}
