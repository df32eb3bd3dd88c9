import { connect, type Socket } from 'node:net'

export interface Load {
  connections?: number
  seconds?: number
}

/** Answers a second of `url`, from `connections` sockets that each send the next request when the last is answered. */
export async function requestsPerSecond(url: string, requests: readonly string[], load: Load = {}): Promise<number> {
  const start = performance.now()
  const waits = await answerTimes(url, requests, load)
  return (waits.length / (performance.now() - start)) * 1000
}

/** How long each answer took, in milliseconds, under the same load. */
export async function answerTimes(
  url: string,
  requests: readonly string[],
  { connections = 16, seconds = 3 }: Load = {},
): Promise<number[]> {
  const { hostname, port } = new URL(url)
  const end = performance.now() + seconds * 1000
  let turn = 0
  const waits = await Promise.all(
    Array.from({ length: connections }, () =>
      oneConnection(
        () => connect(Number(port), hostname),
        () => (performance.now() < end ? requests[turn++ % requests.length] : undefined),
      ),
    ),
  )
  return waits.flat()
}

/**
 * Plain HTTP/1.1 over one socket, as cheap as can be, so that the client takes little from the server's processor. Every
 * answer must be a 200 with a Content-Length.
 */
function oneConnection(open: () => Socket, next: () => string | undefined): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const socket = open()
    const waits: number[] = []
    let sentAt = 0
    let received = ''
    const send = () => {
      const request = next()
      if (request === undefined) {
        socket.end()
        resolve(waits)
        return
      }
      sentAt = performance.now()
      socket.write(request)
    }
    socket.setEncoding('latin1').on('error', reject).on('connect', send)
    socket.on('data', (chunk: string) => {
      received += chunk
      const headEnd = received.indexOf('\r\n\r\n')
      if (headEnd < 0) return
      const length = /\r\ncontent-length: *(\d+)/i.exec(received.slice(0, headEnd))?.[1]
      if (!received.startsWith('HTTP/1.1 200') || length === undefined) {
        socket.destroy()
        reject(new Error(received.slice(0, 600)))
        return
      }
      if (received.length < headEnd + 4 + Number(length)) return
      received = ''
      waits.push(performance.now() - sentAt)
      send()
    })
  })
}

export function getRequest(path: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries({ host: 'bench.test', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}
