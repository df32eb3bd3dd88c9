import { execFile } from 'node:child_process'
import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { promisify } from 'node:util'
import { codeOf } from '../../../src/contract/code-of.ts'
import { processScope, type ServerFile } from '../../../src/contract/server-file.ts'

/** Identifies a process, so that another one that later got the same pid is not mistaken for it. */
export type ProcessIdentity = Pick<ServerFile, 'pid' | 'started' | 'scope'>

export async function thisProcess(): Promise<ProcessIdentity> {
  return { pid: process.pid, started: await startOf(process.pid), scope: await scopeOfThisProcess() }
}

/**
 * Whether the process is alive.
 * @returns undefined when that is unknown here: another machine or container, or a platform that does not tell when a process
 * began
 */
export async function isAlive(other: ProcessIdentity): Promise<boolean | undefined> {
  if (other.scope !== (await scopeOfThisProcess())) return undefined
  if (!exists(other.pid)) return false
  const started = await startOf(other.pid)
  if (started === null || other.started === null) return undefined
  return started === other.started
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it is alive and belongs to another user.
    return codeOf(error) === 'EPERM'
  }
}

async function startOf(pid: number): Promise<string | null> {
  try {
    if (process.platform === 'linux') {
      // proc(5): field 22 is the start in ticks since boot. Field 2, the name, may contain spaces and parentheses itself. A
      // zombie (state Z) has ended and only waits for its parent.
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return fields[0] === 'Z' ? 'ended' : (fields[19] ?? null)
    }
    if (process.platform === 'win32') return null
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)], { env: { LC_ALL: 'C' } })
    return stdout.trim() || null
  } catch {
    return null
  }
}

let scope: Promise<string> | undefined

function scopeOfThisProcess(): Promise<string> {
  scope ??= (async () => {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
    const namespace = await readlink('/proc/self/ns/pid').catch(() => '')
    return processScope(hostname(), boot, namespace)
  })()
  return scope
}
