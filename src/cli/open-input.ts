import { constants, createReadStream, openSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { isatty, ReadStream } from 'node:tty'

/**
 * Opens a file, a named pipe, or a terminal such as `/dev/stdin` as a stream. A blocking open of a pipe waits for a
 * writer in a thread that only SIGKILL ends, so pipes are opened non-blocking and read like sockets.
 */
export async function openInput(path: string): Promise<Readable> {
  const found = await stat(path)
  if (!found.isFIFO() && !found.isCharacterDevice()) return createReadStream(path, { highWaterMark: 256 * 1024 })
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  if (found.isFIFO()) return new Socket({ fd, readable: true, writable: false })
  return isatty(fd) ? new ReadStream(fd) : createReadStream(path, { fd })
}
