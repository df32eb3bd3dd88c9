import type { ErrorCode, ErrorDetail } from '../contract/errors.ts'

/** The server answered with an error envelope. `code` is stable; the message is for people. */
export class ApiError extends Error {
  readonly code: ErrorCode | 'unexpected_answer'
  readonly status: number
  readonly requestId: string | undefined
  readonly details: ErrorDetail[]
  readonly retryAfterSeconds: number | undefined
  /** What the request was sent with. */
  presented: 'key' | 'operator token' = 'key'

  constructor(fields: {
    code: ErrorCode | 'unexpected_answer'
    status: number
    message: string
    requestId?: string | undefined
    details?: ErrorDetail[] | undefined
    retryAfterSeconds?: number | undefined
  }) {
    super(fields.message)
    this.name = 'ApiError'
    this.code = fields.code
    this.status = fields.status
    this.requestId = fields.requestId
    this.details = fields.details ?? []
    this.retryAfterSeconds = fields.retryAfterSeconds
  }
}

/** No answer came: the address is wrong, nothing listens there, or the connection broke. */
export class ConnectionFailed extends Error {
  readonly code = 'connection_failed'
  readonly url: string
  constructor(url: string, options: ErrorOptions) {
    super(`no answer from ${url}: ${causeOf(options.cause)}`, options)
    this.name = 'ConnectionFailed'
    this.url = url
  }
}

/** The caller's signal ended the request. */
export class Cancelled extends Error {
  readonly code = 'cancelled'
  constructor() {
    super('cancelled')
    this.name = 'Cancelled'
  }
}

/** `fetch` hides why it failed in a chain of causes; the innermost one says it. */
function causeOf(error: unknown): string {
  let inner = error
  while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause
  if (inner instanceof AggregateError && inner.errors.length > 0) inner = inner.errors[0]
  if (!(inner instanceof Error)) return String(inner)
  const code = 'code' in inner && typeof inner.code === 'string' ? inner.code : undefined
  return code !== undefined && !inner.message.includes(code) ? `${inner.message || code} (${code})` : inner.message
}
