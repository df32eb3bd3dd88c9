import * as v from 'valibot'

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

export const errorCode = v.picklist(Object.keys(ERROR_STATUS) as ErrorCode[])

/** One finding of a validation: a dotted path such as `0.rating`, or `(body)` for the whole body. */
export const errorDetail = v.strictObject({ path: v.string(), message: v.string() })
export type ErrorDetail = v.InferOutput<typeof errorDetail>

/** How a finding about an unknown field begins. Findings have no codes, so clients recognize one only by this. */
export const UNKNOWN_FIELD = 'is not a known field'

export const errorInfo = v.strictObject({
  code: errorCode,
  message: v.string(),
  doc_url: v.pipe(v.string(), v.url()),
  request_id: v.string(),
  details: v.exactOptional(v.array(errorDetail)),
})

/** The body of every error response ("Error envelope"). */
export const errorEnvelope = v.strictObject({ error: errorInfo })
export type ErrorEnvelope = v.InferOutput<typeof errorEnvelope>
