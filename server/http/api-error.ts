import { CodedError } from '../../src/contract/code-of.ts'
import type { ErrorCode, ErrorDetail } from '../../src/contract/errors.ts'
import type { Validated } from '../../src/contract/validate.ts'

interface ApiErrorOptions {
  details?: ErrorDetail[]
  retryAfterSeconds?: number | undefined
  toldOf?: ApiError['toldOf']
}

/** An error of the contract, thrown by routes; callers see only the envelope. */
export class ApiError extends CodedError<ErrorCode> {
  readonly details: ErrorDetail[] | undefined
  /** Seconds for `Retry-After`, at least 1. */
  readonly retryAfterSeconds: number | undefined
  /** The message where something was done after all. */
  readonly toldOf: (done: string) => string

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(code, message)
    this.details = options.details
    this.toldOf = options.toldOf ?? ((done) => `${message} ${done}`)
    const seconds = options.retryAfterSeconds
    this.retryAfterSeconds = seconds === undefined ? undefined : Math.max(1, Math.ceil(seconds))
  }
}

/** Work in steps that failed after some of them; the cause says why. @param done what was done, in place of "Nothing was written." */
export class PartlyDone extends Error {
  readonly done: string
  constructor(done: string, cause: unknown) {
    super('Only some steps were done', { cause })
    this.done = done
  }
}

/** 503 that says so: before and after that stand the reason and what to do. */
export function nothingWritten(reason: string, advice: string, retryAfterSeconds = 1): ApiError {
  const toldOf = (done: string) => `${reason} ${done} ${advice}`
  return new ApiError('service_unavailable', toldOf('Nothing was written.'), { retryAfterSeconds, toldOf })
}

/** 503: nothing was done, and the request may be repeated after this many seconds. */
export function serviceUnavailable(message: string, retryAfterSeconds = 1): ApiError {
  return new ApiError('service_unavailable', message, { retryAfterSeconds })
}

/** 422 with its findings; the message repeats the first one, so that a log line alone tells what to do. */
export function validationFailed(details: ErrorDetail[]): ApiError {
  const [first] = details
  const more = details.length > 1 ? ` (and ${details.length - 1} more, see details)` : ''
  const subject = first?.path === '' ? 'an empty name' : first?.path.replace(/^\((.*)\)$/, 'the $1')
  const message = first ? `The request is not valid: ${subject} ${first.message}${more}.` : 'The request is not valid.'
  return new ApiError('validation_failed', message, { details })
}

/** 422 for a cursor that this installation did not issue for this list. */
export function invalidCursor(): ApiError {
  const message = 'is no cursor of this list: take next_cursor of the page before, with the same filters'
  return validationFailed([{ path: 'cursor', message }])
}

/** The values of several checks, in order. @throws {ApiError} `validation_failed` with the findings of all of them */
export function assertValid<T extends unknown[]>(...checks: { [K in keyof T]: Validated<T[K]> }): T {
  const details = checks.flatMap((check) => (check.ok ? [] : check.details))
  if (details.length > 0) throw validationFailed(details)
  return checks.map((check) => (check.ok ? check.value : undefined)) as T
}
