import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/**
 * A file's bytes, and the same with room behind them: appending would copy megabytes.
 * @throws when it cannot be read
 */
export function readWithRoom(path: URL, room: number): { whole: Buffer; bytes: Buffer } {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const whole = Buffer.alloc(size + room)
    return { whole, bytes: whole.subarray(0, readSync(file, whole, 0, size, 0)) }
  } finally {
    closeSync(file)
  }
}
