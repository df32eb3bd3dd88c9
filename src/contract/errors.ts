/** Status of each error code of the contract ("Errors"). Codes are stable; messages are for humans. */
export const ERROR_STATUS = {
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  review_limit_reached: 422,
  rate_limited: 429,
  query_quota_exceeded: 429,
  internal: 500,
  embedding_unavailable: 503,
  service_unavailable: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

/** One finding of a validation: a dotted path such as `0.rating`, or `(body)` for the whole body. */
export interface ErrorDetail {
  path: string
  message: string
}

export interface ErrorEnvelope {
  error: {
    code: ErrorCode
    message: string
    doc_url: string
    request_id: string
    details?: ErrorDetail[]
  }
}
