/** A connection on which a test writes bytes of its own, and what came back on it. */
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  status: number
  headers: Headers
  body: string
  /** Whether the server asked for the body before. */
  continued: boolean
}

export interface RawConnection {
  socket: Socket
  write(text: string | Uint8Array): void
  /** The next response. Rejects when the connection ends without one. */
  answer(): Promise<RawAnswer>
  /** Resolves when the connection is closed, with the milliseconds since it was opened. */
  closed: Promise<number>
}

export async function openRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  const opened = Date.now()
  let received = Buffer.alloc(0)
  let wake: () => void = () => {}
  let ended = false
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    wake()
  })
  socket.on('error', () => {})
  const closed = new Promise<number>((resolve) =>
    socket.on('close', () => {
      ended = true
      wake()
      resolve(Date.now() - opened)
    }),
  )
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return {
    socket,
    write: (text) => {
      if (!socket.destroyed) socket.write(text)
    },
    async answer() {
      for (;;) {
        const parsed = takeAnswer(received)
        if (parsed) {
          received = received.subarray(parsed.length)
          return parsed.answer
        }
        if (ended) throw new Error(`closed after ${JSON.stringify(received.toString('latin1'))}`)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    closed,
  }
}

function takeAnswer(received: Buffer): { answer: RawAnswer; length: number } | undefined {
  const text = received.toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n')
  const status = Number(statusLine.split(' ')[1])
  if (status === 100) {
    const rest = takeAnswer(received.subarray(end + 4))
    return rest && { answer: { ...rest.answer, continued: true }, length: rest.length + end + 4 }
  }
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    }),
  )
  const size = Number(headers.get('content-length') ?? 0)
  if (received.length < end + 4 + size) return undefined
  const body = received.toString('utf8', end + 4, end + 4 + size)
  return { answer: { status, headers, body, continued: false }, length: end + 4 + size }
}
