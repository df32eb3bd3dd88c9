/**
 * The server in a process of its own, from the checkout in `CHECKOUT`, with what only the bench may know: how long its main
 * thread was kept by one turn of the event loop, in processor time, so that a busy machine is not blamed on the server.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as configModule from '../../server/config.ts'
import type * as startModule from '../../server/start.ts'

export type FromServer =
  | { kind: 'ready'; url: string }
  | { kind: 'stall'; from: number; to: number; processorMs: number }
  | { kind: 'longest'; processorMs: number }
  | { kind: 'measured'; heapBytes: number; rssBytes: number; handles: number }

const TICK_MS = 10
const STALL_MS = 200

const say = (message: FromServer) => process.send?.(message)
const from = async <T>(file: string): Promise<T> => import(pathToFileURL(join(process.env.CHECKOUT ?? '', file)).href)

const { readConfig } = await from<typeof configModule>('server/config.ts')
const { startServer } = await from<typeof startModule>('server/start.ts')
const server = await startServer(readConfig(process.env))

/** Milliseconds of processor time of this thread so far; the kernel counts them (Linux). */
function processorMs(): number {
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
}

let before = { at: Date.now(), used: processorMs() }
/** Of one turn of the event loop, since somebody asked. */
let longest = 0
setInterval(() => {
  const now = { at: Date.now(), used: processorMs() }
  const used = now.used - before.used
  longest = Math.max(longest, used)
  if (used > STALL_MS) say({ kind: 'stall', from: before.at, to: now.at, processorMs: used })
  before = now
}, TICK_MS).unref()

/** The embedded database keeps each table's file open once it was used: up to a limit of its own, and no request's handle. */
const DATABASE_FILES = join(process.env.PULLQUOTE_HOME ?? '', 'data') + sep

/** What each file descriptor of this process is. */
function openHandles(): string[] {
  return readdirSync('/proc/self/fd').map((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`)
    } catch {
      // The one that read the folder is gone.
      return ''
    }
  })
}

async function measure(): Promise<void> {
  for (let i = 0; i < 4; i++) {
    globalThis.gc?.()
    await new Promise((resume) => setTimeout(resume, 100))
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  const handles = openHandles().filter((target) => !target.includes(DATABASE_FILES)).length
  before = { at: Date.now(), used: processorMs() }
  say({ kind: 'measured', heapBytes: heapUsed + external, rssBytes: rss, handles })
}

process.on('message', (message) => {
  if (message === 'measure') void measure()
  if (message === 'longest') {
    say({ kind: 'longest', processorMs: longest })
    longest = 0
  }
  if (message === 'close') void server.close().then(() => process.exit(0))
})
process.on('disconnect', () => process.exit(1))
say({ kind: 'ready', url: server.url })
