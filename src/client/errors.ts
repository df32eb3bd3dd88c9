import * as v from 'valibot'
import { CodedError, codeOf } from '../contract/code-of.ts'
import { ERROR_STATUS, type ErrorCode, type ErrorDetail, errorEnvelope } from '../contract/errors.ts'
import type { BufferedResponse } from './fetch.ts'
import { tolerant } from './tolerant.ts'

/** The server answered with an error envelope. `code` is stable; the message is for people. */
export class ApiError extends CodedError<ErrorCode | 'unexpected_answer'> {
  readonly status: number
  readonly requestId: string | undefined
  readonly details: ErrorDetail[]
  readonly retryAfterSeconds: number | undefined
  /** What the request was authenticated with. */
  readonly credential: 'key' | 'operator token'

  constructor(fields: Pick<ApiError, 'code' | 'status' | 'message'> & Partial<ApiError>) {
    super(fields.code, fields.message)
    this.status = fields.status
    this.requestId = fields.requestId
    this.details = fields.details ?? []
    this.retryAfterSeconds = fields.retryAfterSeconds
    this.credential = fields.credential ?? 'key'
  }
}

// A proxy's own answer may leave out what it does not know.
const envelope = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ error: tolerant(v.partial(errorEnvelope.entries.error, ['doc_url', 'request_id'])) }),
)

type Answered = Pick<BufferedResponse, 'status' | 'ok' | 'headers'>

/** The error that an answer tells, in its status and envelope, or in a line of one that began well. */
export function responseError(response: Answered, text: string, credential?: ApiError['credential']): ApiError {
  const { status, ok } = response
  const location = response.headers.get('location')
  if (status >= 300 && status < 400 && location !== null)
    return unexpectedResponse(
      response,
      `requests are sent on to ${location.split('?')[0]}, and no key goes where it was not given for`,
      credential,
    )
  const checked = v.safeParse(envelope, text)
  if (!checked.success)
    return unexpectedResponse(response, `the server answered ${status} without an error envelope`, credential)
  const { code, message, request_id, details } = checked.output.error
  const known = fromHeaders(response, credential)
  return new ApiError({
    ...known,
    code,
    message,
    details: details ?? [],
    status: ok ? ERROR_STATUS[code] : status,
    requestId: request_id ?? known.requestId,
  })
}

/** An answer of another shape, or of another program. */
export function unexpectedResponse(response: Answered, message: string, credential?: ApiError['credential']): ApiError {
  return new ApiError({
    ...fromHeaders(response, credential),
    code: 'unexpected_answer',
    status: response.status,
    message,
  })
}

function fromHeaders({ headers }: Answered, credential: ApiError['credential'] = 'key') {
  const retryAfter = headers.get('retry-after') ?? ''
  return {
    credential,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined,
  }
}

/** No answer came: the address is wrong, nothing listens there, or the connection broke. */
export class ConnectionFailed extends CodedError<'connection_failed' | 'connection_untrusted'> {
  constructor(url: string, options: ErrorOptions) {
    const code = isUntrusted(innermost(options.cause)) ? 'connection_untrusted' : 'connection_failed'
    super(code, `no answer from ${url}: ${causeOf(options.cause)}`, options)
  }
}

/** What a request creates, and would create twice if it were sent twice. */
export type Creation = 'project' | 'key' | 'console link'

/** A request to create something had no answer, or a proxy's: it may have succeeded. */
export class OutcomeUnknown extends CodedError<'outcome_unknown'> {
  readonly creation: Creation
  constructor(creation: Creation, cause: Error) {
    super('outcome_unknown', `${cause.message}; the ${creation} may have been made all the same`, { cause })
    this.creation = creation
  }
}

/** Whether the server may have done what it was asked by a request that failed so. */
export function mayHaveSucceeded(error: unknown): error is Error {
  if (error instanceof ApiError) return error.code === 'unexpected_answer' && error.status >= 500
  return error instanceof ConnectionFailed && !isBeforeSending(innermost(error.cause))
}

/** The host was not found, refused the connection or did not answer it, or has another certificate. */
function isBeforeSending(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo')) return true
  return codeOf(error) === 'UND_ERR_CONNECT_TIMEOUT' || isUntrusted(error)
}

/** It has no certificate that is trusted, or speaks no TLS: another try would end the same. */
function isUntrusted(error: unknown): boolean {
  const code = codeOf(error) ?? ''
  return code === WITHOUT_TLS || /CERT|SIGNATURE/.test(code)
}

const WITHOUT_TLS = 'ERR_SSL_WRONG_VERSION_NUMBER'

/** The caller's signal ended the request. */
export class Cancelled extends CodedError<'cancelled'> {
  constructor() {
    super('cancelled', 'cancelled')
  }
}

/** `fetch` hides why it failed in a chain of causes; the innermost one says it. */
function innermost(error: unknown): unknown {
  let inner = error
  while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause
  return inner instanceof AggregateError && inner.errors.length > 0 ? inner.errors[0] : inner
}

function causeOf(error: unknown): string {
  const inner = innermost(error)
  if (!(inner instanceof Error)) return String(inner)
  const code = codeOf(inner)
  if (code === WITHOUT_TLS) return `it does not speak TLS there, which https:// asks for (${code})`
  return code !== undefined && !inner.message.includes(code) ? `${inner.message || code} (${code})` : inner.message
}
