/** Commands and servers as processes of their own, killed without warning. Linux. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const PROGRAM = join(import.meta.dirname, '..', '..', 'bin', 'run.js')
const READY_MS = 180_000

export interface Ended {
  code: number | null
  output: string
}

export interface Running {
  child: ChildProcess
  ended: Promise<Ended>
}

/** For the end of a run that failed: nothing is left behind. */
const alive = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

export function run(args: string[], env: Record<string, string>): Running {
  return runProgram(PROGRAM, args, env)
}

/** @param program the entry of a build, bin/run.js */
export function runProgram(program: string, args: string[], env: Record<string, string>): Running {
  const { DATABASE_URL: _, ...inherited } = process.env
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...inherited, PULLQUOTE_LOG_LEVEL: 'error', NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  alive.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output = (output + chunk).slice(-4_000)
    })
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (code) => {
      alive.delete(child)
      resolve({ code, output })
    }),
  )
  return { child, ended }
}

/** SIGKILL after so long. @returns false when it had ended before */
export async function killAfter(running: Running, ms: number): Promise<boolean> {
  const first = await Promise.race([running.ended.then(() => 'ended'), pause(ms, 'time', { ref: false })])
  if (first === 'ended') return false
  running.child.kill('SIGKILL')
  await running.ended
  return true
}

/** Resolves when the server is ready. @throws what it said, when it ended or never became ready */
export async function ready(running: Running, url: string): Promise<void> {
  let said: Ended | undefined
  void running.ended.then((ended) => {
    said = ended
  })
  for (const end = Date.now() + READY_MS; Date.now() < end; await pause(50)) {
    if (said) throw new Error(`the server ended with ${said.code}: ${said.output}`)
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined)
    await answer?.arrayBuffer().catch(() => undefined)
    if (answer?.status === 200) return
  }
  running.child.kill('SIGKILL')
  throw new Error(`the server was not ready in time: ${(await running.ended).output}`)
}
