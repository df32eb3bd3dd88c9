/** A proxy as a short configuration makes it: it calls the server by the server's own name and adds no header. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PlainProxy {
  url: string
  close(): Promise<void>
}

export async function openPlainProxy(upstream: string): Promise<PlainProxy> {
  const { hostname, port, host } = new URL(upstream)
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, host }
    const onward = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
