import postgres from 'postgres'
import { defined } from '../../src/contract/defined.ts'
import type { Pool } from '../deps.ts'
import { type DatabaseAddress, isSocket, readDatabaseAddress } from './address.ts'
import { ARRAY_TYPES } from './array-types.ts'
import { PoolSockets, type SocketPlace } from './database-socket.ts'
import { poolByBulkheads } from './pool-by-bulkheads.ts'
import { type PoolEvents, type Probe, resilientPool } from './resilient-pool.ts'
import { type Host, hostChooser } from './several-hosts.ts'
import { withTurns } from './turns.ts'
import { withoutPipeline } from './without-pipeline.ts'

export interface ConnectOptions {
  /** `postgres://…`, see {@link readDatabaseAddress}. */
  url?: string
  /** A Unix socket or a named pipe, instead of an address. */
  path?: string
  /** Connections in the pool; defaults to the address's, or 10. The embedded database has one backend and takes 1. */
  max?: number
  /** Keep connections until they break, for a database inside this process. */
  keep?: boolean
  onNotice?: (message: string) => void
  /** For tests, which do not wait half a minute. */
  probe?: Probe
}

const CONNECT_TIMEOUT_S = 5
/** The embedded database is in this process: on a busy machine its first answer may take longer. A watchdog monitors it. */
const EMBEDDED_CONNECT_TIMEOUT_S = 60
const STATEMENT_TIMEOUT_MS = 15_000
/** A process that hangs inside a transaction loses it, so that its row locks block others only briefly. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000
const PROBE: Probe = { everyMs: 10_000, silentMs: STATEMENT_TIMEOUT_MS + 5_000 }
const LONGEST_RECONNECT_PAUSE_S = 1

/**
 * Opens a pool. Nothing is sent until the first query, and a broken connection is reopened by the next one.
 *
 * `bigint` arrives as string, `jsonb` parsed, `timestamptz` as Date. Statements longer than 15 s are cancelled: work that may
 * take longer lifts the limit in its transaction (`set local statement_timeout = 0`).
 */
export function connect(options: ConnectOptions): Pool {
  const { url, path, keep = false, onNotice, probe = PROBE } = options
  if (url === undefined && path === undefined) throw new TypeError('connect() needs a url or a path')
  const address = url === undefined ? undefined : readDatabaseAddress(url)
  const settings = {
    ...(address ? placeFor(address) : defined({ path, user: 'postgres', database: 'postgres' })),
    max: options.max ?? address?.max ?? 10,
    // With a limit, the library (3.4.9) starts and then loses a transaction queued right behind that many pipelined
    // statements.
    max_pipeline: Number.MAX_SAFE_INTEGER,
    connect_timeout: address ? (address.connectTimeout ?? CONNECT_TIMEOUT_S) : EMBEDDED_CONNECT_TIMEOUT_S,
    // The library's own back-off grows to 20 s; a server should answer again as soon as the database does.
    backoff: (attempts: number) => Math.min(0.05 * 2 ** attempts, LONGEST_RECONNECT_PAUSE_S),
    ...(keep ? { idle_timeout: 0, max_lifetime: null } : {}),
    onnotice: (notice: postgres.Notice) => onNotice?.(notice.message ?? ''),
    types: { date: TIMESTAMPS, ...ARRAY_TYPES },
    fetch_types: false,
    connection: {
      application_name: 'pullquote',
      // Timestamps are parsed in this format, whatever the default of the server or the role.
      TimeZone: 'UTC',
      DateStyle: 'ISO, MDY',
      // Compiling a search costs more than it gains: 80 to 150 ms on one of 160 ms, 15 ms on one of 4 ms.
      jit: 'off',
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      ...address?.session,
    },
  }
  const chooser = chooserFor(address, settings.connect_timeout, (host, socket) =>
    postgres({ ...settings, ...inLists(host), ...{ socket }, max: 1 }),
  )
  const open = (events: PoolEvents, max = settings.max) => {
    const { onLost, ...others } = events
    const sockets = new PoolSockets(() => {
      chooser?.lost()
      onLost()
    })
    const socket = (place: SocketPlace) => chooser?.open(sockets) ?? sockets.open(place)
    const pool = postgres({ ...settings, max, ...others, ...{ socket } })
    const { end } = pool
    pool.end = (how) => end(how).finally(() => sockets.end(Boolean(pool.options.ssl)))
    return address?.prepare === false ? withoutPipeline(pool) : pool
  }
  // The embedded database is not probed: a long import or backup may hold its only connection, and its thread has a watchdog.
  const pool = resilientPool(open, address ? probe : undefined)
  return address ? poolByBulkheads(pool) : withTurns(pool)
}

/** @returns undefined when there is nothing to choose */
function chooserFor(address: DatabaseAddress | undefined, timeoutS: number, open: Parameters<typeof hostChooser>[2]) {
  if (!address || address.hosts.some(isSocket)) return undefined
  const { targetSessionAttrs } = address
  if (address.hosts.length < 2 && targetSessionAttrs === undefined) return undefined
  return hostChooser(hostsOf(address), targetSessionAttrs, open, 2_000 * timeoutS)
}

const DEFAULT_PORT = 5432

function hostsOf({ hosts }: DatabaseAddress): Host[] {
  const usual = Number(process.env.PGPORT) || DEFAULT_PORT
  if (hosts.length === 0) return [{ host: 'localhost', port: usual }]
  return hosts.map(({ host, port = usual }) => ({ host, port }))
}

/**
 * The connection target for postgres.js, which takes missing values from PGUSER, PGPASSWORD and PGDATABASE.
 */
function placeFor(address: DatabaseAddress) {
  const { user, password, database, ssl, prepare, directTls } = address
  const [first] = hostsOf(address)
  const path = first && isSocket(first) ? `${first.host}/.s.PGSQL.${first.port}` : undefined
  // With more than one, postgres.js never reports that a connection failed.
  const place = first && path === undefined ? inLists(first) : {}
  if (directTls) Object.assign(place, { sslnegotiation: 'direct' })
  return {
    ...place,
    ...defined({
      path,
      user,
      pass: password,
      database,
      ssl,
      prepare,
    }),
  }
}

/** postgres.js accepts a name with a colon, such as an IPv6 address, only in a list, which its types omit. */
function inLists({ host, port }: Host): { host?: string; port?: number } {
  return Object.assign<object, object>({}, { host: [host], port: [port] })
}

// postgres.js passes `0099-01-01 00:00:00+00` to the Date constructor, which reads 1999; this parses ISO 8601 only.
const TIMESTAMPS = {
  to: 1184,
  from: [1114, 1184],
  serialize: (value: Date | string) => (value instanceof Date ? value : new Date(value)).toISOString(),
  parse: (text: string) => new Date(`${text.replace(' ', 'T').replace(/\+00$/, '')}Z`),
}
