import * as v from 'valibot'
import { CodedError, codeOf } from '../contract/code-of.ts'
import { innermost, isOtherProtocol, isUntrusted, reasonOf } from '../contract/connection-error.ts'
import { ERROR_STATUS, type ErrorCode, type ErrorDetail, errorEnvelope } from '../contract/errors.ts'
import type { BufferedResponse } from './fetch.ts'
import { tolerant } from './tolerant.ts'

/** An error response. `code` is stable; the message is for people. */
export class ApiError extends CodedError<ErrorCode | 'unexpected_answer'> {
  readonly status: number
  readonly requestId: string | undefined
  readonly details: ErrorDetail[]
  readonly retryAfterSeconds: number | undefined
  /** The kind of credential that was sent. */
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

// A proxy's own response may lack these.
const envelope = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ error: tolerant(v.partial(errorEnvelope.entries.error, ['doc_url', 'request_id'])) }),
)

type Answered = Pick<BufferedResponse, 'status' | 'ok' | 'headers'>

/** The error in a response's status and envelope, or in a line of a response that began successfully. */
export function responseError(response: Answered, text: string, credential?: ApiError['credential']): ApiError {
  const { status, ok } = response
  const location = response.headers.get('location')
  if (status >= 300 && status < 400 && location !== null)
    return unexpectedResponse(
      response,
      `requests are redirected to ${location.split('?')[0]}, and a key is not sent to an address that it was not given for`,
      credential,
    )
  const checked = v.safeParse(envelope, text)
  if (!checked.success) {
    const what = webPageOf(response, text) ?? 'no error of Pullquote'
    return unexpectedResponse(response, `the answer was ${status} with ${what}`, credential)
  }
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

/** What a proxy, another site or the login page of a network answers with; its title tells which. */
function webPageOf({ headers }: Pick<Answered, 'headers'>, text: string): string | undefined {
  if (!headers.get('content-type')?.startsWith('text/html')) return undefined
  const [, title = ''] = /<title>([^<]{1,100})/i.exec(text.slice(0, 10_000)) ?? []
  return title.trim() === '' ? 'a web page' : `a web page, “${title.trim()}”`
}

/** The error for a successful response that does not hold what was asked for, such as `GET /readyz`. */
export function strangeAnswer(
  response: Answered,
  text: string,
  asked: string,
  credential?: ApiError['credential'],
): ApiError {
  const what = webPageOf(response, text) ?? 'not what this version expects'
  return unexpectedResponse(response, `the answer to ${asked} is ${what}`, credential)
}

/** The error for a response in an unexpected format, perhaps from another program. */
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

/** No response: the URL is wrong, nothing listens there, or the connection broke. */
export class ConnectionFailed extends CodedError<'connection_failed' | 'connection_untrusted' | 'other_protocol'> {
  constructor(url: string, options: ErrorOptions) {
    const code = isUntrusted(options.cause) ? 'connection_untrusted' : 'connection_failed'
    super(
      isOtherProtocol(options.cause) ? 'other_protocol' : code,
      `no answer from ${url}: ${reasonOf(options.cause)}`,
      options,
    )
  }
}

/** What a request creates; sending it twice would create two. */
export type Creation = 'project' | 'key' | 'console link'

/** A request to create something got no response, or a proxy's: it may have succeeded. */
export class OutcomeUnknown extends CodedError<'outcome_unknown'> {
  readonly creation: Creation
  constructor(creation: Creation, cause: Error) {
    super('outcome_unknown', `${cause.message}; the ${creation} may have been created all the same`, { cause })
    this.creation = creation
  }
}

/** Whether the server may have executed a request that failed this way. */
export function mayHaveSucceeded(error: unknown): error is Error {
  if (error instanceof ApiError) return error.code === 'unexpected_answer' && error.status >= 500
  return error instanceof ConnectionFailed && !isBeforeSending(innermost(error.cause))
}

/** Whether it failed before sending: host not found, connection refused or timed out, or certificate not trusted. */
function isBeforeSending(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo')) return true
  return codeOf(error) === 'UND_ERR_CONNECT_TIMEOUT' || isUntrusted(error)
}

/** The caller's signal aborted the request. */
export class Cancelled extends CodedError<'cancelled'> {
  constructor() {
    super('cancelled', 'cancelled')
  }
}
