import type { Service } from './assemble.ts'
import type { ServerConfig } from './config.ts'
import type { Log } from './deps.ts'
import type { Embedder } from './embed/embedder.ts'
import { createLogger } from './logger.ts'
import { explainDatabaseError, openDatabase } from './open-database.ts'

/** For tests, and for commands that observe or replace parts. */
export interface StartHooks {
  log?: Log
  embedder?: Embedder
  /** Ends a start that waits for the database; a running server is ended by `close`. */
  signal?: AbortSignal | undefined
}

/**
 * The server without a socket, for a command that opens the database itself.
 * @throws {HomeInUse | HomeUnusable | DatabaseUnreachable | DatabaseUnfit | ModelChanged} with a message for people
 */
export async function openService(config: ServerConfig, hooks: StartHooks = {}): Promise<Service> {
  const { embedder, signal } = hooks
  const log = hooks.log ?? createLogger(config.logLevel)
  const database = await openDatabase(config, log, { shortLived: true, signal, whileOpening: loadAssembly })
  try {
    const { assemble } = await loadAssembly()
    const docsUrl = docsUrlOf(config, `http://${config.host}:${config.port}`)
    // For a single search SQL costs less than loading all vectors.
    return await assemble(config, database, log, { docsUrl, searchMemory: 0, embedder, signal, shortLived: true })
  } catch (error) {
    await database.close().catch(() => {})
    throw explainDatabaseError(error, config)
  }
}

/**
 * Loads nearly all of the server's code, a quarter of a second. The embedded database takes longer to start, in a thread of
 * its own: with both at once a command takes a fifth less.
 */
export function loadAssembly() {
  return import('./assemble.ts')
}

export function docsUrlOf(config: ServerConfig, address: string): string {
  return `${config.publicUrl ?? address}/docs`
}
