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
])

const SQL_STATES = new Set([
  '25006', // read-only: a standby before its promotion
  '40001', // serialization failure
  '40P01', // deadlock
  '53000', // insufficient resources
  '53100', // disk full
  '53200', // out of memory
  '53300', // too many connections
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

/** The database fell silent or was lost after it was asked to commit: whether it has, nobody knows. */
export class CommitUnconfirmed extends CodedError<'commit_unconfirmed'> {
  constructor() {
    super('commit_unconfirmed', 'The database did not confirm a commit')
  }
}

const FOREIGN_KEY_VIOLATION = '23503'
const DEADLOCK = '40P01'

/** Whether PostgreSQL chose a statement as the victim of a deadlock. */
export function isDeadlock(error: unknown): boolean {
  return codeOf(error) === DEADLOCK
}

/** Whether a statement failed because what its rows belong to was deleted by another while it ran. */
export function isReferenceGone(error: unknown): boolean {
  return codeOf(error) === FOREIGN_KEY_VIOLATION
}

/**
 * Where a distributed database gives up a transaction or a copy of rows whose server is gone, or finds that a shard was
 * moved away meanwhile; its code is "internal", or an error of input and output.
 */
const SERVER_LOST_ROUTINES = new Set([
  'MarkRemoteTransactionFailed',
  'ReportCopyError',
  'EndRemoteCopy',
  'SendCopyDataToPlacement',
  'ReportResultError',
  'LookupShardRelationFromCatalog',
])

/** Whether an error says that the connection itself is gone, or never was. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error)
  if (code === undefined || isServerOfClusterLost(error)) return false
  return isFatal(error) || CONNECTION_CODES.has(code) || SESSION_ENDED.has(code) || code.startsWith('08')
}

/**
 * Whether the database, or a pooler before it, takes no session for a reason that stays until somebody mends it (a
 * password, a role, a database of that name): a start need not wait for it to pass.
 */
export function isSessionRefused(error: unknown): boolean {
  const code = codeOf(error)
  if (code === undefined || !isFatal(error)) return false
  return !SQL_STATES.has(code) && !SESSION_ENDED.has(code) && !code.startsWith('08')
}

/** Of any code: after it PostgreSQL says no more on a connection. */
function isFatal(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('severity' in error)) return false
  return error.severity === 'FATAL' || error.severity === 'PANIC'
}

/** Whether a distributed database answered that one of its servers does not: what lies on the others can be asked for. */
export function isServerOfClusterLost(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('severity' in error) || error.severity !== 'ERROR') return false
  const code = codeOf(error)
  if (code === 'XX000' || code === '58030') return 'routine' in error && SERVER_LOST_ROUTINES.has(String(error.routine))
  return code?.startsWith('08') ?? false
}

/** What it answers; undefined when the server of a cluster is gone on which its rows lie. */
export async function unlessServerLost<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (isServerOfClusterLost(error)) return undefined
    throw error
  }
}

/**
 * Whether a database error means "not now": it could not be reached, gave no answer in time or refused for want of
 * room. Nothing was written, so the same request may be sent again. Decided by stable codes, never by a message.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  // Node reports a host with several addresses as one error that holds the attempts.
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable)
  const code = codeOf(error)
  return code !== undefined && (isConnectionLost(error) || isServerOfClusterLost(error) || SQL_STATES.has(code))
}
