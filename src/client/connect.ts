import { createHash } from 'node:crypto'
import { readFile, readlink, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as v from 'valibot'
import { CodedError, codeOf } from '../contract/code-of.ts'
import { healthResponse } from '../contract/health.ts'
import { processScope, SERVER_FILE, serverFile } from '../contract/server-file.ts'
import type { Fetch } from './fetch.ts'
import { localFetch } from './local-fetch.ts'
import { readReadiness } from './readiness.ts'
import { waitForHome } from './wait-for-home.ts'

export interface ConnectSettings {
  /** A server's URL; by default this machine's server, running or opened in this process. */
  url?: string | undefined
  /** For the operator's routes at `url`. */
  operatorToken?: string | undefined
  /** PULLQUOTE_HOME. */
  home: string
  env: NodeJS.ProcessEnv
  /** Aborts the wait for another command that holds the database. */
  signal?: AbortSignal | undefined
}

/** A way to reach the API, closed by whoever opened it. */
export interface Connection {
  kind: 'remote' | 'local-server' | 'in-process'
  baseUrl: string
  fetch: Fetch
  operatorToken: string | undefined
  /** Where visitors reach it, by the settings of the server on this machine. */
  publicUrl: string | undefined
  /** The database that was opened in this process. */
  opened?: OpenedDatabase
  /** In process, resolves when everything pushed is indexed; otherwise at once, because the server does that itself. */
  whenIndexed(): Promise<void>
  close(): Promise<void>
}

export interface OpenedDatabase {
  /** The schema that it had: none in a new database. */
  foundSchema: 'none' | 'earlier' | 'current'
  /** Of the embedded database; undefined for the one at DATABASE_URL. */
  folder: string | undefined
  /** A server of this machine that was found at the usual port and has other data. */
  otherServer: string | undefined
}

/**
 * Chooses how to reach the API: the given URL; or the server running on this machine's `home`; or the same application
 * in this process on its own database. Only the last loads the server's code.
 *
 * @param onOpening called before the server is opened in this process, which takes a second or more
 * @throws {CodedError} `other_database` when the environment names a different database from that server's; `copied_home`
 */
export async function connect(settings: ConnectSettings, onOpening?: () => void): Promise<Connection> {
  const { url, operatorToken } = settings
  if (url !== undefined) return connectionTo('remote', { url, operatorToken, fetch: (request) => fetch(request) })
  return waitForHome(async () => {
    const running = await findLocalServer(settings.home)
    if (running && hasOtherDatabase(running, settings.env)) {
      const message = `DATABASE_URL is not the address of the database that the server on this machine (${running.url}) was started with`
      throw new CodedError('other_database', message)
    }
    if (running) return connectionTo('local-server', { ...running, fetch: localFetch })
    onOpening?.()
    return await inProcess(settings)
  }, settings)
}

/** A connection to a running server, local or remote. */
export function connectionTo(
  kind: 'remote' | 'local-server',
  server: Pick<Connection, 'fetch' | 'operatorToken'> & { url: string; publicUrl?: string | undefined },
): Connection {
  const { url, operatorToken, publicUrl, fetch } = server
  return { kind, baseUrl: url, fetch, operatorToken, publicUrl, whenIndexed: async () => {}, close: async () => {} }
}

async function inProcess(settings: ConnectSettings): Promise<Connection> {
  keepHeapSmall()
  const { openService } = await import('../../server/open-service.ts')
  const config = await serverConfig(settings)
  const isEmbedded = config.databaseUrl === undefined
  // Whoever names a folder means that one.
  const probe = new AbortController()
  const other = isEmbedded && !settings.env.PULLQUOTE_HOME ? findOtherServer(config.port, probe.signal) : undefined
  const service = await openService(config, { signal: settings.signal }).finally(() => {
    // Not counted before: an answer is not read while the server's code is being loaded.
    setTimeout(() => probe.abort(), OTHER_PROBE_MS).unref()
  })
  return {
    kind: 'in-process',
    baseUrl: 'http://pullquote.local',
    fetch: service.fetch,
    operatorToken: service.operatorToken,
    publicUrl: config.publicUrl,
    opened: {
      foundSchema: service.foundSchema,
      folder: isEmbedded ? config.home : undefined,
      otherServer: await other,
    },
    whenIndexed: () => service.idle(),
    close: () => service.close(),
  }
}

/** Restores a backup in this process into the configured database. The server must not be running. */
export async function restoreHere(
  settings: LocalSettings,
  path: string,
  events: { onChecked(): void; onRows(done: number, total: number): void },
) {
  const maintenance = await import('../../server/maintenance.ts')
  return maintenance.restoreHere(await serverConfig(settings), path, events)
}

/** Distributes the configured database over its cluster, or reports what that would change. */
export async function distributeHere(settings: LocalSettings, options: { dryRun: boolean }) {
  const maintenance = await import('../../server/maintenance.ts')
  return maintenance.distributeHere(await serverConfig(settings), options)
}

type LocalSettings = Pick<ConnectSettings, 'home' | 'env'>

async function serverConfig({ home, env }: LocalSettings) {
  const { readConfig } = await import('../../server/config.ts')
  return readConfig(env, { home, logLevel: env.PULLQUOTE_LOG_LEVEL || 'error' })
}

// Only servers write these fields; a command that holds the folder writes just its pid.
const localServer = v.object({
  ...v.required(v.pick(serverFile, ['pid', 'url', 'operatorToken'])).entries,
  scope: v.optional(v.string()),
  folder: serverFile.entries.folder,
  database: serverFile.entries.database,
  publicUrl: serverFile.entries.publicUrl,
})

/** Whether the environment names another database, such as one to back up, for which the server's would be taken. */
function hasOtherDatabase({ database }: v.InferOutput<typeof localServer>, { DATABASE_URL = '' }: NodeJS.ProcessEnv) {
  const url = DATABASE_URL.replace(/[\r\n]+$/, '')
  return url !== '' && database !== undefined && database !== createHash('sha256').update(url).digest('hex')
}

const PROBE_MS = 3_000

/**
 * The server running on `home`, not on the folder that it was copied from; undefined when there is no file, it has no URL (a
 * command holds the folder), its process is gone, or nothing of ours responds there. The URL is probed as well, because the
 * pid may belong to another program by now, or to a container that cannot be seen from here.
 * @throws {CodedError} `copied_home`
 */
async function findLocalServer(home: string) {
  const text = await readFile(join(home, SERVER_FILE), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const checked = v.safeParse(v.pipe(v.string(), v.parseJson(), localServer), text)
  if (!checked.success || (await isGone(checked.output))) return undefined
  if (!(await isAnswering(checked.output.url))) return undefined
  if (await isOfAnotherFolder(checked.output, home)) {
    const message = `${home} is a copy of the folder on which the server at ${checked.output.url} runs: with its ${SERVER_FILE}, this command would have worked there`
    throw new CodedError('copied_home', message)
  }
  return checked.output
}

/**
 * Whether the process has certainly ended, as after `kill -9`: another folder's server may respond at its URL by now.
 * The pid means nothing when the file is from another machine or container (server/db/home/process-identity.ts).
 */
async function isGone({ pid, scope }: v.InferOutput<typeof localServer>): Promise<boolean> {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') return false
  }
  return scope === (await scopeOfThisProcess())
}

/** Whether the file was written for another folder. Elsewhere the same folder may have another inode. */
async function isOfAnotherFolder({ folder, scope }: v.InferOutput<typeof localServer>, home: string): Promise<boolean> {
  if (folder === undefined || scope !== (await scopeOfThisProcess())) return false
  return folder !== String((await stat(home, { bigint: true })).ino)
}

async function scopeOfThisProcess(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '')
  return processScope(hostname(), boot, namespace)
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PROBE_MS)
    const response = await localFetch.buffered({ method: 'GET', url: `${url}/healthz`, headers: {}, signal })
    return v.is(healthResponse, JSON.parse(await response.text()))
  } catch (error) {
    // A server too busy to respond in time exists; one that refuses the connection does not.
    return error instanceof Error && error.name === 'TimeoutError'
  }
}

/** How long another server is waited for once the database is open, which takes longer than a second itself. */
const OTHER_PROBE_MS = 300

/** The server that listens at the port of the settings, while none runs on the folder in use. */
async function findOtherServer(port: number, signal: AbortSignal): Promise<string | undefined> {
  if (port === 0) return undefined
  const baseUrl = `http://127.0.0.1:${port}`
  try {
    await readReadiness({ fetch: localFetch, baseUrl }, signal)
    return baseUrl
  } catch {
    return undefined
  }
}

/**
 * Limits the heap before a command opens the server in its process. V8 grows a heap to hundreds of megabytes before its
 * first collection, and then to four times the live size: an import reached 205 MB, and takes 90 with this.
 */
function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=20')
  // Growth counts from the first collection, and the command may have read its file before.
  setFlagsFromString('--expose-gc')
  // Missing in Bun, whose heap is not V8's.
  const collect: unknown = runInNewContext('globalThis.gc')
  if (typeof collect === 'function') collect()
  setFlagsFromString('--no-expose-gc')
}
