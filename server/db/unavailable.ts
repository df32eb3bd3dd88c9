import { CodedError, codeOf } from '../../src/contract/code-of.ts'

const CONNECTION_CODES = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'no_suitable_host', // ours, of several hosts
])

const DISK_FULL = '53100'
const OUT_OF_CONNECTIONS = '53300'
const OVER_TEMPORARY_LIMIT = '53400'
const DEADLOCK = '40P01'
/** A standby before its promotion, or `default_transaction_read_only`. */
const READ_ONLY = '25006'

const SQL_STATES = new Set([
  DISK_FULL,
  OUT_OF_CONNECTIONS,
  OVER_TEMPORARY_LIMIT,
  READ_ONLY,
  '40001', // serialization failure
  DEADLOCK,
  '53000', // insufficient resources
  '53200', // out of memory
  '55P03', // lock not available
  '57014', // statement timeout
  'deadline_passed', // ours: nothing came in time
  'commit_unconfirmed', // ours, too
])

const SESSION_ENDED = new Set([
  '25P03', // idle in transaction for too long
  '25P04', // transaction timeout
  '57P01', // shut down by the administrator
  '57P02', // crash of another backend
  '57P03', // cannot connect now: starting up or shutting down
  '57P05', // idle session timeout
])

/** The database stopped responding or was lost after it was asked to commit: the outcome is unknown. */
export class CommitUnconfirmed extends CodedError<'commit_unconfirmed'> {
  constructor() {
    super('commit_unconfirmed', 'The database did not confirm a commit')
  }
}

/** Whether PostgreSQL has no room left for what a statement writes. */
export function isDiskFull(error: unknown): boolean {
  return codeOf(error) === DISK_FULL
}

/** Whether a statement needed more room for temporary files than the database's `temp_file_limit` allows. */
export function isOverTemporaryLimit(error: unknown): boolean {
  return codeOf(error) === OVER_TEMPORARY_LIMIT
}

/** Whether a connection was refused because as many as are allowed are open. */
export function isOutOfConnections(error: unknown): boolean {
  return codeOf(error) === OUT_OF_CONNECTIONS
}

const HELD_UP = new Set([DEADLOCK, '55P03', '57014'])

/** Whether a statement was ended because it waited for too long: for another program's locks, or on a busy server. */
export function isHeldUp(error: unknown): boolean {
  return HELD_UP.has(codeOf(error) ?? '')
}

/** Whether a table is missing: the database was emptied or made anew under a running server, or is being restored. */
export function isTableGone(error: unknown): boolean {
  return codeOf(error) === '42P01'
}

/** Whether PostgreSQL takes no writes: it can be read all the same. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === READ_ONLY
}

const FOREIGN_KEY_VIOLATION = '23503'

/** Whether a statement was the victim of a deadlock. */
export function isDeadlock(error: unknown): boolean {
  return codeOf(error) === DEADLOCK
}

/** Whether a statement failed because the row that its rows refer to was deleted concurrently. */
export function isReferenceGone(error: unknown): boolean {
  return codeOf(error) === FOREIGN_KEY_VIOLATION
}

/**
 * Where a distributed database aborts a transaction or a copy because a server is gone or a shard was moved meanwhile; its
 * code is "internal" or an I/O error.
 */
const SERVER_LOST_ROUTINES = new Set([
  'MarkRemoteTransactionFailed',
  'ReportCopyError',
  'EndRemoteCopy',
  'SendCopyDataToPlacement',
  'ReportResultError',
  'LookupShardRelationFromCatalog',
])

/** Whether an error means that the connection itself is lost or was never made. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error)
  if (code === undefined || isServerOfClusterLost(error)) return false
  return isFatal(error) || CONNECTION_CODES.has(code) || SESSION_ENDED.has(code) || code.startsWith('08')
}

/**
 * Whether the database, or a pooler in front of it, refuses sessions for a reason that persists until somebody fixes it (a
 * password, a role, a database name): a start need not wait for it to pass.
 */
export function isSessionRefused(error: unknown): boolean {
  const code = codeOf(error)
  if (code === undefined || !isFatal(error)) return false
  return !SQL_STATES.has(code) && !SESSION_ENDED.has(code) && !code.startsWith('08')
}

/** Whatever its code, PostgreSQL sends nothing more on the connection after it. */
function isFatal(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('severity' in error)) return false
  return error.severity === 'FATAL' || error.severity === 'PANIC'
}

/** Whether a distributed database reported that one of its servers does not answer: data on the others is available. */
export function isServerOfClusterLost(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('severity' in error) || error.severity !== 'ERROR') return false
  const code = codeOf(error)
  if (code === 'XX000' || code === '58030') return 'routine' in error && SERVER_LOST_ROUTINES.has(String(error.routine))
  return code?.startsWith('08') ?? false
}

/** The result; undefined when the cluster server with its rows is lost. */
export async function unlessServerLost<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (isServerOfClusterLost(error)) return undefined
    throw error
  }
}

/**
 * Whether a database error means "not now": it could not be reached, did not answer in time or lacked resources. Nothing was
 * written, so the same request may be sent again. Decided by stable codes, never by a message.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  // Node reports a host with several addresses as one error that contains the attempts.
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable)
  const code = codeOf(error)
  return code !== undefined && (isConnectionLost(error) || isServerOfClusterLost(error) || SQL_STATES.has(code))
}
