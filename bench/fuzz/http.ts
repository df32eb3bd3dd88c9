/** Sends one request and reads its answer whole. */
import { Agent, request } from 'node:http'
import type { Sent } from './requests.ts'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** Longer than any time limit of the server's own on a request that has arrived. */
const NO_ANSWER_MS = 60_000
/** An answer that is read to its end may be a whole backup. */
const MOST_BYTES = 256 * 1024 * 1024

export function createSender(url: string, sockets: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets })
  const { hostname, port } = new URL(url)
  const once = (sent: Sent): Promise<Answer | 'no answer' | 'broken off'> =>
    new Promise((resolve) => {
      const { method, target: path, body } = sent
      const headers = { ...sent.headers, ...(body ? { 'content-length': String(body.length) } : {}) }
      const outgoing = request({ agent, hostname, port, method, path, headers, timeout: NO_ANSWER_MS })
      outgoing.on('response', (response) => {
        const chunks: Buffer[] = []
        let size = 0
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size < MOST_BYTES) chunks.push(chunk)
        })
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
        )
        response.on('error', () => resolve('broken off'))
      })
      outgoing.on('timeout', () => {
        resolve('no answer')
        outgoing.destroy()
      })
      outgoing.on('error', () => resolve('broken off'))
      outgoing.end(body)
    })
  return {
    /** A connection may be closed just when it is used again: then the request is sent once more. */
    async send(sent: Sent): Promise<Answer | 'no answer' | 'broken off'> {
      const answer = await once(sent)
      return answer === 'broken off' ? once(sent) : answer
    },
    close: () => agent.destroy(),
  }
}

export type Sender = ReturnType<typeof createSender>
