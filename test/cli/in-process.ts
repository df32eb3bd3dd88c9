/** Runs the built command line in the test process, which takes a tenth of the time of a child process. */
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import type { CliResult } from './run-cli.ts'

type Execute = (packageRoot: string) => Promise<void>

let isBusy = false

/** Whether a command can run here now: one at a time, since commands share the streams and the environment. */
export function canRunHere(): boolean {
  return !isBusy
}

/** Thrown by the replaced `process.exit`, so that the command stops and this process continues. */
class Exited extends Error {}

/** @param cli the entry of the installed command line, bin/run.js */
export async function runHere(cli: string, args: string[], env: NodeJS.ProcessEnv, stdin: string): Promise<CliResult> {
  isBusy = true
  const root = join(dirname(cli), '..')
  const { execute }: { execute: Execute } = await import(
    pathToFileURL(join(root, 'dist', 'cli', 'cli', 'main.js')).href
  )
  const stage = setStage([process.execPath, cli, ...args], { ...env, OCLIF_DISABLE_ENGINE_WARNING: '1' }, stdin)
  try {
    await execute(root).catch((error: unknown) => {
      if (!(error instanceof Exited)) throw error
    })
    return stage.result()
  } finally {
    stage.restore()
    isBusy = false
  }
}

/** Replaces the streams, environment, arguments and `process.exit` for a command, until `restore`. */
function setStage(argv: string[], env: NodeJS.ProcessEnv, stdin: string) {
  const stdout = capture(process.stdout)
  const stderr = capture(process.stderr)
  const { env: realEnv, argv: realArgv, exit: realExit } = process
  const realStdin = Object.getOwnPropertyDescriptor(process, 'stdin')
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const listeners = signals.map((signal) => process.listeners(signal))
  process.env = env
  process.argv = argv
  process.exitCode = 0
  let ended: CliResult | undefined
  const result = (): CliResult => ({ code: Number(process.exitCode), stdout: stdout.text(), stderr: stderr.text() })
  process.exit = (code) => {
    // The first call counts: oclif's handler treats the exception as another error, prints it and exits with 1.
    ended ??= { ...result(), code: Number(code ?? process.exitCode) }
    throw new Exited()
  }
  const input = Readable.from(stdin === '' ? [] : [Buffer.from(stdin)], { objectMode: false })
  Object.defineProperty(process, 'stdin', { value: input, configurable: true })
  return {
    result: () => ended ?? result(),
    restore() {
      // `serve` unrefs it, and the test process would end before its next file.
      process.channel?.ref()
      process.exitCode = 0
      process.exit = realExit
      process.argv = realArgv
      process.env = realEnv
      if (realStdin) Object.defineProperty(process, 'stdin', realStdin)
      for (const [index, signal] of signals.entries()) {
        for (const listener of process.listeners(signal))
          if (!listeners[index]?.includes(listener)) process.off(signal, listener)
      }
      stdout.restore()
      stderr.restore()
    },
  }
}

/** Captures what is written to the stream. */
function capture(stream: NodeJS.WriteStream) {
  const chunks: Buffer[] = []
  const write = stream.write
  const listeners = stream.listeners('error')
  stream.write = (chunk: Uint8Array | string, encoding?: unknown, callback?: unknown) => {
    chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk))
    const written = typeof encoding === 'function' ? encoding : callback
    if (typeof written === 'function') process.nextTick(() => written())
    return true
  }
  return {
    text: () => Buffer.concat(chunks).toString(),
    restore() {
      stream.write = write
      for (const listener of stream.listeners('error'))
        if (!listeners.includes(listener)) stream.off('error', listener as () => void)
    },
  }
}
