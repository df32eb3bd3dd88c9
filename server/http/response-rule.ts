import type * as v from 'valibot'

/** What a route answers. `body` is sent as JSON unless it is a string, bytes or a stream with a `content-type` of its own. */
export interface RouteResult {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

interface About {
  description: string
  /** Besides those of every answer. */
  headers?: Record<string, object>
}

/** An answer in JSON, or in its bytes when the handler has compressed it. */
interface JsonResponse<TBody> extends About {
  kind: 'json'
  schema: v.GenericSchema<unknown, TBody>
  example?: unknown
  /** Other forms of it that a client may ask for, by media type. */
  alternatives?: Record<string, v.GenericSchema>
}

interface TextResponse extends About {
  kind: 'text'
  mediaType: string
  /** A file to be kept, not read. */
  isBinary?: boolean
}

interface EmptyResponse extends About {
  kind: 'empty'
}

type ResponseRule = JsonResponse<unknown> | TextResponse | EmptyResponse

/** By status. */
export type ResponseRules = Record<number, ResponseRule>

type BodyOf<TRule> =
  TRule extends JsonResponse<infer TBody>
    ? { body: TBody | Uint8Array | ReadableStream }
    : TRule extends TextResponse
      ? { body: string | Uint8Array | ReadableStream }
      : { body?: undefined }

/** What a handler returns that answers by these rules. */
export type ResultOf<TRules> = TRules extends ResponseRules
  ? { [S in keyof TRules & number]: Pick<RouteResult, 'headers'> & { status: S } & BodyOf<TRules[S]> }[keyof TRules &
      number]
  : RouteResult

export function json<TBody>(
  schema: v.GenericSchema<unknown, TBody>,
  description: string,
  more: Omit<JsonResponse<TBody>, 'kind' | 'schema' | 'description'> = {},
): JsonResponse<TBody> {
  return { kind: 'json', schema, description, ...more }
}

export function text(
  mediaType: string,
  description: string,
  more: Omit<TextResponse, 'kind' | 'mediaType' | 'description'> = {},
): TextResponse {
  return { kind: 'text', mediaType, description, ...more }
}

export function empty(description: string, more: Pick<About, 'headers'> = {}): EmptyResponse {
  return { kind: 'empty', description, ...more }
}
