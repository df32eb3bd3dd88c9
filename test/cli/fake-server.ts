import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Seen {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: unknown
}

export interface Canned {
  status?: number
  headers?: Record<string, string>
  body?: unknown
}

/** An HTTP server with canned responses that records the requests it received. */
export async function startFakeServer(answer: (request: Seen) => Canned | Promise<Canned>) {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString('utf8')
    const url = new URL(request.url ?? '/', 'http://fake')
    const one: Seen = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
    seen.push(one)
    const { status = 200, headers = {}, body } = await answer(one)
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': `req-${seen.length}`, ...headers })
    response.end(body === undefined ? undefined : JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The contract's error envelope. */
export function refusal(status: number, code: string, extra: { details?: object[]; retryAfter?: number } = {}): Canned {
  const { details, retryAfter } = extra
  return {
    status,
    headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
    body: {
      error: {
        code,
        message: `refused: ${code}`,
        doc_url: `http://fake/docs/errors#${code}`,
        request_id: 'req-of-envelope',
        ...(details ? { details } : {}),
      },
    },
  }
}

/** A 200 response of `POST /v1/reviews` that accepts whatever was pushed. */
export function accepted(request: Seen): Canned {
  const batch = Array.isArray(request.body) ? request.body : [request.body]
  return {
    body: {
      reviews: batch.map(({ external_id, source }, i) => ({ id: `id-${i}`, external_id, source, status: 'indexing' })),
    },
  }
}
