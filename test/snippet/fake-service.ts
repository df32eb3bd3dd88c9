import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { translations } from '../../snippet/translations.ts'
import type { QueryResponse } from '../../src/contract/query.ts'

export const KEY = `svc_pk_live_${'a1B2'.repeat(8)}`

type Handler = (request: IncomingMessage, response: ServerResponse, url: URL) => void

export interface Local {
  origin: string
  close(): Promise<void>
}

/** An HTTP server on a free port of the loopback interface. */
export async function listen(handler: Handler): Promise<Local> {
  const server: Server = createServer((request, response) =>
    handler(request, response, new URL(request.url ?? '/', 'http://localhost')),
  )
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

/** What the next queries get: an answer, or a way to fail. */
export interface Plan {
  response?: QueryResponse | ((url: URL) => QueryResponse)
  error?: { status: number; code: string; message: string; details?: { path: string; message: string }[] }
  /** Sent as it is, with status 200. */
  raw?: string
  delay?: number
  /** Without `Access-Control-Allow-Origin`, as the service answers an origin that is not listed. */
  refuseOrigin?: boolean
  drop?: boolean
  /** What `/snippet/note` answers; absent: 404, as a server without it. */
  note?: { note: string; lang: string; min_rating: number } | undefined
  /** Waited for by `/snippet/labels`; rejects: 404 in plain text for no origin, as a server without it. */
  labels?: () => Promise<unknown>
}

export interface FakeService extends Local {
  plan: Plan
  queries: { url: URL; method: string; headers: IncomingMessage['headers'] }[]
  /** Addresses at which the note was asked for. */
  notes: URL[]
  /** Addresses at which words were asked for. */
  labels: URL[]
}

/** `/snippet.js` and `/v1/query` as the service has them, with answers made by the test. */
export async function fakeService(bundle: string): Promise<FakeService> {
  const state: Pick<FakeService, 'plan' | 'queries' | 'notes' | 'labels'> = {
    plan: {},
    queries: [],
    notes: [],
    labels: [],
  }
  const local = await listen(async (request, response, url) => {
    if (/^\/(snippet(\.\w+)?|renamed)\.js$/.test(url.pathname)) {
      response.writeHead(200, { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' })
      response.end(bundle)
      return
    }
    if (url.pathname === '/snippet/note') {
      state.notes.push(url)
      response.writeHead(state.plan.note ? 200 : 404, { 'access-control-allow-origin': '*' })
      response.end(JSON.stringify(state.plan.note ?? { error: { code: 'not_found' } }))
      return
    }
    if (url.pathname === '/snippet/labels') {
      state.labels.push(url)
      try {
        await state.plan.labels?.()
      } catch {
        response.writeHead(404).end('Not found')
        return
      }
      response.writeHead(200, { 'access-control-allow-origin': '*' })
      response.end(JSON.stringify({ labels: translations[url.searchParams.get('lang') ?? ''] ?? '' }))
      return
    }
    if (url.pathname !== '/v1/query') {
      response.writeHead(404).end()
      return
    }
    state.queries.push({ url, method: request.method ?? '', headers: request.headers })
    const plan = state.plan
    if (plan.delay) await new Promise((resume) => setTimeout(resume, plan.delay).unref())
    if (plan.drop) {
      request.socket.destroy()
      return
    }
    const { origin } = request.headers
    const cors = origin && !plan.refuseOrigin ? { 'access-control-allow-origin': origin } : {}
    const id = `req-${state.queries.length}`
    const headers = { 'x-request-id': id, 'access-control-expose-headers': 'x-request-id', vary: 'Origin', ...cors }
    response.writeHead(plan.error?.status ?? 200, { 'content-type': 'application/json', ...headers })
    if (plan.error) {
      const { status: _, ...error } = plan.error
      response.end(JSON.stringify({ error: { doc_url: 'https://docs.example', request_id: id, ...error } }))
    } else {
      const body = typeof plan.response === 'function' ? plan.response(url) : plan.response
      response.end(plan.raw ?? JSON.stringify(body))
    }
  })
  return Object.assign(state, local)
}
