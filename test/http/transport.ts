/** The same request over `app.fetch` and over a real socket: HTTP tests run once with each. */

import { createApp } from '../../server/app.ts'
import type { AppDeps } from '../../server/app-deps.ts'
import { listen } from '../../server/http/listen.ts'
import { silent } from '../database.ts'

export interface Sent {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array | ReadableStream<Uint8Array>
}

export interface Transport {
  name: 'app.fetch' | 'socket'
  url: string
  send(request: Sent): Promise<Response>
  close(): Promise<void>
}

export const TRANSPORTS = ['app.fetch', 'socket'] as const

export async function openTransport(name: Transport['name'], deps: AppDeps): Promise<Transport> {
  const app = createApp(deps)
  if (name === 'app.fetch') {
    const url = 'http://pullquote.test'
    return { name, url, send: async (sent) => app.fetch(requestOf(url, sent)), close: async () => {} }
  }
  // Clients of these tests that end their side are gone.
  const timeouts = { halfClosed: 100 }
  const docsUrl = () => deps.docsUrl
  const server = await listen(app.fetch, { host: '127.0.0.1', port: 0, log: silent, docsUrl, timeouts })
  return {
    name,
    url: server.url,
    send: (sent) => fetch(requestOf(server.url, sent)),
    close: () => server.close(1_000),
  }
}

/** Both ways to the same application. */
export type Transports = Record<Transport['name'], Transport>

export async function openTransports(deps: AppDeps): Promise<Transports> {
  return { 'app.fetch': await openTransport('app.fetch', deps), socket: await openTransport('socket', deps) }
}

function requestOf(url: string, { method = 'GET', path, headers = {}, body }: Sent): Request {
  return new Request(url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  } as RequestInit)
}
