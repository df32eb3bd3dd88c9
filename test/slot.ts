/** The runner's side of a process that runs test files; the other side is test/run-files.ts. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Counts } from './suite.ts'

export interface FileResult extends Counts {
  /** Why the file failed, apart from failed tests. */
  problems: string[]
  output: string
  seconds: number
  /** CPU time of the process and of its children that have ended. */
  processorSeconds: number
}

export type Message =
  | { type: 'ready' }
  | { type: 'test'; test: string }
  | ({ type: 'done'; processorSeconds: number; megabytes: number; leftOpen: string[] } & Counts)

const LOADER = pathToFileURL(join(import.meta.dirname, 'transpiled-loader.js')).href
/** The slowest took 250 s on two cores with a load of 20. */
const TEST_LIMIT_MS = 600_000
const END_LIMIT_MS = 30_000
/** The last words of a process that nothing would have kept from exiting. */
export const NOTHING_OPEN = 'nothing is left open\n'
/** A process larger than this runs no further file. */
const MOST_MEGABYTES = 1_200

let serial = 0
const running = new Set<Slot>()

/** Kills all test processes and their children. */
export function killAll(): void {
  for (const slot of running) slot.kill()
}

export class Slot {
  readonly #child: ChildProcess
  readonly #log: string
  readonly #fd: number
  readonly #ended: Promise<string>
  readonly #leftOpen: string[] = []
  #onMessage: (message: Message) => void = () => {}
  #isRunning = true
  #megabytes = 0

  /** @param folder for the output */
  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.#log = join(folder, `${serial++}.log`)
    // A file rather than a pipe: it has everything written before a message arrives, and the output of a crash.
    this.#fd = openSync(this.#log, 'a')
    this.#child = spawn(process.execPath, ['--import', LOADER, join(import.meta.dirname, 'run-files.ts')], {
      cwd: join(import.meta.dirname, '..'),
      // In its own process group, so that whatever it leaves running can be killed with it.
      detached: true,
      env: { ...env, NODE_NO_WARNINGS: '1' },
      stdio: ['ignore', this.#fd, this.#fd, 'ipc'],
    })
    this.#ended = new Promise((resolve) => {
      this.#child.on('exit', (code, signal) => {
        this.#isRunning = false
        running.delete(this)
        resolve(code === 0 ? '' : signal === null ? `exited with ${code}` : `was ended by ${signal}`)
      })
    })
    running.add(this)
    this.#child.on('message', (message: Message) => this.#onMessage(message))
  }

  /** Kills the process and its children. */
  kill(): void {
    try {
      process.kill(-(this.#child.pid ?? 0), 'SIGKILL')
    } catch {
      // Already gone.
    }
  }

  /** Whether it can run another file. */
  get isReusable(): boolean {
    return this.#isRunning && this.#megabytes < MOST_MEGABYTES
  }

  /** Runs a file to its end; if the process exits meanwhile, the file has failed. */
  async run(file: string, { shared }: { shared: boolean }): Promise<FileResult> {
    const started = Date.now()
    const from = statSync(this.#log).size
    let inTest = 'its imports'
    let stopped: string | undefined
    let timer: NodeJS.Timeout | undefined
    const isAlive = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        stopped = `was stopped: nothing happened for ${TEST_LIMIT_MS / 1000} s in ${inTest}`
        this.kill()
      }, TEST_LIMIT_MS)
    }
    isAlive()
    const done = new Promise<Extract<Message, { type: 'done' }>>((resolve) => {
      this.#onMessage = (message) => {
        isAlive()
        if (message.type === 'test') inTest = message.test
        if (message.type === 'done') resolve(message)
      }
    })
    this.#child.send({ file, shared }, () => {})
    const came = await Promise.race([done, this.#ended])
    clearTimeout(timer)
    const seconds = (Date.now() - started) / 1000
    const output = readFileSync(this.#log).subarray(from).toString('utf8')
    if (typeof came === 'string') {
      const problems = [stopped ?? `${came || 'ended'} in ${inTest}`]
      return { passed: 0, failed: 0, skipped: 0, problems, output, seconds, processorSeconds: 0 }
    }
    const { passed, failed, skipped, processorSeconds, megabytes, leftOpen } = came
    this.#megabytes = megabytes
    if (leftOpen.length > 0) this.#leftOpen.push(`${file} left open: ${leftOpen.join(', ')}`)
    const problems = passed + failed + skipped === 0 ? ['has no test'] : []
    return { passed, failed, skipped, problems, output, seconds, processorSeconds }
  }

  /** Lets the process end. @returns problems in doing so, which count as failures; none if it exited during a file */
  async end(): Promise<string[]> {
    const wasRunning = this.#isRunning
    const from = statSync(this.#log).size
    if (this.#child.connected) this.#child.disconnect()
    let stuck = false
    const timer = setTimeout(() => {
      stuck = true
      this.kill()
    }, END_LIMIT_MS)
    const came = await this.#ended
    clearTimeout(timer)
    this.kill()
    const output = readFileSync(this.#log).subarray(from).toString('utf8')
    closeSync(this.#fd)
    rmSync(this.#log)
    if (!wasRunning || output.endsWith(NOTHING_OPEN)) return []
    if (stuck) return ['a process of tests did not end by itself', output, ...this.#leftOpen]
    return [`a process of tests ${came || 'exited'} after its last file`, output, ...this.#leftOpen]
  }
}
