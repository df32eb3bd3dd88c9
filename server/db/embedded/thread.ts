import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import * as v from 'valibot'
import { codeOf } from '../../../src/contract/code-of.ts'
import type { Log } from '../../deps.ts'
import { machineMemory } from '../../machine-memory.ts'
import { isFull } from '../home/free-space.ts'
import { lastFileError, sharedProgress, watchThread } from './watchdog.ts'

const threadMessage = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('closed') }),
  v.object({ type: v.literal('failed'), code: v.optional(v.string()), message: v.string() }),
])

const FIRST_RESTART_MS = 100
/** How long the database may take to come back after disk space was freed. */
const LONGEST_RESTART_MS = 10_000
/** Anything that a forcibly ended database has not written is in the write-ahead log, so the next start takes longer. */
const SERVER_CLOSE_MS = 2_000
const COMMAND_CLOSE_MS = 30_000
/** Heap of the thread's own JavaScript, which only passes messages on; V8 would let 48 MB of garbage accumulate. */
const YOUNG_GENERATION_MB = 4

export interface DatabaseOptions {
  dataDir: string
  /** For a short-lived command: less memory, and slower only after a while. */
  shortLived: boolean
  /** Whether commits are flushed to disk before they are acknowledged; not for a database that is thrown away. */
  flushed: boolean
}

const MB = 2 ** 20
const SMALLEST_BUFFERS_MB = 16
const LARGEST_BUFFERS_MB = 128

/**
 * PostgreSQL's page cache, whose memory is allocated as pages are read and never freed. A server reads the same rows over and
 * over; a command gains little, since the system caches the files anyway.
 *
 * The database's program runs unoptimised at first, and V8 optimises functions as they become hot. The memory that takes (24
 * MB for one function) stays with the compiling thread: up to 45 MB in each of four, so a server optimises one at a time.
 * Without optimisation an import takes a fifth more processor time, in 80 MB less. V8 would start at a hundredth of the
 * budget, with functions that are hot only during a start: 0.4 s of processor time a start, and imports no faster.
 */
export const SERVER_TUNING = {
  sharedBuffersMb: sharedBuffersOf(machineMemory()),
  flags: ['--wasm-num-compilation-tasks=1', '--wasm-tiering-budget=200000000'],
}
const COMMAND = { sharedBuffersMb: SMALLEST_BUFFERS_MB, flags: ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering'] }

/** A sixteenth of the memory, in MB: all 128 are a fifth of the smallest machines. */
export function sharedBuffersOf(memoryBytes: number): number {
  return Math.round(Math.min(LARGEST_BUFFERS_MB, Math.max(SMALLEST_BUFFERS_MB, memoryBytes / 16 / MB)))
}

/** Creates an empty database in `dataDir`. */
export async function initializeDatabase(options: Omit<DatabaseOptions, 'flushed'>, log: Log): Promise<void> {
  // The caller flushes all of it at once (home/data-folder.ts).
  await start({ ...options, flushed: false }, null, 'closed', log)
}

/**
 * Runs the database of `dataDir` in a thread of its own, reachable at `socketPath`. If the thread ends, or is ended because
 * it is stuck (the database panics on a full disk), it is restarted: committed data is recovered from the write-ahead log,
 * and clients reconnect.
 */
export async function startDatabaseThread(options: DatabaseOptions, socketPath: string, log: Log) {
  let closing = false
  const open = async () => {
    if (process.platform !== 'win32') await rm(socketPath, { force: true })
    const started = await start(options, socketPath, 'ready', log)
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
        if (closing) await stop(thread, options)
        else log.warn({}, 'the embedded database is there again')
        return
      } catch (error) {
        log.error(describe(error), 'the embedded database did not start')
      }
    }
  }
  let thread = await open()
  return {
    async close() {
      closing = true
      await stop(thread, options)
    },
    /** Ends the thread as a fault would, for tests. */
    async crash() {
      await thread.terminate()
    },
  }
}

function describe(error: unknown): object {
  if (!(error instanceof Error)) return { error: String(error) }
  const code = codeOf(error)
  return { code, error: isDiskFull(code) ? 'the disk is full' : error.message }
}

function isDiskFull(code: string | undefined): boolean {
  return code === 'ENOSPC' || code === 'EDQUOT'
}

async function stop(thread: Worker, { shortLived }: DatabaseOptions): Promise<void> {
  // A thread that has ended has no id any more and sends nothing.
  if (thread.threadId === -1) return
  const ended = new Promise((resolve) => thread.once('exit', resolve))
  thread.postMessage('close')
  const timer = setTimeout(() => void thread.terminate(), shortLived ? COMMAND_CLOSE_MS : SERVER_CLOSE_MS)
  await ended
  clearTimeout(timer)
}

/**
 * Starts the thread, waits until it is ready, and watches it until it ends. An error of the start carries the code of its
 * cause.
 */
function start(
  { dataDir, shortLived, flushed }: DatabaseOptions,
  socketPath: string | null,
  awaited: 'ready' | 'closed',
  log: Log,
): Promise<Worker> {
  const { sharedBuffersMb, flags } = shortLived ? COMMAND : SERVER_TUNING
  for (const flag of flags) setFlagsFromString(flag)
  const progress = sharedProgress()
  let isRunning = false
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: { dataDir, socketPath, sharedBuffersMb, flushed, progress },
    // A TypeScript loader, as in tests and `npm run dev`, would be started again in each thread, which needs none.
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  })
  return new Promise((resolve, reject) => {
    const failed = (message: string, code: string | undefined) => {
      reject(Object.assign(new Error(`The embedded database failed: ${message}`), code === undefined ? {} : { code }))
    }
    const unwatch = watchThread(
      progress,
      () => isFull(dataDir),
      (trouble) => {
        const reason = isDiskFull(trouble) ? 'its disk is full; it' : 'it'
        log.error({ trouble }, `the embedded database is stuck: ${reason} is ended`)
        failed(trouble ?? 'it did not answer', trouble)
        void worker.terminate()
      },
    )
    worker.on('message', (message) => {
      const said = v.parse(threadMessage, message)
      if (said.type === awaited) {
        isRunning = true
        resolve(worker)
      }
      if (said.type !== 'failed') return
      const code = said.code ?? lastFileError(progress)
      // During the start, the caller gets the error.
      if (isRunning) log.error({ error: said.message, code }, 'the embedded database failed')
      failed(said.message, code)
    })
    worker.on('error', (error) => failed(error.message, lastFileError(progress)))
    worker.once('exit', (code) => {
      unwatch()
      failed(`its thread ended with ${code}`, lastFileError(progress))
    })
  })
}
