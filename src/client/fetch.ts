/** The part of `fetch` that the client uses: the network's, or the server's own `app.fetch` in this process. */
export interface Fetch {
  (request: Request): Promise<Response>
  /** For JSON that is read whole: avoids Node's `Request` and `Response` where there is a shorter way. */
  buffered?: (request: BufferedRequest) => Promise<BufferedResponse>
}

export interface BufferedRequest {
  method: string
  url: string
  /** By lower-case name. */
  headers: Record<string, string>
  body?: string
  signal?: AbortSignal | undefined
}

/** The part of a `Response` needed when nothing is streamed. */
export interface BufferedResponse {
  status: number
  ok: boolean
  headers: Pick<Headers, 'get'>
  text(): Promise<string>
}
