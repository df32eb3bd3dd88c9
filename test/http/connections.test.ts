/** More connections than a server takes, and a process that has no file descriptor left. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerRequest } from 'srvx'
import * as assert from 'uvu/assert'
import type { Log } from '../../server/deps.ts'
import {
  connectionLimit,
  MAX_CONNECTIONS,
  MAX_PIPELINED_REQUESTS,
  watchDescriptors,
} from '../../server/http/connections.ts'
import { listen } from '../../server/http/listen.ts'
import { readProcessLimits } from '../../server/process-limits.ts'
import { silent } from '../database.ts'
import { suite } from '../suite.ts'
import { until } from '../waiting.ts'
import { openRaw } from './raw.ts'

const test = suite('connections')

const GET = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'

test('connections beyond the limit are closed, which the log tells once', async () => {
  const warnings: string[] = []
  const log: Log = { ...silent, warn: (_, message) => void warnings.push(message) }
  const server = await listen(() => new Response('ok'), {
    host: '127.0.0.1',
    port: 0,
    log,
    docsUrl: () => '',
    maxConnections: 10,
  })
  // Half a request each, so that none of them is idle.
  const busy = await Promise.all(Array.from({ length: 10 }, () => openRaw(server.url)))
  for (const one of busy) one.write('GET / HTTP/1.1\r\n')
  for (let i = 0; i < 3; i++) await (await openRaw(server.url)).closed
  assert.is(warnings.length, 1)
  assert.match(warnings[0] ?? '', 'too many connections')
  busy[0]?.socket.destroy()
  await busy[0]?.closed
  const next = await openRaw(server.url)
  next.write(GET)
  assert.is((await next.answer()).status, 200)
  await server.close(0)
})

test('a stop tells the log how many requests it cuts', async () => {
  const warned: object[] = []
  const log: Log = { ...silent, warn: (fields) => void warned.push(fields) }
  let begun = () => {}
  const begins = new Promise<void>((resolve) => {
    begun = resolve
  })
  const handle = () => {
    begun()
    return new Promise<Response>(() => {})
  }
  const server = await listen(handle, { host: '127.0.0.1', port: 0, log, docsUrl: () => '' })
  const visitor = await openRaw(server.url)
  visitor.write(GET)
  await begins
  await server.close(0)
  await visitor.closed
  assert.equal(warned, [{ requests: 1 }])
})

test('an answer that began before the server was closed keeps its connection no longer than it lasts', async () => {
  let end = () => {}
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('begun '))
      end = () => controller.close()
    },
  })
  const server = await listen(() => new Response(body), { host: '127.0.0.1', port: 0, log: silent, docsUrl: () => '' })
  const visitor = await openRaw(server.url)
  visitor.write(GET)
  await once(visitor.socket, 'data')
  const closed = server.close(60_000)
  end()
  const late = new AbortController()
  const ended = await Promise.race([
    closed.then(() => 'closed'),
    sleep(10_000, 'the connection is still open', { signal: late.signal }).catch(() => ''),
  ])
  late.abort()
  visitor.socket.destroy()
  assert.is(ended, 'closed')
})

const whenAsked = (answers: Map<string, () => void>) => (request: Request) =>
  new Promise<Response>((resolve) => {
    const { pathname } = new URL(request.url)
    answers.set(pathname, () =>
      resolve(new Response(pathname, { headers: { 'content-length': `${pathname.length}` } })),
    )
  })

test('a client that ends its side after its requests gets the answers, and the connection ends', async () => {
  const answers = new Map<string, () => void>()
  const server = await listen(whenAsked(answers), { host: '127.0.0.1', port: 0, log: silent, docsUrl: () => '' })
  const client = connect({ host: '127.0.0.1', port: Number(new URL(server.url).port), allowHalfOpen: true })
  let received = ''
  client.setEncoding('latin1').on('data', (text: string) => {
    received += text
  })
  const ended = once(client, 'end')
  const body = 'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'
  client.end(`GET /a HTTP/1.1\r\nHost: x\r\n\r\nPOST /b HTTP/1.1\r\nHost: x\r\n${body}`)
  await until('both are asked', () => answers.size === 2)
  await sleep(100)
  for (const answer of answers.values()) answer()
  await ended
  assert.equal(received.match(/(?:^|\/[ab])HTTP\/1.1 200/g)?.length, 2, received)
  assert.match(received, /\/b$/)
  assert.match(received, /connection: close/i)
  await server.close(0)
})

test('a client that ends its side and has no answer for a while is taken for gone', async () => {
  const gone: boolean[] = []
  const never = (request: Request) => {
    request.signal.addEventListener('abort', () => gone.push(true))
    return new Promise<Response>(() => {})
  }
  const timeouts = { halfClosed: 50 }
  const server = await listen(never, { host: '127.0.0.1', port: 0, log: silent, docsUrl: () => '', timeouts })
  const client = await openRaw(server.url)
  client.write(GET)
  client.socket.end()
  await client.closed
  await until('the request is aborted', () => gone.length === 1)
  await server.close(0)
})

test('before that, connections between two requests make room', async () => {
  const server = await listen(() => new Response('ok'), {
    host: '127.0.0.1',
    port: 0,
    log: silent,
    docsUrl: () => '',
    maxConnections: 10,
  })
  for (let i = 0; i < 30; i++) {
    const visitor = await openRaw(server.url)
    visitor.write(GET)
    assert.is((await visitor.answer()).status, 200, `visitor ${i}`)
  }
  await server.close(0)
})

test('whoever has not sent a first request yet, or half of the next one, is not taken for idle', async () => {
  const server = await listen(() => new Response('ok', { headers: { 'content-length': '2' } }), {
    host: '127.0.0.1',
    port: 0,
    log: silent,
    docsUrl: () => '',
    maxConnections: 10,
  })
  const fresh = await openRaw(server.url)
  const sending = await openRaw(server.url)
  sending.write(GET)
  assert.is((await sending.answer()).status, 200)
  sending.write(GET.slice(0, 20))
  for (let i = 0; i < 30; i++) {
    const visitor = await openRaw(server.url)
    visitor.write(GET)
    assert.is((await visitor.answer()).status, 200, `visitor ${i}`)
  }
  fresh.write(GET)
  assert.is((await fresh.answer()).status, 200)
  sending.write(GET.slice(20))
  assert.is((await sending.answer()).status, 200)
  await server.close(0)
})

/** Answers much, at `/late` not before twice the time that a client may take nothing. */
function openLarge(maxConnections: number) {
  const large = Buffer.alloc(30_000_000)
  const stalled = 1_500
  const handle = async ({ url }: Request) => {
    if (url.endsWith('/late')) await sleep(2 * stalled)
    return new Response(url.endsWith('/small') ? 'ok' : large)
  }
  const timeouts = { stalled, keepAlive: 1 }
  return listen(handle, { host: '127.0.0.1', port: 0, log: silent, docsUrl: () => '', timeouts, maxConnections })
}

async function ask(server: { url: string }, path: string): Promise<Socket> {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {}).pause()
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  return socket
}

test('whoever takes nothing of an answer is cut off, and makes room', async () => {
  const server = await openLarge(1)
  const socket = await ask(server, '/')
  await until('another is answered', () => fetch(`${server.url}/small`).catch(() => undefined))
  socket.destroy()
  await server.close(0)
})

test('whoever waits long for an answer, or takes it bit by bit, gets all of it', async () => {
  const server = await openLarge(10)
  const sizes = await Promise.all(
    ['/late', '/'].map(async (path) => {
      const socket = await ask(server, path)
      let size = 0
      socket.on('data', (chunk: Buffer) => {
        size += chunk.length
        socket.pause()
        setTimeout(() => socket.resume(), 2)
      })
      await once(socket.resume(), 'close')
      return size
    }),
  )
  assert.ok(Math.min(...sizes) > 30_000_000, `${sizes}`)
  await server.close(0)
})

test('requests with a body leave nothing on their connection, however many it carries', async () => {
  const changed: boolean[] = []
  const handle = async (request: ServerRequest) => {
    changed.push(Object.hasOwn(request.runtime?.node?.req.socket ?? {}, 'destroySoon'))
    await request.text()
    return new Response('ok', { headers: { 'content-length': '2' } })
  }
  const server = await listen(handle, { host: '127.0.0.1', port: 0, log: silent, docsUrl: () => '' })
  const client = await openRaw(server.url)
  const post = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab'
  for (const sent of [post, GET, post + post, GET]) {
    client.write(sent)
    for (let i = 0; i < sent.split('HTTP/1.1').length - 1; i++) assert.is((await client.answer()).status, 200)
  }
  assert.equal(changed, [true, false, true, true, false])
  await server.close(0)
})

test('a connection that sends more requests at once than anybody does is closed, and none of the rest is worked on', async () => {
  let asked = 0
  const never = () => {
    asked++
    return new Promise<Response>(() => {})
  }
  const server = await listen(never, { host: '127.0.0.1', port: 0, log: silent, docsUrl: () => '' })
  const greedy = await openRaw(server.url)
  greedy.write(GET.repeat(1_000))
  await greedy.closed
  assert.is(asked, MAX_PIPELINED_REQUESTS)
  const patient = await openRaw(server.url)
  patient.write(GET.repeat(MAX_PIPELINED_REQUESTS))
  await until('all are worked on', () => asked === 2 * MAX_PIPELINED_REQUESTS)
  assert.not.ok(patient.socket.destroyed)
  await server.close(0)
})

test('connections leave half of the file descriptors', () => {
  const told = (files: string) => `Limit                     Soft Limit           Hard Limit           Units
Max processes             unlimited            unlimited            processes
Max open files            ${files.padEnd(21)}524288               files
`
  assert.is(connectionLimit(told('1024')), 512)
  assert.is(connectionLimit(told('1048576')), MAX_CONNECTIONS)
  assert.is(connectionLimit(told('unlimited')), MAX_CONNECTIONS)
  assert.is(connectionLimit(undefined), MAX_CONNECTIONS)
  if (process.platform === 'linux') assert.match(readProcessLimits() ?? '', /^Max open files /m)
})

test('missing file descriptors are one line in the log, and another when they are there again', async () => {
  const told: string[] = []
  const keep = (_: object, message: string) => void told.push(message)
  let missing = true
  let looks = 0
  const end = watchDescriptors(
    { ...silent, info: keep, error: keep },
    {
      everyMs: 5,
      async probe() {
        looks++
        if (missing) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
      },
    },
  )
  await until('some looks', () => looks > 3)
  assert.is(told.length, 1)
  assert.match(told[0] ?? '', 'no file descriptor is left')
  missing = false
  await until('a second line', () => told.length > 1)
  assert.match(told[1] ?? '', 'again')
  const before = looks
  await until('more looks', () => looks > before + 3)
  assert.is(told.length, 2)
  end()
})

if (process.platform !== 'win32') {
  test('a server that really runs out of them says so, and goes on when clients leave', async () => {
    const child = spawn(
      'sh',
      [
        '-c',
        // Node 24 opens more than a hundred files before it listens.
        'ulimit -n 160 && exec "$0" "$@"',
        process.execPath,
        '--import',
        'tsx',
        join(import.meta.dirname, 'few-descriptors.ts'),
      ],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    )
    const lines: string[] = []
    createInterface(child.stdout).on('line', (line) => lines.push(line))
    const sockets: Socket[] = []
    try {
      await until('it listens', () => {
        assert.is(child.exitCode, null, 'it ended before it listened')
        return lines.length > 0
      })
      const url = new URL(lines[0] ?? '')
      // More of them until it is said: what the process closes after its start would leave room for its own look.
      const crowd = setInterval(() => {
        for (let i = 0; i < 20; i++) {
          const socket = connect(Number(url.port), url.hostname)
          socket.on('error', () => {})
          sockets.push(socket)
        }
      }, 50)
      try {
        await until('a line in the log', () => lines.some((line) => line.includes('no file descriptor is left')))
      } finally {
        clearInterval(crowd)
      }
      for (const socket of sockets) socket.destroy()
      await until('another', () => lines.some((line) => line.includes('file descriptors again')))
      const visitor = await openRaw(url.href)
      visitor.write(GET)
      assert.is((await visitor.answer()).status, 200)
      visitor.socket.destroy()
    } finally {
      for (const socket of sockets) socket.destroy()
      const exited = once(child, 'exit')
      if (child.kill()) await exited
    }
  })
}

test.run()
