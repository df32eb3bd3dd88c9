/** The part of `fetch` that the client uses; the network's, or the server's own `app.fetch` in this process. */
export interface Fetch {
  (request: Request): Promise<Response>
  /** The same for what is JSON and read whole, without Node's own classes where it has a shorter way. */
  buffered?: (request: BufferedRequest) => Promise<BufferedResponse>
}

export interface BufferedRequest {
  method: string
  url: string
  /** By their names in lower case. */
  headers: Record<string, string>
  body?: string
  signal?: AbortSignal | undefined
}

/** The part of a `Response` that is left when nothing is read in pieces. */
export interface BufferedResponse {
  status: number
  ok: boolean
  headers: Pick<Headers, 'get'>
  text(): Promise<string>
}
