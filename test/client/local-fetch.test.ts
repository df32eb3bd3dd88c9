import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as assert from 'uvu/assert'
import { localFetch } from '../../src/client/local-fetch.ts'
import { suite } from '../suite.ts'

const test = suite('requests to a server on this machine')
const servers: Server[] = []

async function serving(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const failureOf = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error)

test.after(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

test('what is sent arrives: method, query, headers, and a JSON body with its length', async () => {
  const url = await serving(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const { method, url, headers } = request
    response.writeHead(201, { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'r-1' })
    response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(parts).toString() }))
  })
  const response = await localFetch(
    new Request(`${url}/v1/query?a=b%20c`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer k' },
      body: '{"q":"Käse"}',
    }),
  )
  assert.is(response.status, 201)
  assert.is(response.headers.get('x-request-id'), 'r-1')
  const { method, url: path, headers, body } = JSON.parse(await response.text())
  assert.equal([method, path, body], ['POST', '/v1/query?a=b%20c', '{"q":"Käse"}'])
  assert.equal([headers.authorization, headers['content-length']], ['Bearer k', '13'])
})

test('a body in pieces is sent as it comes, and an answer in pieces is read as it comes', async () => {
  const url = await serving((request, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    request.pipe(response)
  })
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const writing = writer.write(new TextEncoder().encode('one\n'))
  const request = new Request(url, { method: 'POST', body: readable, duplex: 'half' } as RequestInit)
  const response = await localFetch(request)
  await writing
  const reader = response.body?.getReader()
  const first = await reader?.read()
  assert.is(new TextDecoder().decode(first?.value), 'one\n')
  await writer.write(new TextEncoder().encode('two\n'))
  await writer.close()
  const second = await reader?.read()
  assert.is(new TextDecoder().decode(second?.value), 'two\n')
  assert.ok((await reader?.read())?.done)
})

test('an answer without a body has none', async () => {
  const url = await serving((_, response) => response.writeHead(204).end())
  const response = await localFetch(new Request(url, { method: 'DELETE' }))
  assert.equal([response.status, await response.text()], [204, ''])
})

test('a server that refuses before it has read everything is heard', async () => {
  const url = await serving((_, response) => {
    response.writeHead(413, { 'content-type': 'application/json', connection: 'close' }).end('{"error":1}')
  })
  const request = new Request(url, { method: 'POST', body: new Blob([new Uint8Array(200_000)]) })
  const response = await localFetch(request)
  assert.equal([response.status, await response.json()], [413, { error: 1 }])
})

test('an interruption ends it with its reason: before, while waiting, and within the answer', async () => {
  const url = await serving((request, response) => {
    if (request.url === '/waits') return
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"half":')
  })
  assert.is(await failureOf(localFetch(new Request(url, { signal: AbortSignal.abort('before') }))), 'before')
  for (const path of ['/waits', '/half']) {
    const work = localFetch(new Request(`${url}${path}`, { signal: AbortSignal.timeout(100) }))
    const failure = await failureOf(work)
    assert.is(failure instanceof Error && failure.name, 'TimeoutError', path)
  }
})

test('what is JSON is sent and read whole, without Request and Response', async () => {
  const url = await serving(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    response.writeHead(422, { 'content-type': 'application/json', 'x-request-id': 'r-1' })
    response.end(JSON.stringify([request.method, request.headers['content-length'], Buffer.concat(parts).toString()]))
  })
  const body = '{"q":"Käse"}'
  const answer = await localFetch.buffered({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body,
  })
  assert.equal([answer.status, answer.ok, answer.headers.get('X-Request-Id')], [422, false, 'r-1'])
  assert.is(answer.headers.get('retry-after'), null)
  assert.equal(JSON.parse(await answer.text()), ['POST', '13', body])
})

test('an interruption ends it as well: before, while waiting, and within the answer', async () => {
  const url = await serving((request, response) => {
    if (request.url === '/waits') return
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"half":')
  })
  const get = (path: string, signal: AbortSignal) =>
    failureOf(localFetch.buffered({ method: 'GET', url: `${url}${path}`, headers: {}, signal }))
  assert.is(await get('/', AbortSignal.abort('before')), 'before')
  for (const path of ['/waits', '/half']) {
    const failure = await get(path, AbortSignal.timeout(100))
    assert.is(failure instanceof Error && failure.name, 'TimeoutError', path)
  }
})

test('nobody who listens, and an answer that breaks off, are failures', async () => {
  const gone = await serving(() => {})
  const [server] = servers.splice(-1)
  server?.close()
  await once(server as Server, 'close')
  const refused = await failureOf(localFetch(new Request(gone)))
  assert.is(refused instanceof Error && 'code' in refused && refused.code, 'ECONNREFUSED')
  const url = await serving((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
    response.write('{"half":', () => response.destroy())
  })
  assert.ok((await failureOf(localFetch(new Request(url)))) instanceof Error)
})

test.run()
