import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as v from 'valibot'

const requestBody = v.looseObject({ model: v.string(), input: v.array(v.string()), dimensions: v.optional(v.number()) })
export type EmbeddingsBody = v.InferOutput<typeof requestBody>

export interface EmbeddingsServer {
  url: string
  /** Every request, in order. */
  readonly requests: { path: string; headers: IncomingMessage['headers']; body: EmbeddingsBody }[]
  readonly mostAtOnce: number
  /** Answers a request another way than well; returns whether it did. */
  instead?: ((body: EmbeddingsBody, response: ServerResponse) => boolean | Promise<boolean>) | undefined
  close(): Promise<void>
}

export const SERVER_DIMENSIONS = 24

/** A vector of no meaning that depends on all of the text. */
export function madeUpVector(text: string, dimensions = SERVER_DIMENSIONS): number[] {
  let state = 2166136261
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 16777619)
  return Array.from({ length: dimensions }, () => {
    state = Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9
    return (state | 0) / 2 ** 31
  })
}

export function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): true {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
  return true
}

/** An answer in the documented shape. */
export function answer(input: string[], dimensions?: number) {
  return {
    object: 'list',
    model: 'made-up',
    data: input.map((text, index) => ({ object: 'embedding', index, embedding: madeUpVector(text, dimensions) })),
    usage: { prompt_tokens: 1, total_tokens: 1 },
  }
}

/** An OpenAI-compatible service on a port of its own. */
export async function startEmbeddingsServer(): Promise<EmbeddingsServer> {
  let now = 0
  const requests: EmbeddingsServer['requests'] = []
  const state = { mostAtOnce: 0 }
  const server = createServer(async (request, response) => {
    state.mostAtOnce = Math.max(state.mostAtOnce, ++now)
    response.on('close', () => {
      now--
    })
    let text = ''
    for await (const chunk of request) text += chunk
    const body = v.parse(requestBody, JSON.parse(text))
    requests.push({ path: request.url ?? '', headers: request.headers, body })
    if (await handle.instead?.(body, response)) return
    send(response, 200, answer(body.input, body.dimensions))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const handle: EmbeddingsServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    get mostAtOnce() {
      return state.mostAtOnce
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return handle
}
