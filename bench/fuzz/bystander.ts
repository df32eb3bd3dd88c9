/**
 * A visitor who only wants to see reviews, in a process of its own: it asks again and again, and next to each request a
 * bare server (bare-server.ts) what it can do nothing slowly with. What the visitor waits beyond that is the server's doing.
 * Nor is what the server's threads waited for a processor. Arguments: process id and address of the server, address of the
 * bare one, then publishable keys. Linux.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { ORIGIN } from './requests.ts'

export type FromBystander =
  | { kind: 'slow'; from: number; to: number; ms: number; bareMs: number }
  | { kind: 'bad'; status: number | string }
  | { kind: 'count'; asked: number; worstMs: number }

const SLOW_MS = 200
const BETWEEN_MS = 30
const [, , pid = '', url = '', bare = '', ...keys] = process.argv
const agent = new Agent({ keepAlive: true })
const say = (message: FromBystander) => process.connected && process.send?.(message)
process.on('disconnect', () => process.exit(0))

function ask(address: string, headers: Record<string, string> = {}): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = request(address, { agent, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
      response.on('error', (error) => resolve(error.message))
    })
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sent.end()
  })
}

/** The longest that the bare server took while `busy` holds, asked without a pause. */
async function longestOf(address: string, busy: () => boolean): Promise<number> {
  let longest = 0
  do {
    const start = performance.now()
    await ask(address)
    longest = Math.max(longest, performance.now() - start)
    await new Promise((resume) => setTimeout(resume, 5))
  } while (busy())
  return longest
}

/** Milliseconds that threads of the server were ready and had no processor, all together, so far. */
function queuedMs(): number {
  let sum = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      sum += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[1])
    } catch {
      // A thread that has ended.
    }
  }
  return sum / 1e6
}

let asked = 0
let worstMs = 0
for (;;) {
  const key = keys[asked++ % keys.length] ?? ''
  const from = Date.now()
  const queuedBefore = queuedMs()
  const start = performance.now()
  let ms = 0
  const answer = ask(`${url}/v1/query?q=terrace&limit=3&key=${key}`, {
    origin: ORIGIN,
    ...(asked % 2 === 0 ? { 'cache-control': 'no-cache' } : {}),
  }).then((status) => {
    ms = performance.now() - start
    return status
  })
  const bareMs = Math.max(await longestOf(bare, () => ms === 0), queuedMs() - queuedBefore)
  const status = await answer
  if (status !== 200 && status !== 'ECONNRESET') say({ kind: 'bad', status })
  worstMs = Math.max(worstMs, ms - bareMs)
  if (ms - bareMs > SLOW_MS) say({ kind: 'slow', from, to: Date.now(), ms, bareMs })
  if (asked % 20 === 0) say({ kind: 'count', asked, worstMs })
  await new Promise((resume) => setTimeout(resume, BETWEEN_MS))
}
