import { constants, createReadStream, openSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { isatty, ReadStream } from 'node:tty'

/**
 * A file as a stream; or a pipe that has a name, or a terminal as `/dev/stdin`. To open a pipe waits for somebody who
 * writes to it, in a thread that nothing but SIGKILL ends: it is opened without waiting, and read as sockets are.
 */
export async function openInput(path: string): Promise<Readable> {
  const found = await stat(path)
  if (!found.isFIFO() && !found.isCharacterDevice()) return createReadStream(path, { highWaterMark: 256 * 1024 })
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  if (found.isFIFO()) return new Socket({ fd, readable: true, writable: false })
  return isatty(fd) ? new ReadStream(fd) : createReadStream(path, { fd })
}
