/** Many sockets that send all of a large body but its last byte, without a key, and then wait. */
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface Strangers {
  sockets: number
  path: string
  contentType: string
  bytes: number
}

export const STRANGERS: Strangers[] = [
  { sockets: 60, path: '/imports', contentType: 'text/csv', bytes: 10 * 1024 * 1024 },
  { sockets: 300, path: '/v1/reviews', contentType: 'application/json', bytes: 1024 * 1024 },
]

const HOLD_MS = 6_000

/** @param watch told again and again while they hold on */
export async function hold(url: string, { sockets, path, contentType, bytes }: Strangers, watch: () => Promise<void>) {
  const { hostname, port } = new URL(url)
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${contentType}\r\nContent-Length: ${bytes}\r\n\r\n`
  const body = Buffer.alloc(bytes - 1, 'a')
  const open: Socket[] = []
  for (let i = 0; i < sockets; i++) {
    const socket = connect({ host: hostname, port: Number(port) })
    socket.on('error', () => {}).resume()
    socket.write(head)
    socket.write(body)
    open.push(socket)
  }
  for (const end = Date.now() + HOLD_MS; Date.now() < end; await pause(50)) await watch()
  for (const socket of open) socket.destroy()
}
