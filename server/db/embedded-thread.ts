import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import * as v from 'valibot'
import type { Log } from '../deps.ts'

const threadMessage = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('closed') }),
  v.object({ type: v.literal('failed'), code: v.optional(v.string()), message: v.string() }),
])

export interface DatabaseThread {
  close(): Promise<void>
  /** Ends the thread as a fault would, for tests of what follows. */
  crash(): Promise<void>
}

const FIRST_RESTART_MS = 100
const LONGEST_RESTART_MS = 30_000
/** Of the thread's own JavaScript, which only hands messages on; V8 would let 48 MB of them lie. */
const YOUNG_GENERATION_MB = 4

export interface DatabaseOptions {
  dataDir: string
  /** For a command, which ends soon: less memory, and slower only after a while. */
  frugal: boolean
}

/**
 * PostgreSQL's cache of pages is in memory as a whole from the start. A server searches the same rows again and again; a
 * command gains little by it, since the system keeps the files' pages anyway.
 *
 * The database's program runs at once and is optimized function by function as these turn out to be hot. What that takes
 * (24 MB for one function) stays with the thread that did it: up to 45 MB in each of four, so a server optimizes one at
 * a time. Without it an import takes a fifth more processor time, in 80 MB less.
 */
const SERVER = { sharedBuffersMb: 128, flags: ['--wasm-num-compilation-tasks=1'] }
const COMMAND = { sharedBuffersMb: 16, flags: ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering'] }

/** Makes an empty database in `dataDir`. */
export async function initializeDatabase(options: DatabaseOptions): Promise<void> {
  await start(options, null, 'closed')
}

/**
 * Runs the database of `dataDir` in a thread of its own, reachable at `socketPath`. A thread that ends by itself (the
 * database panics, e.g. on a full disk) is started again: what was committed comes back from the write-ahead log, and
 * clients connect anew.
 */
export async function startDatabaseThread(
  options: DatabaseOptions,
  socketPath: string,
  log: Log,
): Promise<DatabaseThread> {
  let closing = false
  const open = async () => {
    if (process.platform !== 'win32') await rm(socketPath, { force: true })
    const started = await start(options, socketPath, 'ready')
    started.once('exit', () => void reopen())
    return started
  }
  const reopen = async () => {
    for (let pause = FIRST_RESTART_MS; !closing; pause = Math.min(pause * 2, LONGEST_RESTART_MS)) {
      log.error({ pause }, 'the embedded database stopped; it is started again')
      await sleep(pause)
      if (closing) return
      try {
        thread = await open()
        if (closing) await stop(thread)
        return
      } catch (error) {
        log.error(
          { error: error instanceof Error ? error.message : String(error) },
          'the embedded database did not start',
        )
      }
    }
  }
  let thread = await open()
  return {
    async close() {
      closing = true
      await stop(thread)
    },
    async crash() {
      await thread.terminate()
    },
  }
}

async function stop(thread: Worker): Promise<void> {
  // A thread that has ended already has no number any more, and says nothing.
  if (thread.threadId === -1) return
  const ended = new Promise((resolve) => thread.once('exit', resolve))
  thread.postMessage('close')
  await ended
}

/** Starts the thread and waits for its word. The error of one that fails carries the code of its cause. */
function start(
  { dataDir, frugal }: DatabaseOptions,
  socketPath: string | null,
  awaited: 'ready' | 'closed',
): Promise<Worker> {
  const { sharedBuffersMb, flags } = frugal ? COMMAND : SERVER
  for (const flag of flags) setFlagsFromString(flag)
  const worker = new Worker(new URL('./embedded-worker.js', import.meta.url), {
    workerData: { dataDir, socketPath, sharedBuffersMb },
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  })
  return new Promise((resolve, reject) => {
    worker.on('message', (message) => {
      const said = v.parse(threadMessage, message)
      if (said.type === awaited) resolve(worker)
      if (said.type === 'failed') {
        reject(Object.assign(new Error(`The embedded database failed: ${said.message}`), { code: said.code }))
      }
    })
    worker.on('error', reject)
    worker.once('exit', (code) => reject(new Error(`The embedded database's thread ended with ${code}`)))
  })
}
