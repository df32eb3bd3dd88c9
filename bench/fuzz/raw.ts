/** Bytes on a socket that are hardly a request, or one that never comes to its end. */
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { monotony } from './hostile.ts'
import { judged } from './judge.ts'
import type { Random } from './random.ts'
import { type Access, type Credentials, ORIGIN } from './requests.ts'

/** Bytes, or a pause in milliseconds. */
type Part = Buffer | number

export interface RawSent {
  name: string
  access: Access
  parts: Part[]
  /** What the client does when all was sent. */
  ending: 'waits' | 'half closes' | 'resets'
  /** An answer must come, and the connection end or stay open for the next. */
  answered: boolean
}

const TARGETS = [
  'http://[',
  'http://a:99999999/',
  'http://a@b/v1/query',
  '//v1/query',
  '*',
  '/v1/../v1/query',
  '/%',
  '/v1/query#x',
]
const MORE_TARGETS = [
  'ftp://x/v1/query',
  'http://',
  '/v1\\query',
  'http:///v1/query',
  '/healthz?%00',
  '/demo?project=%00',
]
const HOSTS = ['x', 'a:99999', '[x', '', '127.0.0.1:x', 'a b', 'é', '%00', 'x\r\nHost: y', '127.0.0.1', 'localhost']
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'PUT', 'TRACE', 'CONNECT', 'FETCH', 'get', 'PRI']
const PATHS = [
  '/v1/query',
  '/v1/reviews',
  '/metrics',
  '/healthz',
  '/readyz',
  '/demo',
  '/imports',
  '/operator/projects',
  '/x',
]
const LINES = [
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: identity',
  'Transfer-Encoding: chunked, chunked',
  'Transfer-Encoding : chunked',
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 5, 5',
  'Content-Length: 99999999999999999999',
  'Content-Length: 10485760',
  'Content-Type: application/json',
  'Content-Type: text/csv',
  'Expect: 100-continue',
  'Expect: miracles',
  'Connection: close',
  'Connection: upgrade',
  'Upgrade: websocket',
  'Upgrade: h2c',
  'Authorization: Bearer x',
  ' folded: line',
  'X-A: a\0b',
  'X-\u00e9: 1',
  ': nameless',
  'no colon',
  'Cookie: a=b',
  'Via: 1.1 proxy',
]
const CHUNKS = [
  '5\r\nhello\r\n0\r\n\r\n',
  'ffffffffffffffff\r\n',
  '-1\r\n',
  'g\r\n',
  '5;ext=1\r\nhello\r\n0\r\nTrailer: x\r\n\r\n',
  '0\r\n\r\n',
]

export function makeRaw(random: Random, keys: Credentials): RawSent {
  const make = random.pick([odd, odd, odd, mutated, pipelined, unfinished, slow, manyHeaders, hugeHeader, chunked])
  return make(random, keys)
}

function head(random: Random, keys: Credentials, target: string, lines: string[] = []): string {
  const authorization = random.chance(0.5) ? [`Authorization: Bearer ${random.pick(keys.secret)}`] : []
  const host = `Host: ${random.chance(0.7) ? 'x' : random.pick(HOSTS)}`
  const version = random.chance(0.9) ? 'HTTP/1.1' : random.pick(['HTTP/1.0', 'HTTP/0.9', 'HTTP/3.9', ''])
  const end = random.chance(0.97) ? '\r\n' : '\n'
  return [`${random.pick(METHODS)} ${target} ${version}`, host, ...authorization, ...lines, '', ''].join(end)
}

const target = (random: Random) =>
  random.chance(0.5) ? random.pick(PATHS) : random.pick([...TARGETS, ...MORE_TARGETS])

/** A request whose parts do not belong together. It may be one that waits for more: then nothing need be answered. */
function odd(random: Random, keys: Credentials): RawSent {
  const lines = random.list(random.int(4), () => random.pick(LINES))
  const bytes = Buffer.from(head(random, keys, target(random), lines) + (random.chance(0.3) ? 'hello' : ''), 'latin1')
  return { name: 'odd', access: 'none', parts: [bytes], ending: random.pick(['waits', 'half closes']), answered: false }
}

function sound(random: Random, keys: Credentials): Buffer {
  const body = JSON.stringify({ q: 'breakfast on the terrace' })
  const key = `Authorization: Bearer ${random.pick(keys.secret)}`
  const lines = ['Host: x', key, 'Content-Type: application/json', `Content-Length: ${body.length}`]
  return Buffer.from(`POST /v1/query HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}

function mutated(random: Random, keys: Credentials): RawSent {
  let bytes = sound(random, keys)
  for (let i = 1 + random.int(4); i > 0; i--) {
    const at = random.int(bytes.length)
    const kind = random.int(3)
    const put =
      kind === 0 ? Buffer.from([random.int(256)]) : kind === 1 ? Buffer.alloc(0) : bytes.subarray(0, random.int(60))
    bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + 1)])
  }
  return { name: 'mutated', access: 'secret', parts: [bytes], ending: 'half closes', answered: false }
}

function pipelined(random: Random, keys: Credentials): RawSent {
  const count = random.pick([2, 10, 50])
  const one = () => (random.chance(0.5) ? sound(random, keys) : Buffer.from('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'))
  const parts = random.list(count, one)
  return { name: 'pipelined', access: 'secret', parts, ending: random.pick(['waits', 'resets']), answered: true }
}

function unfinished(random: Random, keys: Credentials): RawSent {
  const whole = sound(random, keys)
  const cut = whole.subarray(0, random.int(whole.length))
  return {
    name: 'unfinished',
    access: 'secret',
    parts: [cut],
    ending: random.pick(['half closes', 'resets']),
    answered: false,
  }
}

function slow(random: Random, keys: Credentials): RawSent {
  const whole = sound(random, keys)
  const at = random.list(3, () => random.int(whole.length)).sort((a, b) => a - b)
  const pieces = [0, ...at].map((from, i) => whole.subarray(from, at[i] ?? whole.length))
  const parts = pieces.flatMap((piece): Part[] => [piece, 20 + random.int(80)])
  return { name: 'slow', access: 'secret', parts, ending: 'waits', answered: true }
}

function manyHeaders(random: Random, keys: Credentials): RawSent {
  const count = random.pick([100, 1_900, 2_100, 10_000])
  const lines = random.list(count, () => `x-${random.int(90)}: 1`)
  const bytes = Buffer.from(head(random, keys, '/v1/query', lines))
  return { name: 'many headers', access: 'none', parts: [bytes], ending: 'waits', answered: false }
}

function hugeHeader(random: Random, keys: Credentials): RawSent {
  const room = random.pick([20_000, 250_000, 300_000])
  const fill = Buffer.from(monotony(random, room))
    .toString('latin1')
    .replace(/[\r\n\0]/g, '%')
  const name = random.pick([
    'Authorization',
    'Origin',
    'X-Request-Id',
    'Content-Type',
    'Accept',
    'Cache-Control',
    'Cookie',
  ])
  const path = random.chance(0.3) ? `/v1/query?q=${fill.replace(/[^\w%]/g, '+')}` : '/v1/query'
  const lines = path === '/v1/query' ? [`${name}: ${fill}`] : [`Origin: ${ORIGIN}`]
  const bytes = Buffer.from(head(random, keys, path, lines), 'latin1')
  return { name: 'huge header', access: 'none', parts: [bytes], ending: 'waits', answered: false }
}

function chunked(random: Random, keys: Credentials): RawSent {
  const lines = ['Transfer-Encoding: chunked', `Content-Type: ${random.pick(['application/json', 'text/csv'])}`]
  const body = random.chance(0.3) ? '1\r\n \r\n'.repeat(random.pick([10, 20_000])) : random.pick(CHUNKS)
  const bytes = Buffer.from(head(random, keys, random.pick(PATHS), lines) + body, 'latin1')
  return {
    name: 'chunked',
    access: 'none',
    parts: [bytes],
    ending: random.pick(['waits', 'half closes', 'resets']),
    answered: false,
  }
}

/** A request that nobody need answer is given up after this. */
const PATIENCE_MS = 120
const NO_ANSWER_MS = 60_000

/** Sends it. @returns what is wrong with what came back, or nothing */
export async function sendRaw(sent: RawSent, url: string): Promise<string | undefined> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  const chunks: Buffer[] = []
  let ended = false
  let refused = false
  const wake = () => next?.()
  let next: (() => void) | undefined
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    wake()
  })
  socket.on('end', () => {
    ended = true
    wake()
  })
  socket.on('close', () => {
    ended = true
    wake()
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    refused ||= error.code === 'ECONNREFUSED'
  })
  for (const part of sent.parts) {
    if (typeof part === 'number') await pause(part)
    else if (socket.writable) socket.write(part)
  }
  if (sent.ending === 'half closes') socket.end()
  if (sent.ending === 'resets') await pause(20).then(() => socket.resetAndDestroy())
  const until = performance.now() + (sent.answered && sent.ending === 'waits' ? NO_ANSWER_MS : PATIENCE_MS)
  while (!ended && performance.now() < until && !(chunks.length > 0 && isWhole(Buffer.concat(chunks)))) {
    const left = until - performance.now()
    await Promise.race([
      new Promise<void>((resolve) => {
        next = resolve
      }),
      pause(left, undefined, { ref: false }),
    ])
  }
  socket.destroy()
  if (refused) return 'connection refused'
  const bytes = Buffer.concat(chunks)
  if (bytes.length === 0) return sent.answered && sent.ending === 'waits' ? 'no answer' : undefined
  return judgedBytes(bytes)
}

const HEAD_END = '\r\n\r\n'

function firstAnswer(bytes: Buffer) {
  const end = bytes.indexOf(HEAD_END)
  if (end < 0) return undefined
  const [line = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const headers = Object.fromEntries(
    lines.map((each) => [each.slice(0, each.indexOf(':')).toLowerCase(), each.slice(each.indexOf(':') + 1).trim()]),
  )
  return { line, status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1] ?? 0), headers, rest: bytes.subarray(end + 4) }
}

function isWhole(bytes: Buffer): boolean {
  const answer = firstAnswer(bytes)
  if (!answer || answer.status === 100) return false
  const length = answer.headers['content-length']
  return length === undefined ? answer.status === 204 : answer.rest.length >= Number(length)
}

function judgedBytes(bytes: Buffer): string | undefined {
  let answer = firstAnswer(bytes)
  while (answer?.status === 100) answer = firstAnswer(answer.rest)
  if (!answer) return undefined
  if (answer.status === 0) return `answered with ${answer.line.slice(0, 40)}`
  const length = Number(answer.headers['content-length'] ?? Number.NaN)
  // A body of unknown length is not put together here; its head is judged all the same.
  const whole = answer.rest.length >= length
  return judged({ ...answer, body: answer.rest.subarray(0, whole ? length : 0) }, whole ? 'GET' : 'HEAD')
}
