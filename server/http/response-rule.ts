import type * as v from 'valibot'

/** A route's result. `body` is sent as JSON unless it is a string, bytes or a stream with a `content-type` of its own. */
export interface RouteResult {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

interface Headers {
  /** In addition to those of every response. */
  headers?: Record<string, object>
}

interface JsonOptions extends Headers {
  example?: unknown
  /** Alternative representations by media type. */
  alternatives?: Record<string, v.GenericSchema>
}

interface TextOptions extends Headers {
  /** A file to be saved, not read. */
  isBinary?: boolean
}

/** A JSON response, or its bytes if the handler compressed it. */
type JsonResponse<TBody> = JsonOptions & { kind: 'json'; description: string; schema: v.GenericSchema<unknown, TBody> }
type TextResponse = TextOptions & { kind: 'text'; description: string; mediaType: string }
type EmptyResponse = Headers & { kind: 'empty'; description: string }

type ResponseRule = JsonResponse<unknown> | TextResponse | EmptyResponse

/** By status. */
export type ResponseRules = Record<number, ResponseRule>

type BodyOf<TRule> =
  TRule extends JsonResponse<infer TBody>
    ? { body: TBody | Uint8Array | ReadableStream }
    : TRule extends TextResponse
      ? { body: string | Uint8Array | ReadableStream }
      : { body?: undefined }

/** What a handler with these rules returns. */
export type ResultOf<TRules> = TRules extends ResponseRules
  ? { [S in keyof TRules & number]: Pick<RouteResult, 'headers'> & { status: S } & BodyOf<TRules[S]> }[keyof TRules &
      number]
  : RouteResult

export function json<TBody>(schema: v.GenericSchema<unknown, TBody>, description: string, more: JsonOptions = {}) {
  return { kind: 'json' as const, schema, description, ...more }
}

export function text(mediaType: string, description: string, more: TextOptions = {}): TextResponse {
  return { kind: 'text', mediaType, description, ...more }
}

export function empty(description: string, more: Headers = {}): EmptyResponse {
  return { kind: 'empty', description, ...more }
}
