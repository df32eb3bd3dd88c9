/** Servers as processes of their own, which can be killed, ended and started again on the same port and data. Linux. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const root = join(import.meta.dirname, '..', '..')

export interface ServerUnderLoad {
  name: string
  url: string
  /** Of its process while it runs. */
  readonly pid: number | undefined
  start(): Promise<void>
  /** SIGKILL: nothing is closed, flushed or handed back. */
  kill(): Promise<void>
  /** SIGTERM. @returns how long it took, in seconds, and the exit code */
  end(): Promise<{ seconds: number; code: number | null }>
  /** Resident memory in MB and open file descriptors; undefined while it is down. */
  resources(): Promise<{ megabytes: number; handles: number; upSeconds: number } | undefined>
}

/** @param env decides the database and holds the operator token; each server needs a port and a home of its own */
export function serverUnderLoad(name: string, port: number, env: Record<string, string>): ServerUnderLoad {
  let child: ChildProcess | undefined
  let startedAt = 0
  const url = `http://127.0.0.1:${port}`
  const stop = async (signal: NodeJS.Signals) => {
    const running = child
    child = undefined
    if (!running || running.exitCode !== null) throw new Error(`${name} is not running`)
    const since = Date.now()
    const exited = new Promise<number | null>((resolve) => running.once('exit', resolve))
    running.kill(signal)
    const code = await exited
    return { seconds: (Date.now() - since) / 1000, code }
  }
  return {
    name,
    url,
    get pid() {
      return child?.pid
    },
    async start() {
      const next = spawn(process.execPath, [join(root, 'bin', 'run.js'), 'serve', '--port', String(port)], {
        env: { ...process.env, PULLQUOTE_LOG_LEVEL: 'error', ...env },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      child = next
      startedAt = Date.now()
      for (const end = Date.now() + 120_000; Date.now() < end; await pause(100)) {
        if (next.exitCode !== null) throw new Error(`${name} ended with ${next.exitCode}`)
        const ready = await fetch(`${url}/readyz`).catch(() => undefined)
        if (ready?.status === 200) return
      }
      throw new Error(`${name} was not ready within two minutes`)
    },
    kill: async () => {
      await stop('SIGKILL')
    },
    end: () => stop('SIGTERM'),
    async resources() {
      const pid = child?.pid
      if (pid === undefined) return undefined
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
      const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0)
      const handles = await readdir(`/proc/${pid}/fd`).catch(() => [])
      if (kilobytes === 0) return undefined
      return { megabytes: kilobytes / 1024, handles: handles.length, upSeconds: (Date.now() - startedAt) / 1000 }
    },
  }
}
