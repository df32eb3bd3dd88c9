import { createHash } from 'node:crypto'
import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as v from 'valibot'
import { CodedError, codeOf } from '../contract/code-of.ts'
import { healthResponse } from '../contract/health.ts'
import { HOME_POLL_MS, HOME_WAIT_MS, processScope, SERVER_FILE, serverFile } from '../contract/server-file.ts'
import { Cancelled } from './errors.ts'
import type { Fetch } from './fetch.ts'
import { localFetch } from './local-fetch.ts'

export interface ConnectSettings {
  /** A server's address; without it the server of this machine, running or opened in this process. */
  url?: string | undefined
  /** For the operator routes of the server at `url`. */
  operatorToken?: string | undefined
  /** PULLQUOTE_HOME. */
  home: string
  env: NodeJS.ProcessEnv
  /** Ends the wait for another command that holds the database. */
  signal?: AbortSignal | undefined
}

/** A way to reach the API. The one who opened it closes it. */
export interface Connection {
  kind: 'remote' | 'local-server' | 'in-process'
  baseUrl: string
  fetch: Fetch
  operatorToken: string | undefined
  /** In this process: resolves when everything pushed is indexed. Elsewhere the server does it by itself: at once. */
  whenIndexed(): Promise<void>
  close(): Promise<void>
}

/**
 * Chooses how to reach the API: the given address; else the server that runs on this machine's `home`; else the same
 * application in this process, on its own database. Only the last one loads the server's code.
 *
 * @param onOpening called before the server is opened in this process, which takes a second or more
 * @throws {CodedError} `other_database`: the environment names another one than that server has
 */
export async function connect(settings: ConnectSettings, onOpening?: () => void): Promise<Connection> {
  const { url, operatorToken } = settings
  if (url !== undefined) return connectionTo('remote', { url, operatorToken, fetch: (request) => fetch(request) })
  const deadline = Date.now() + HOME_WAIT_MS
  for (;;) {
    const running = await findLocalServer(settings.home)
    if (running && hasOtherDatabase(running, settings.env)) {
      const message = `DATABASE_URL is not the address of the database that the server on this machine (${running.url}) was started with`
      throw new CodedError('other_database', message)
    }
    if (running) return connectionTo('local-server', { ...running, fetch: localFetch })
    onOpening?.()
    try {
      return await inProcess(settings)
    } catch (error) {
      // Another command has it open and closes it soon, or a server is about to publish its address.
      if (settings.signal?.aborted) throw new Cancelled()
      if (codeOf(error) !== 'home_in_use' || Date.now() > deadline) throw error
    }
    await sleep(HOME_POLL_MS, undefined, { signal: settings.signal }).catch(() => {})
  }
}

/** A connection to a server that runs, here or elsewhere. */
export function connectionTo(
  kind: 'remote' | 'local-server',
  { url, operatorToken, fetch }: { url: string; operatorToken: string | undefined; fetch: Fetch },
): Connection {
  return { kind, baseUrl: url, fetch, operatorToken, whenIndexed: async () => {}, close: async () => {} }
}

async function inProcess(settings: ConnectSettings): Promise<Connection> {
  keepHeapSmall()
  const { openService } = await import('../../server/start.ts')
  const service = await openService(await serverConfig(settings), { signal: settings.signal })
  return {
    kind: 'in-process',
    baseUrl: 'http://pullquote.local',
    fetch: service.fetch,
    operatorToken: service.operatorToken,
    whenIndexed: () => service.idle(),
    close: () => service.close(),
  }
}

/** Restores a backup into the database of this machine's settings, in this process. The server must not be running. */
export async function restoreHere(settings: LocalSettings, path: string) {
  const maintenance = await import('../../server/maintenance.ts')
  return maintenance.restoreHere(await serverConfig(settings), path)
}

/** Distributes the database of this machine's settings over its cluster, or says what that would change. */
export async function distributeHere(settings: LocalSettings, options: { dryRun: boolean }) {
  const maintenance = await import('../../server/maintenance.ts')
  return maintenance.distributeHere(await serverConfig(settings), options)
}

type LocalSettings = Pick<ConnectSettings, 'home' | 'env'>

async function serverConfig({ home, env }: LocalSettings) {
  const { readConfig } = await import('../../server/config.ts')
  return readConfig(env, { home, logLevel: env.PULLQUOTE_LOG_LEVEL || 'error' })
}

// A command that holds the folder writes its process number only: this is what a server writes.
const localServer = v.object({
  ...v.required(v.pick(serverFile, ['pid', 'url', 'operatorToken'])).entries,
  scope: v.optional(v.string()),
  database: serverFile.entries.database,
})

/** Whether the environment asks for another database, such as for a backup of it, which the server's would be taken for. */
function hasOtherDatabase({ database }: v.InferOutput<typeof localServer>, { DATABASE_URL = '' }: NodeJS.ProcessEnv) {
  const url = DATABASE_URL.replace(/[\r\n]+$/, '')
  return url !== '' && database !== undefined && database !== createHash('sha256').update(url).digest('hex')
}

const PROBE_MS = 3_000

/**
 * The server that runs on `home`, or `undefined` when none does: no file, no address in it (a command holds the folder,
 * not a server), its process is gone, or nothing of ours answers there. The address is asked as well, since the
 * number may belong to another program by now, or to a container that cannot be seen from here.
 */
async function findLocalServer(home: string) {
  const text = await readFile(join(home, SERVER_FILE), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const checked = v.safeParse(v.pipe(v.string(), v.parseJson(), localServer), text)
  if (!checked.success || (await isGone(checked.output))) return undefined
  return (await isAnswering(checked.output.url)) ? checked.output : undefined
}

/**
 * Whether the process surely ended, as after `kill -9`: another server, of another folder, may answer at its address by now.
 * Its number says nothing where the file is of another machine or container (server/db/home/process-identity.ts).
 */
async function isGone({ pid, scope }: v.InferOutput<typeof localServer>): Promise<boolean> {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') return false
  }
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '')
  return scope === processScope(hostname(), boot, namespace)
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PROBE_MS)
    const response = await localFetch.buffered({ method: 'GET', url: `${url}/healthz`, headers: {}, signal })
    return v.is(healthResponse, JSON.parse(await response.text()))
  } catch (error) {
    // A server that is too busy to answer in time is there; one that refuses the connection is not.
    return error instanceof Error && error.name === 'TimeoutError'
  }
}

/**
 * For a command that is about to open the server in its process. V8 lets a heap grow to hundreds of megabytes before it
 * collects for the first time, and then to four times what it holds: an import came to 205 MB, and has 90 with this.
 */
function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=20')
  // The growth counts from the first collection on, and the command may have read its file before.
  setFlagsFromString('--expose-gc')
  // Bun has it not, and its heap is not V8's.
  const collect: unknown = runInNewContext('globalThis.gc')
  if (typeof collect === 'function') collect()
  setFlagsFromString('--no-expose-gc')
}
