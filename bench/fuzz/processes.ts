/** The processes of the bench: the server, the bystander and the control. Linux: memory is read from /proc. */
import { type ChildProcess, fork } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { FromBystander } from './bystander.ts'
import type { FromServer } from './server-process.ts'

const root = join(import.meta.dirname, '../..')

export interface ServerHandle {
  url: string
  child: ChildProcess
  /** After a thorough garbage collection. */
  measure(): Promise<{ heapBytes: number; rssBytes: number; handles: number }>
  /** The longest that one turn of its event loop computed since this was asked last, in milliseconds of processor time. */
  longestTurn(): Promise<number>
  /** Resident memory at this moment. */
  residentBytes(): Promise<number>
  close(): Promise<void>
}

/** @param logFile what the server says, at the level `error` */
export async function startServer(
  checkout: string,
  env: Record<string, string>,
  logFile: string,
  hear: (message: FromServer) => void,
): Promise<ServerHandle> {
  const child = fork(join(import.meta.dirname, 'server-process.ts'), {
    cwd: root,
    env: { ...process.env, PULLQUOTE_LOG_LEVEL: 'error', ...env, CHECKOUT: resolve(checkout) },
    execArgv: ['--import', 'tsx', '--expose-gc'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  child.stderr?.pipe(createWriteStream(logFile))
  let answered: ((processorMs: number) => void) | undefined
  let measured: ((message: Extract<FromServer, { kind: 'measured' }>) => void) | undefined
  const url = await new Promise<string>((ready, fail) => {
    child.once('exit', (code) => fail(new Error(`the server ended with ${code}: see ${logFile}`)))
    child.on('message', (message: FromServer) => {
      if (message.kind === 'ready') ready(message.url)
      else if (message.kind === 'measured') measured?.(message)
      else if (message.kind === 'longest') answered?.(message.processorMs)
      else hear(message)
    })
  })
  return {
    url,
    child,
    measure: () =>
      new Promise((done) => {
        measured = done
        child.send('measure')
      }),
    longestTurn: () =>
      new Promise((done) => {
        answered = done
        child.send('longest')
      }),
    async residentBytes() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
    },
    close: () =>
      new Promise((done) => {
        if (child.exitCode !== null || child.signalCode !== null) return done()
        child.removeAllListeners('exit').once('exit', () => done())
        child.send('close')
        setTimeout(() => child.kill('SIGKILL'), 20_000).unref()
      }),
  }
}

export async function startBareServer(databaseUrl: string | undefined): Promise<{ url: string; child: ChildProcess }> {
  const child = fork(join(import.meta.dirname, 'bare-server.ts'), databaseUrl ? [databaseUrl] : [], {
    execArgv: ['--import', 'tsx'],
  })
  const url = await new Promise<string>((ready, fail) => {
    child.once('message', (address: string) => ready(address))
    child.once('exit', () => fail(new Error('the bare server ended')))
  })
  return { url, child }
}

export function startBystander(
  server: ServerHandle,
  bareUrl: string,
  keys: readonly string[],
  hear: (message: FromBystander) => void,
): ChildProcess {
  const child = fork(
    join(import.meta.dirname, 'bystander.ts'),
    [String(server.child.pid), server.url, bareUrl, ...keys],
    {
      execArgv: ['--import', 'tsx'],
    },
  )
  child.on('message', hear)
  return child
}
