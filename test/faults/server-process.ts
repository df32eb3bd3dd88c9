/** A real `pullquote serve` in a process of its own, as the fault tests start and kill it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { CLI } from '../cli/run-cli.ts'
import { until } from '../waiting.ts'

const root = join(import.meta.dirname, '../..')
export const OPERATOR_TOKEN = 'operator-token-of-the-fault-tests'

const running = new Set<ChildProcess>()

/** For an `after` hook: a test that failed half-way must not leave a server behind, which would keep its file alive. */
export function killServers(): void {
  for (const child of running) child.kill('SIGKILL')
}

export interface ServerProcess {
  url: string
  /** SIGKILL: nothing is closed, flushed or handed back. */
  kill(): Promise<void>
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
  output(): string
}

/** Starts a server and resolves when it is ready. `DATABASE_URL` decides which database; each has a home of its own. */
export async function startServerProcess(env: Record<string, string>): Promise<ServerProcess> {
  const home = await mkdtemp(join(tmpdir(), 'pullquote-fault-'))
  const child = spawn(process.execPath, [CLI, 'serve', '--port', '0', '--json'], {
    cwd: root,
    env: { ...process.env, PULLQUOTE_HOME: home, PULLQUOTE_OPERATOR_TOKEN: OPERATOR_TOKEN, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.on('exit', () => running.delete(child))
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const ended = async (signal: NodeJS.Signals) => {
    if (isRunning(child)) child.kill(signal)
    const code = await exited
    await rm(home, { recursive: true, force: true })
    return code
  }
  const url = await until('the server announces its address', () => {
    if (!isRunning(child)) throw new Error(`serve ended:\n${stdout}\n${stderr}`)
    return /"url":\s*"([^"]+)"/.exec(stdout)?.[1]
  })
  return {
    url,
    kill: async () => {
      await ended('SIGKILL')
    },
    stop: () => ended('SIGTERM'),
    output: () => `${stdout}\n${stderr}`,
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}

const newKey = v.object({ key: v.string() })

/** Makes a project and a live secret key through the operator's routes. */
export async function createProjectWithKey(url: string, plan: 'free' | 'paid'): Promise<string> {
  await operator(url, '/operator/projects', { name: 'hotel', plan })
  return v.parse(newKey, await operator(url, '/operator/keys', { project: 'hotel', kind: 'secret', env: 'live' })).key
}

async function operator(url: string, path: string, body: object): Promise<unknown> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

/** A call of /v1 with a secret key. */
export function call(url: string, key: string, path: string, body?: unknown, method?: string): Promise<Response> {
  return fetch(url + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

const TOPICS = ['breakfast', 'parking', 'the pool', 'the staff', 'our room', 'the garden', 'dinner', 'the location']
const WORDS = ['wonderful', 'quiet', 'friendly', 'generous', 'spotless', 'charming', 'relaxed', 'memorable']

/** `count` made-up reviews, all different, numbered from `from`. */
export function madeUpReviews(count: number, from = 0) {
  return Array.from({ length: count }, (_, i) => {
    const n = from + i
    const topic = TOPICS[n % TOPICS.length]
    const word = WORDS[Math.floor(n / TOPICS.length) % WORDS.length]
    return {
      external_id: `made-up-${n}`,
      source: 'custom',
      rating: 5,
      text: `Stay number ${n}: ${topic} was ${word}. We talked about ${topic} all the way home and will come again in spring.`,
      author_name: `Guest ${n}`,
      occurred_at: new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString(),
    }
  })
}

const queryAnswer = v.object({
  match: v.string(),
  results: v.array(v.object({ excerpt: v.string(), review: v.object({ id: v.string() }) })),
})

export async function query(url: string, key: string, body: object) {
  const response = await call(url, key, '/v1/query', body)
  if (!response.ok) throw new Error(`query: ${response.status} ${await response.text()}`)
  return { cache: response.headers.get('x-cache'), ...v.parse(queryAnswer, await response.json()) }
}
