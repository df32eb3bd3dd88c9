import { ApiError, Cancelled, ConnectionFailed } from '../../client/errors.ts'
import { codeOf } from '../../contract/code-of.ts'
import type { ErrorDetail } from '../../contract/errors.ts'
import { formatDuration } from '../output/dates.ts'

/** Exit codes: 0 done, 1 failed, 2 used wrongly, 4 not authorized, 130 ended by Ctrl-C, 143 by SIGTERM. */
export const EXIT = { failed: 1, usage: 2, authentication: 4, interrupted: 130, terminated: 143 } as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** What a command says when it fails: what happened, why, and what to try. */
export interface Failure {
  code: string
  /** What happened, a sentence without a full stop. */
  what: string
  details: ErrorDetail[]
  /** What to try, a line each. */
  hints: string[]
  requestId: string | undefined
  exitCode: ExitCode
}

/** A failure that the command line itself finds. */
export class CliError extends Error {
  readonly code: string
  readonly hints: string[]
  readonly details: ErrorDetail[]
  readonly exitCode: ExitCode
  constructor(
    message: string,
    options: { code?: string; hints?: string[]; details?: ErrorDetail[]; exitCode?: ExitCode } = {},
  ) {
    super(message)
    this.name = 'CliError'
    this.code = options.code ?? 'failed'
    this.hints = options.hints ?? []
    this.details = options.details ?? []
    this.exitCode = options.exitCode ?? EXIT.failed
  }
}

/** Used wrongly: exit 2. */
export function usageError(message: string, ...hints: string[]): CliError {
  return new CliError(message, { code: 'usage', hints, exitCode: EXIT.usage })
}

/** Ended by Ctrl-C or SIGTERM: exit 130 or 143, with how to go on. */
export function interruptedError(message: string, ...hints: string[]): CliError {
  return new CliError(message, { code: 'interrupted', hints, exitCode: EXIT.interrupted })
}

/** Whether Ctrl-C or SIGTERM ended what was under way: a request, or a question that stood on the terminal. */
export function isInterruption(error: unknown): boolean {
  if (error instanceof Cancelled) return true
  return error instanceof Error && (error.name === 'ExitPromptError' || error.name === 'AbortPromptError')
}

/** What to say about any error. */
export function toFailure(error: unknown): Failure {
  const base = { details: [], hints: [], requestId: undefined, exitCode: EXIT.failed }
  if (error instanceof CliError) {
    const { code, hints, details, exitCode } = error
    return { ...base, code, what: error.message, hints, details, exitCode }
  }
  if (error instanceof ApiError) {
    const { code, details, requestId } = error
    const denied = error.status === 401 || error.status === 403
    const exitCode = denied ? EXIT.authentication : EXIT.failed
    return { code, what: withoutStop(error.message), details, hints: hintsFor(error), requestId, exitCode }
  }
  if (error instanceof ConnectionFailed) {
    const hints = [
      'check the address: --url, PULLQUOTE_URL or the profile',
      'start a server on this machine with: pullquote serve',
    ]
    return { ...base, code: error.code, what: error.message, hints }
  }
  if (isInterruption(error)) {
    return { ...base, code: 'interrupted', what: 'interrupted', exitCode: EXIT.interrupted }
  }
  if (error instanceof Error) {
    return { ...base, code: codeOf(error) ?? 'unexpected', what: withoutStop(error.message) || error.name }
  }
  return { ...base, code: 'unexpected', what: String(error) }
}

function hintsFor(error: ApiError): string[] {
  const wait = error.retryAfterSeconds === undefined ? 'later' : `in ${formatDuration(error.retryAfterSeconds)}`
  switch (error.code) {
    case 'unauthorized':
      if (error.presented === 'operator token') {
        return [
          'check PULLQUOTE_OPERATOR_TOKEN, or store the token anew: pullquote login NAME --url URL --operator-token-stdin',
          'it is the value of PULLQUOTE_OPERATOR_TOKEN that the server was started with',
        ]
      }
      return ['check the key: --key, PULLQUOTE_KEY or the profile', 'make a new one with: pullquote keys create']
    case 'forbidden':
      return ['a publishable key may only query, and from an allowed origin: use a secret key, or query --origin URL']
    case 'not_found':
      return ['check the name or id, and --project and --env']
    case 'review_limit_reached':
      return ['raise the cap with: pullquote projects set NAME --plan paid', 'delete reviews that are not needed']
    case 'rate_limited':
    case 'query_quota_exceeded':
    case 'service_unavailable':
      return [`run the same command again ${wait}`]
    case 'embedding_unavailable':
      return ["check the server's embedding service, then run the same command again"]
    case 'internal':
      return ["look for the request id in the server's log"]
    case 'unexpected_answer':
      return ['check that the address (--url, PULLQUOTE_URL) is that of a Pullquote server']
    default:
      return []
  }
}

function withoutStop(message: string): string {
  return message.trim().replace(/\.$/, '')
}
