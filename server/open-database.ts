import { setTimeout as sleep } from 'node:timers/promises'
import { CodedError, codeOf } from '../src/contract/code-of.ts'
import { defined } from '../src/contract/defined.ts'
import { HOME_POLL_MS } from '../src/contract/server-file.ts'
import { untilAborted } from './abort.ts'
import type { ServerConfig } from './config.ts'
import { FEWEST_CONNECTIONS, placeOf, readDatabaseAddress } from './db/address.ts'
import { startAutoanalyze } from './db/autovacuum.ts'
import { connect } from './db/connect.ts'
import type { DatabaseCopy } from './db/embedded/copy-database.ts'
import { type EmbeddedOptions, openEmbedded } from './db/embedded/open-embedded.ts'
import { grantedConnections, openAllConnections } from './db/granted-connections.ts'
import { explainFolderError } from './db/home/folder-errors.ts'
import { isFull } from './db/home/free-space.ts'
import { acquireHome, HomeInUse, type HomeLock } from './db/home/home-lock.ts'
import { hintOfRefusal, PROTOCOL_VIOLATION } from './db/refused-connection.ts'
import { DatabaseUnfit } from './db/requirements.ts'
import { keepsPreparedStatements, refusesTransactions } from './db/session-pooling.ts'
import { warnAboutIgnoredSettings, warnAboutTimeLimits } from './db/session-settings.ts'
import { NoSuitableHost } from './db/several-hosts.ts'
import { isDatabaseUnavailable, isSessionRefused } from './db/unavailable.ts'
import type { Log, Pool } from './deps.ts'
import { describeError } from './describe-error.ts'

/** This process's database and its lock on `PULLQUOTE_HOME`. */
export interface OpenDatabase {
  sql: Pool
  /** No other process uses this database. */
  exclusive: boolean
  /** Undefined on PostgreSQL when another server on this machine already holds the folder, or it cannot be written. */
  lock: HomeLock | undefined
  /** Copies a server's embedded database as it is now, for long reads. @throws {NoRoomForCopy} */
  copy?: (() => Promise<DatabaseCopy>) | undefined
  close(): Promise<void>
}

const WAIT_FOR_DATABASE_MS = 60_000
const RETRY_MS = 1_000
const CLOSE_TIMEOUT_S = 5

/** The database could not be reached in time, or refused this user; the message says what to do. */
class DatabaseUnreachable extends CodedError<'database_unreachable'> {
  constructor(message: string, cause?: unknown) {
    super('database_unreachable', message, { cause })
  }
}

type DatabasePlace = Pick<ServerConfig, 'home' | 'databaseUrl'>

export interface OpenOptions extends EmbeddedOptions {
  /**
   * How long to wait for the embedded database while its holder has no address: that is a command, which closes it soon. A
   * server is not waited for.
   */
  waitMs?: number
  /** Ends every wait at once, even during a connection attempt. */
  signal?: AbortSignal | undefined
}

/**
 * Opens the configured database; waits while PostgreSQL is starting.
 * @throws {HomeInUse | HomeUnusable} for the embedded database's folder
 * @throws {DatabaseUnreachable} after a minute, or at once when waiting is no use or nothing can be written
 * @throws {DatabaseUnfit} behind a pooler that loses prepared statements
 * @throws {CodedError} `start_cancelled`
 */
export function openDatabase(place: DatabasePlace, log: Log, options: OpenOptions = {}): Promise<OpenDatabase> {
  const { home, databaseUrl } = place
  if (databaseUrl === undefined) return openEmbeddedDatabase(home, log, options)
  return openPostgres(databaseUrl, home, log, options)
}

async function openEmbeddedDatabase(
  home: string,
  log: Log,
  { waitMs = 0, signal, ...options }: OpenOptions,
): Promise<OpenDatabase> {
  const end = Date.now() + waitMs
  for (let told = false; ; told = true) {
    try {
      const { sql, lock, copy, close } = await openEmbedded(home, log, options)
      // Nobody else waits for a command's database, so it needs no copy.
      return { sql, exclusive: true, lock, copy: options.shortLived ? undefined : copy, close }
    } catch (error) {
      if (!(error instanceof HomeInUse) || error.holder.url !== undefined || Date.now() >= end) throw error
      if (!told) log.warn({ pid: error.holder.pid }, 'a command has the database open; waiting until it closes it')
    }
    await orCancelled(sleep(HOME_POLL_MS), signal)
  }
}

async function openPostgres(
  url: string,
  home: string,
  log: Log,
  { signal, shortLived }: OpenOptions,
): Promise<OpenDatabase> {
  const open = (max?: number) =>
    connect({ url, ...defined({ max }), onNotice: (notice) => log.debug({ notice }, 'notice') })
  let sql = open()
  try {
    await untilReachable(sql, url, log, signal)
    if (await orCancelled(refusesTransactions(sql), signal)) {
      const message = `The database at ${placeOf(url)} is behind a pooler in statement mode, which does not allow transactions. Set pool_mode = session, or pool_mode = transaction and add ?prepare=false to DATABASE_URL.`
      throw new DatabaseUnfit('pooled_by_statement', message)
    }
    const isPrepared = await orCancelled(unlessUnavailable(keepsPreparedStatements(url)), signal)
    if (isPrepared === undefined) {
      log.warn({}, 'could not check in time whether a pooler loses prepared statements; continuing')
    }
    if (isPrepared === false) {
      const message = `The database at ${placeOf(url)} is behind a pooler in transaction mode (PgBouncer), which loses prepared statements. Add ?prepare=false to DATABASE_URL, or set pool_mode = session.`
      throw new DatabaseUnfit('pooled_by_transaction', message)
    }
    await orCancelled(unlessUnavailable(warnAboutIgnoredSettings(sql, log)), signal)
    await orCancelled(unlessUnavailable(warnAboutTimeLimits(sql, log)), signal)
    const { granted, wanted, readOnly } = (await orCancelled(unlessUnavailable(grantedConnections(sql)), signal)) ?? ALL
    const isMixed = readOnly > 0 && readOnly < granted
    // A server at a replica could only answer 503. A command may merely read.
    if (isMixed || (readOnly > 0 && !shortLived))
      throw new DatabaseUnreachable(`The database at ${placeOf(url)} ${REFUSALS[isMixed ? 'mixed' : '25006']}`)
    if (granted < wanted) {
      await sql.end({ timeout: 0 })
      if (granted < FEWEST_CONNECTIONS)
        throw new DatabaseUnreachable(`The database at ${placeOf(url)} ${REFUSALS['53300']}`)
      log.warn({ granted, wanted }, tooFew(granted))
      sql = open(granted)
      await orCancelled(openAllConnections(sql, granted), signal)
    }
  } catch (error) {
    await sql.end({ timeout: 0 })
    throw error
  }
  const lock = await lockForPublishing(home, log)
  const analyzing = startAutoanalyze(sql, log)
  return {
    sql,
    exclusive: false,
    lock,
    async close() {
      analyzing.stop()
      await sql.end({ timeout: CLOSE_TIMEOUT_S })
      await lock?.release()
    },
  }
}

/** For a database that was unavailable at that moment. */
const ALL = { granted: 0, wanted: 0, readOnly: 0 }

const tooFew = (granted: number) =>
  `the database, or the pooler in front of it, grants fewer connections than this server wants; it continues with those. To allow more, raise the limit of the role, of max_connections or of the pooler (default_pool_size), or add ?max=${granted} to DATABASE_URL`

/** Why a server that answers cannot be used, most by SQLSTATE. */
const REFUSALS: Record<string, string> = {
  '25006':
    'is read-only (SQLSTATE 25006): it is a read replica, or default_transaction_read_only is on. Set DATABASE_URL to the address of the primary.',
  '42P01':
    'lacks tables that it had (SQLSTATE 42P01): some were dropped, or a restore was not finished. Restore a backup into an empty database.',
  '53100': 'has no room left on its disk (SQLSTATE 53100). Free some space there, then start again.',
  '53300':
    'has too few connections left for this role (SQLSTATE 53300 of PostgreSQL, or a pooler in session mode). A server uses up to 10 and needs at least 2: close others, or raise the limit of the role, max_connections or default_pool_size.',
  mixed:
    'is behind a pooler that answers reads from replicas, with which reviews that were just hidden would still be shown. Let it send everything to the primary (Pgpool-II: load_balance_mode = off).',
}

/**
 * Explains the error of a start or a restore, saying what to do if the database stopped responding, rejected a step or broke:
 * its own messages ("write CONNECT_TIMEOUT …/db.sock") do not.
 * @returns the error itself when it is not the database's or speaks for itself
 */
export function explainDatabaseError(error: unknown, { home, databaseUrl }: DatabasePlace): unknown {
  const code = codeOf(error)
  if (!(error instanceof Error) || code === undefined) return error
  if (databaseUrl === undefined && isDatabaseUnavailable(error) && isFull(home))
    return explainFolderError(new CodedError('ENOSPC', error.message, { cause: error }), home)
  const [which, look] =
    databaseUrl === undefined
      ? [`The embedded database in ${home}`, 'whether this machine is very busy or its disk is full']
      : [
          `The database at ${placeOf(databaseUrl)}`,
          'that PostgreSQL is running and reachable, and that there is no pooler in statement mode in between',
        ]
  const reason = databaseUrl === undefined ? undefined : REFUSALS[code]
  if (reason !== undefined) return new DatabaseUnreachable(`${which} ${reason}`, error)
  if (isDatabaseUnavailable(error) && !isSessionRefused(error)) {
    const message = `${which} stopped answering (${code}). Nothing was lost. Check ${look}, then start again.`
    return new DatabaseUnreachable(message, error)
  }
  // Only PostgreSQL's own errors have a severity.
  if (!('severity' in error)) return error
  const message = `${which} refused an operation: ${error.message} (SQLSTATE ${code}). Check the privileges of this role, then start again.`
  return new DatabaseUnreachable(message, error)
}

async function untilReachable(sql: Pool, url: string, log: Log, signal?: AbortSignal): Promise<void> {
  const host = placeOf(url)
  const { ssl } = readDatabaseAddress(url)
  const end = Date.now() + WAIT_FOR_DATABASE_MS
  for (;;) {
    const answered = sql`select 1`.then(
      () => undefined,
      (error: unknown) => error,
    )
    const error = await orCancelled(answered, signal)
    if (error === undefined) return
    const isPooler = codeOf(error) === PROTOCOL_VIOLATION
    if (isPooler || isSessionRefused(error) || !isDatabaseUnavailable(error)) {
      const reason = error instanceof Error ? error.message : 'unknown'
      const message = `The database at ${host} refused the connection: ${reason}. ${hintOfRefusal(error, ssl)}`
      throw new DatabaseUnreachable(message, error)
    }
    if (Date.now() > end) {
      const lasted = `for ${WAIT_FOR_DATABASE_MS / 1000} seconds`
      const message =
        error instanceof NoSuitableHost
          ? `The database at ${host} could not be used: ${lasted} ${error.message}. Check DATABASE_URL.`
          : `The database at ${host} could not be reached ${lasted} (${codeOf(error) ?? 'no code'}). Check DATABASE_URL, and that PostgreSQL is running${typeof ssl === 'object' ? ' and offers TLS, which sslmode requires' : ''}.`
      throw new DatabaseUnreachable(message, error)
    }
    log.warn({ host, error: describeError(error) }, 'the database cannot be reached yet; trying again')
    await orCancelled(sleep(RETRY_MS), signal)
  }
}

/** Undefined when the database was unavailable: it answered before, and the next caller waits for it. */
async function unlessUnavailable<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (isSessionRefused(error) || !isDatabaseUnavailable(error)) throw error
    return undefined
  })
}

async function orCancelled<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return untilAborted(work, signal).catch((error: unknown) => {
    if (!signal?.aborted) throw error
    throw new CodedError('start_cancelled', 'The start was cancelled while waiting for the database.')
  })
}

/** On PostgreSQL the folder holds no data: it only tells commands on this machine where a server listens. */
async function lockForPublishing(home: string, log: Log): Promise<HomeLock | undefined> {
  try {
    return await acquireHome(home)
  } catch (error) {
    log.warn({ home, error: describeError(error) }, 'commands on this machine will not find this server without --url')
    return undefined
  }
}
