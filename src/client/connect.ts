import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../contract/code-of.ts'
import { HOME_POLL_MS, HOME_WAIT_MS } from '../contract/server-file.ts'
import { Cancelled } from './errors.ts'
import type { Fetch } from './fetch.ts'
import { localFetch } from './local-fetch.ts'
import { findLocalServer } from './local-server.ts'
import { keepHeapSmall } from './small-heap.ts'

export interface ConnectSettings {
  /** A server's address; without it the server of this machine, running or opened in this process. */
  url?: string | undefined
  /** For the operator routes of the server at `url`. */
  operatorToken?: string | undefined
  /** PULLQUOTE_HOME. */
  home: string
  env: NodeJS.ProcessEnv
  /** Ends the wait for another command that holds the database. */
  signal?: AbortSignal
}

/** A way to reach the API. The one who opened it closes it. */
export interface Connection {
  kind: 'remote' | 'local-server' | 'in-process'
  baseUrl: string
  fetch: Fetch
  operatorToken: string | undefined
  /** In this process: resolves when everything pushed is indexed. Elsewhere the server does it by itself: at once. */
  settled(): Promise<void>
  close(): Promise<void>
}

/**
 * Chooses how to reach the API: the given address; else the server that runs on this machine's `home`; else the same
 * application in this process, on its own database. Only the last one loads the server's code.
 *
 * @param onOpening called before the server is opened in this process, which takes a second or more
 */
export async function connect(settings: ConnectSettings, onOpening?: () => void): Promise<Connection> {
  if (settings.url !== undefined) return network('remote', settings.url, settings.operatorToken)
  const deadline = Date.now() + HOME_WAIT_MS
  for (;;) {
    const running = await findLocalServer(settings.home)
    if (running) return network('local-server', running.url, running.operatorToken)
    onOpening?.()
    try {
      return await inProcess(settings)
    } catch (error) {
      // Another command has it open and closes it soon, or a server is about to publish its address.
      if (settings.signal?.aborted) throw new Cancelled()
      if (codeOf(error) !== 'home_in_use' || Date.now() > deadline) throw error
    }
    await sleep(HOME_POLL_MS, undefined, settings.signal && { signal: settings.signal }).catch(() => {})
  }
}

function network(kind: 'remote' | 'local-server', url: string, operatorToken: string | undefined): Connection {
  return {
    kind,
    baseUrl: url,
    fetch: kind === 'local-server' ? localFetch : (request) => fetch(request),
    operatorToken,
    settled: async () => {},
    close: async () => {},
  }
}

async function inProcess(settings: ConnectSettings): Promise<Connection> {
  keepHeapSmall()
  const [{ openService }, { readConfig }] = await Promise.all([
    import('../../server/start.ts'),
    import('../../server/config.ts'),
  ])
  const logLevel = settings.env.PULLQUOTE_LOG_LEVEL || 'error'
  const hooks = settings.signal ? { signal: settings.signal } : {}
  const service = await openService(readConfig(settings.env, { home: settings.home, logLevel }), hooks)
  return {
    kind: 'in-process',
    baseUrl: 'http://pullquote.local',
    fetch: service.fetch,
    operatorToken: service.operatorToken,
    settled: () => service.idle(),
    close: () => service.close(),
  }
}

/** Restores a backup into the database of this machine's settings, in this process. The server must not be running. */
export async function restoreHere(settings: LocalSettings, path: string) {
  const { maintenance, config } = await forMaintenance(settings)
  return maintenance.restoreHere(config, path)
}

/** Distributes the database of this machine's settings over its cluster, or says what that would change. */
export async function distributeHere(settings: LocalSettings, options: { dryRun: boolean }) {
  const { maintenance, config } = await forMaintenance(settings)
  return maintenance.distributeHere(config, options)
}

type LocalSettings = Pick<ConnectSettings, 'home' | 'env'>

async function forMaintenance({ home, env }: LocalSettings) {
  const [maintenance, { readConfig }] = await Promise.all([
    import('../../server/maintenance.ts'),
    import('../../server/config.ts'),
  ])
  return { maintenance, config: readConfig(env, { home, logLevel: env.PULLQUOTE_LOG_LEVEL || 'error' }) }
}
