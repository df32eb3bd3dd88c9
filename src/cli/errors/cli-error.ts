import { lstatSync } from 'node:fs'
import { ApiError, Cancelled, type Creation, OutcomeUnknown } from '../../client/errors.ts'
import { isOfGateway } from '../../client/retry.ts'
import { CodedError, codeOf } from '../../contract/code-of.ts'
import { type ErrorDetail, UNKNOWN_FIELD } from '../../contract/errors.ts'
import { formatDuration } from '../output/format.ts'

/** Exit codes: 0 success, 1 failure, 2 wrong usage, 4 not authorized, 130 ended by Ctrl-C, 143 by SIGTERM. */
export const EXIT = { failed: 1, usage: 2, authentication: 4, interrupted: 130, terminated: 143 } as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** A command's failure: what happened (a sentence without a full stop), the details, and what to try. */
export class CliError extends CodedError<string> {
  /** What to try, one per line. */
  readonly hints: string[]
  readonly details: ErrorDetail[]
  readonly requestId: string | undefined
  readonly exitCode: ExitCode
  /** @param fields.code default: `failed` */
  constructor(message: string, fields: Partial<CliError> = {}) {
    super(fields.code ?? 'failed', message)
    this.hints = fields.hints ?? []
    this.details = fields.details ?? []
    this.requestId = fields.requestId
    this.exitCode = fields.exitCode ?? EXIT.failed
  }
}

/** Wrong usage: exit code 2. */
export function usageError(message: string, ...hints: string[]): CliError {
  return new CliError(message, { code: 'usage', hints, exitCode: EXIT.usage })
}

/** Node cannot open a file with such a name, not even one from its own directory listing. */
const NOT_UTF_8 = ['its name is not in UTF-8', 'rename it'] as const

/** The error for a file that does not exist. URLs are not fetched; the hint says how to. */
export function noSuchFile(path: string): CliError {
  const here = path.includes('\ufffd') ? NOT_UTF_8.join(': ') : 'check the path'
  const hint = /^https?:\/\//i.test(path) ? `fetch it first: curl -o FILE ${path}` : here
  return new CliError(`there is no file ${path}`, { code: 'no_file', hints: [hint] })
}

/** The error for Ctrl-C or SIGTERM (exit code 130 or 143), with hints on how to continue. */
export function interruptedError(message: string, ...hints: string[]): CliError {
  return new CliError(message, { code: 'interrupted', hints, exitCode: EXIT.interrupted })
}

/** Whether the error is an interruption of a request or a prompt by Ctrl-C or SIGTERM. */
export function isInterruption(error: unknown): boolean {
  if (error instanceof Cancelled || (error instanceof CliError && error.code === 'interrupted')) return true
  return error instanceof Error && (error.name === 'ExitPromptError' || error.name === 'AbortPromptError')
}

/** Converts anything thrown into the error that the command reports. */
export function toCliError(error: unknown): CliError {
  if (error instanceof CliError) return error
  if (isInterruption(error)) return interruptedError('interrupted')
  if (!(error instanceof Error)) return new CliError(String(error), { code: 'unexpected' })
  const what = withoutStop(error.message) || error.name
  const code = codeOf(error) ?? 'unexpected'
  if (error instanceof ApiError) {
    const { status, details, requestId } = error
    const exitCode = status === 401 || status === 403 ? EXIT.authentication : EXIT.failed
    return new CliError(what, { code, details, hints: apiHints(error), requestId, exitCode })
  }
  if (error instanceof OutcomeUnknown) return new CliError(what, { code, hints: LOOK_FOR[error.creation] })
  const ofFile = fileError(error)
  if (ofFile) return ofFile
  const exitCode = code === 'places_denied' ? EXIT.authentication : EXIT.failed
  const proxy = code === 'connection_failed' || code === 'places_unreachable' ? proxyHints(process.env) : []
  return new CliError(what, { code, hints: [...(HINTS[code] ?? []), ...proxy], exitCode })
}

/** Why a file or folder could not be read or created, and what to try. */
const FILE_FAULTS: Record<string, [why: string, hint: string]> = {
  EACCES: ['this user may not read or write there', 'check its owner and permissions, or choose another place'],
  EPERM: ['this user may not read or write there', 'check its owner and permissions, or choose another place'],
  EROFS: ['that disk is read-only', 'choose another place'],
  ENOSPC: ['the disk is full', 'free some space, then run the same command again'],
  EDQUOT: ['the disk is full for this user', 'free some space, then run the same command again'],
  EMFILE: ['too many files are open', 'raise the limit for this process to 1024 or more: ulimit -n 1024'],
  ENOTDIR: ['part of this path is not a folder', 'check the path'],
  EISDIR: ['it is a folder', 'name a file in it'],
  ENAMETOOLONG: ['the name is too long', 'choose a shorter one'],
  'dead link': [
    'it is a link to a folder that does not exist',
    'mount its disk, create the folder, or choose another place',
  ],
}

const isLink = (path = '') => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

/** Codes that only file operations have, and whose errors may name no file. */
const WITHOUT_PATH = new Set(['ENOSPC', 'EDQUOT', 'EMFILE'])

/**
 * Describes a file system error for which the command has no better message.
 *
 * @param name what was being written, for errors that name no file
 * @returns undefined for other errors
 */
export function fileError(error: Error, name?: string): CliError | undefined {
  const { code = '', path, dest = path ?? name, syscall }: NodeJS.ErrnoException & { dest?: string } = error
  // `mkdir` reports ENOENT in a folder that takes no others, such as /proc.
  const fault =
    code === 'ENOENT' && path?.includes('\ufffd')
      ? NOT_UTF_8
      : FILE_FAULTS[code === 'ENOENT' && syscall === 'mkdir' ? (isLink(path) ? 'dead link' : 'EROFS') : code]
  if (!fault || (dest === undefined && !WITHOUT_PATH.has(code))) return undefined
  return new CliError(dest === undefined ? fault[0] : `${dest}: ${fault[0]}`, { code, hints: [fault[1]] })
}

/** What to try, by error code. */
const HINTS: Record<string, string[]> = {
  unauthorized: [
    'check the key: --key, PULLQUOTE_KEY or the profile; the keys of a deleted project are gone with it',
    'create a new one with: pullquote keys create',
    'if there is a proxy in front of the server, let it pass on the Authorization header',
  ],
  forbidden: [
    'a publishable key can only query, and only from an allowed origin: use a secret key, or query --origin URL',
  ],
  not_found: ['check the name or id, and --project and --env'],
  review_limit_reached: [
    'raise the cap with: pullquote projects set NAME --plan paid',
    'if it is paid already, set PULLQUOTE_PAID_REVIEWS for the server and restart it',
    'delete reviews that are not needed',
  ],
  embedding_unavailable: ['`pullquote doctor` checks the embedding; then run the same command again'],
  connection_failed: [
    'check the address: --url, PULLQUOTE_URL or the profile',
    'start a server on this machine with: pullquote serve',
  ],
  other_protocol: ['check the address and its port: --url, PULLQUOTE_URL or the profile'],
  connection_untrusted: [
    'check the address; if you use your own certificate authority, set NODE_EXTRA_CA_CERTS to its file',
  ],
  copied_home: [
    'delete server.json in the copy',
    'stop that server before you copy its folder, or use pullquote backup',
  ],
  other_database: [
    "unset DATABASE_URL to use that server's database",
    'set PULLQUOTE_HOME to another folder to use the other database',
  ],
  no_database_url: [
    "set DATABASE_URL to the address of the cluster's coordinator, here or in the configuration file",
    'see docs/scaling.md',
  ],
  places_denied: ['check PULLQUOTE_PLACES_KEY, and that "Places API (New)" is enabled for it'],
  places_quota: [
    "wait until the quota renews, or raise it in the key's Google Cloud project; then run the same command again",
  ],
  places_not_found: ['find the id with: pullquote places search TEXT'],
  places_unreachable: ['check the connection and PULLQUOTE_PLACES_URL, then run the same command again'],
}

const LOOK_FOR: Record<Creation, string[]> = {
  project: ['check whether it was created: pullquote projects list'],
  key: [
    'check whether it was created, as the newest: pullquote keys list',
    'if so, revoke it, since it cannot be shown again: pullquote keys revoke ID',
  ],
  'console link': [
    'check whether it was created, as the newest: pullquote console list',
    'if so, revoke it, since it cannot be shown again: pullquote console revoke ID',
  ],
}

/** Node uses a proxy from the environment only when NODE_USE_ENV_PROXY is set. */
function proxyHints(env: NodeJS.ProcessEnv): string[] {
  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']
  const name = names.find((one) => env[one])
  if (name === undefined || env.NODE_USE_ENV_PROXY === '1') return []
  return [`${name} was not used: to use it, also set NODE_USE_ENV_PROXY=1 (Node 22.21 or newer, or 24)`]
}

/** An older server may not know a field that this version sends. */
function fieldHints(details: readonly ErrorDetail[]): string[] {
  const isUnknown = details.some(({ message }) => message.startsWith(UNKNOWN_FIELD))
  return isUnknown ? ['an older server does not know this setting: update the server, or leave it out'] : []
}

/** For an answer that is not Pullquote's. */
function hintsOfOther(status: number): string[] {
  if (isOfGateway(status))
    return ['check that the server behind that proxy is running and reached there, then run the same command again']
  if (status === 429) return ['a proxy limits requests: run the same command again later']
  if (status === 413) return ['a proxy limits the size of requests: it has to pass on 12 MB (docs/deployment.md)']
  if (status === 511) return [LOG_IN]
  const hints = ['check that the address (--url, PULLQUOTE_URL) belongs to a Pullquote server']
  return status < 400 ? [...hints, LOG_IN] : hints
}

const LOG_IN = 'if this network asks for a login, open a page in a browser first'

function apiHints({ code, status, credential, retryAfterSeconds, details }: ApiError): string[] {
  if (code === 'validation_failed') return fieldHints(details)
  if (code === 'unexpected_answer') return hintsOfOther(status)
  if (code === 'unauthorized' && credential === 'operator token') {
    return [
      'check PULLQUOTE_OPERATOR_TOKEN, or store the token again: pullquote login NAME --url URL --operator-token-stdin',
      'it must be the value of PULLQUOTE_OPERATOR_TOKEN that the server was started with',
    ]
  }
  if (code !== 'rate_limited' && code !== 'query_quota_exceeded' && code !== 'service_unavailable')
    return HINTS[code] ?? []
  const wait = retryAfterSeconds === undefined ? 'later' : `in ${formatDuration(retryAfterSeconds)}`
  return [`run the same command again ${wait}`]
}

function withoutStop(message: string): string {
  return message.trim().replace(/\.$/, '')
}

/** Command-line names of request fields: `{ 'filters.since': '--since', q: 'the text' }`. */
export type FieldLabels = Readonly<Record<string, string>>

/** Labels for fields whose flags have the same name: `min_rating` is `--min-rating`. */
export function flagLabels(...fields: string[]): FieldLabels {
  return Object.fromEntries(fields.map((field) => [field, `--${field.split('.').at(-1)?.replaceAll('_', '-')}`]))
}

/**
 * Rewrites the server's validation errors with the flags' names. The user's input was wrong, so it is a usage error.
 *
 * @returns undefined unless every detail concerns a labelled field
 */
export function toUsageError(error: unknown, names: FieldLabels): CliError | undefined {
  if (!(error instanceof ApiError) || error.code !== 'validation_failed') return undefined
  const findings = error.details.map(({ path, message }) => {
    const name = nameOf(path, names)
    return name === undefined ? undefined : `${name} ${message}`
  })
  const known = findings.filter((finding) => finding !== undefined)
  if (known.length === 0 || known.length < findings.length) return undefined
  return usageError([...new Set(known)].join('; '), ...fieldHints(error.details))
}

function nameOf(path: string, names: FieldLabels): string | undefined {
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    const name = names[path.slice(0, end)]
    if (name !== undefined) return end === path.length ? name : `${name} ${path.slice(end + 1)}`
  }
  return undefined
}
