import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { HOME_WAIT_MS } from '../src/contract/server-file.ts'
import type { Service } from './assemble.ts'
import { DRAIN_MS } from './background-work.ts'
import type { ServerConfig } from './config.ts'
import { passingDiskWarning } from './db/home/passing-disk.ts'
import type { Log } from './deps.ts'
import { describeError } from './describe-error.ts'
import { type Listening, listen } from './http/listen.ts'
import { createStartupHandler } from './http/startup-handler.ts'
import { createLogger } from './logger.ts'
import { memoryWarning } from './machine-memory.ts'
import { onlyOnce } from './only-once.ts'
import { explainDatabaseError, type OpenDatabase, openDatabase } from './open-database.ts'
import { docsUrlOf, loadAssembly, type StartHooks } from './open-service.ts'
import { checkPort, explainListenError, portWarning, refusedPortWarning } from './port.ts'

export interface RunningServer extends Service {
  /** `http://host:port`. */
  url: string
}

/**
 * Starts a server: database, migrations, model, worker, socket. On PostgreSQL it listens first, so that `/healthz` answers
 * while the database is awaited; the embedded database comes first, since its folder may be taken.
 * @throws {HomeInUse | HomeUnusable | DatabaseUnreachable | DatabaseUnfit | ModelChanged} with a message for people
 */
export async function startServer(config: ServerConfig, hooks: StartHooks = {}): Promise<RunningServer> {
  const log = hooks.log ?? createLogger(config.logLevel)
  const { host, port, databaseUrl, searchMemory } = config
  let docsUrl = docsUrlOf(config, `http://${host}:${port}`)
  let answer: (request: Request) => Response | Promise<Response> = createStartupHandler(log, () => docsUrl)
  let database: OpenDatabase | undefined
  let listening: Listening | undefined
  try {
    for (const warning of [portWarning(config), databaseUrl === undefined ? memoryWarning() : undefined])
      if (warning !== undefined) log.warn({}, warning)
    const refused = refusedPortWarning(config)
    if (refused !== undefined) log.warn({}, `${refused.message}: ${refused.hint}`)
    for (const name of config.unknownVariables) log.warn({ name }, 'unknown setting in the environment')
    for (const name of config.unusedSettings)
      log.warn({ name }, 'this setting has no effect with PULLQUOTE_EMBEDDER=transformers')
    if (databaseUrl === undefined) {
      await checkPort(config)
      const waits = { waitMs: HOME_WAIT_MS, signal: hooks.signal }
      database = await openDatabase(config, log, { ...waits, whileOpening: loadAssembly })
      const passing = passingDiskWarning(config.home, config.platform)
      if (passing !== undefined) log.warn({}, passing)
    }
    listening = await listen((request) => answer(request), { host, port, log, docsUrl: () => docsUrl }).catch(
      (error: unknown) => {
        throw explainListenError(error, config)
      },
    )
    docsUrl = docsUrlOf(config, listening.url)
    database ??= await openDatabase(config, log, { signal: hooks.signal })
    const { embedder, signal } = hooks
    const { assemble } = await loadAssembly()
    const service = await assemble(config, database, log, { docsUrl, searchMemory, embedder, signal })
    answer = service.fetch
    await database.lock?.publish({
      url: listening.url,
      operatorToken: service.operatorToken,
      publicUrl: config.publicUrl,
      folder: String((await stat(config.home, { bigint: true })).ino),
      database: createHash('sha256')
        .update(databaseUrl ?? '')
        .digest('hex'),
    })
    // The command that started it prints the address.
    log.debug({ url: listening.url }, 'serving')
    setImmediate(() => {
      service
        .warm()
        .catch((error: unknown) => log.error({ error: describeError(error) }, 'the embedding model cannot be loaded'))
    })
    return running(service, listening, database, log)
  } catch (error) {
    // The socket before the database, whichever was opened first: pending requests must not find it closed.
    await listening?.close(0).catch(() => {})
    await database?.close().catch(() => {})
    throw explainDatabaseError(error, config)
  }
}

function running(service: Service, listening: Listening, database: OpenDatabase, log: Log): RunningServer {
  const close = onlyOnce(async () => {
    log.info({}, 'stopping: finishing requests and indexing in progress')
    await Promise.all([listening.close(DRAIN_MS), service.worker.stop(DRAIN_MS / 1000)])
    await service.close()
    log.info({}, 'stopped')
  })
  if (database.exclusive) {
    // Another process may open the folder now, and two writers would destroy the database.
    void database.lock?.lost.then(() => {
      log.error({}, 'the data folder was lost to another process or deleted: stopping')
      process.exitCode = 1
      return close()
    })
  }
  return { ...service, url: listening.url, close }
}
