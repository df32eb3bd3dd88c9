import postgres from 'postgres'
import { defined } from '../../src/contract/defined.ts'
import type { Pool } from '../deps.ts'
import { type DatabaseAddress, readDatabaseAddress } from './address.ts'
import { ARRAY_TYPES } from './array-types.ts'
import { poolByLanes } from './pool-by-lanes.ts'
import { type PoolEvents, type Probe, resilientPool } from './resilient-pool.ts'
import { withoutPipeline } from './without-pipeline.ts'

export interface ConnectOptions {
  /** `postgres://…`, see {@link readDatabaseAddress}. */
  url?: string
  /** A unix socket or a named pipe, instead of an address. */
  path?: string
  /** Connections in the pool; by default what the address says, or 10. The embedded database has one backend and takes 1. */
  max?: number
  /** Keep connections until they break, for a database that lives inside this process. */
  keep?: boolean
  onNotice?: (message: string) => void
  /** For tests, which do not wait half a minute. */
  probe?: Probe
}

const CONNECT_TIMEOUT_S = 5
/** The embedded database is this process: on a busy machine it may take longer to answer the first time. It is watched. */
const EMBEDDED_CONNECT_TIMEOUT_S = 60
const STATEMENT_TIMEOUT_MS = 15_000
/** A process that hangs inside a transaction loses it, so that its row locks stop nobody for long. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000
const PROBE: Probe = { everyMs: 10_000, silentMs: STATEMENT_TIMEOUT_MS + 5_000 }
const LONGEST_RECONNECT_PAUSE_S = 1

/**
 * Opens a pool. Nothing is sent until the first query, and a broken connection is opened again by the next one.
 *
 * `bigint` arrives as string, `jsonb` parsed, `timestamptz` as Date. Statements longer than 15 s are cancelled: work
 * that may take longer lifts the limit in its transaction (`set local statement_timeout = 0`).
 */
export function connect(options: ConnectOptions): Pool {
  const { url, path, keep = false, onNotice, probe = PROBE } = options
  if (url === undefined && path === undefined) throw new TypeError('connect() needs a url or a path')
  const address = url === undefined ? undefined : readDatabaseAddress(url)
  const settings = {
    ...(address ? placeFor(address) : defined({ path, user: 'postgres', database: 'postgres' })),
    max: options.max ?? address?.max ?? 10,
    // A transaction right behind as many statements as the library (3.4.9) sends ahead begins and is then lost to it.
    max_pipeline: Number.MAX_SAFE_INTEGER,
    connect_timeout: address ? (address.connectTimeout ?? CONNECT_TIMEOUT_S) : EMBEDDED_CONNECT_TIMEOUT_S,
    // The library's own pause grows to 20 s; a server should answer again as soon as the database does.
    backoff: (attempts: number) => Math.min(0.05 * 2 ** attempts, LONGEST_RECONNECT_PAUSE_S),
    ...(keep ? { idle_timeout: 0, max_lifetime: null } : {}),
    onnotice: (notice: postgres.Notice) => onNotice?.(notice.message ?? ''),
    types: { date: TIMESTAMPS, ...ARRAY_TYPES },
    fetch_types: false,
    connection: {
      application_name: 'pullquote',
      // Timestamps are read in this shape, whatever the server's or the role's default is.
      TimeZone: 'UTC',
      DateStyle: 'ISO, MDY',
      // Compiling a search costs more than it gains: measured 80 to 150 ms on one of 160 ms, 15 ms on one of 4 ms.
      jit: 'off',
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      ...address?.session,
    },
  }
  // The embedded database has one connection, which a long import or backup may have, and its thread is watched.
  const open = (events: PoolEvents) => {
    const pool = postgres({ ...settings, ...events })
    return address?.prepare === false ? withoutPipeline(pool) : pool
  }
  const pool = resilientPool(open, address ? probe : undefined)
  return address ? poolByLanes(pool) : pool
}

const DEFAULT_PORT = 5432

/** Where postgres.js shall connect. What is left out it looks up in PGHOST, PGPORT, PGUSER, PGPASSWORD and PGDATABASE. */
function placeFor({ hosts, user, password, database, ssl, prepare, targetSessionAttrs, directTls }: DatabaseAddress) {
  const [first] = hosts
  const ports = hosts.map(({ port }) => port ?? (Number(process.env.PGPORT) || DEFAULT_PORT))
  const isSocket = first?.host.startsWith('/')
  const place: { host?: string; port?: number } = {}
  // It takes several, which its types do not say; a name with a colon, as an IPv6 address is, in a list only.
  if (first && !isSocket) Object.assign(place, { host: hosts.map(({ host }) => host), port: ports })
  if (directTls) Object.assign(place, { sslnegotiation: 'direct' })
  return {
    ...place,
    ...defined({
      path: isSocket ? `${first?.host}/.s.PGSQL.${ports[0]}` : undefined,
      user,
      pass: password,
      database,
      ssl,
      prepare,
      target_session_attrs: targetSessionAttrs,
    }),
  }
}

// postgres.js hands `0099-01-01 00:00:00+00` to the Date constructor, which reads 1999; this reads ISO 8601 only.
const TIMESTAMPS = {
  to: 1184,
  from: [1114, 1184],
  serialize: (value: Date | string) => (value instanceof Date ? value : new Date(value)).toISOString(),
  parse: (text: string) => new Date(`${text.replace(' ', 'T').replace(/\+00$/, '')}Z`),
}
