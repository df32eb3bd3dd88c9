import type { ErrorEnvelope } from '../src/contract/errors.ts'
import type { QueryResponse } from '../src/contract/query.ts'

/** What came of a request; `status` is 0 and `requestId` is not known where the browser hides the response from the page. */
export interface Answer {
  status: number
  requestId: string | null
  response?: QueryResponse
  /** Why there is no response. */
  code?: string
  message?: string
}

const TIMEOUT_MS = 10_000
const underWay = new Map<string, Promise<Answer>>()

/** Asks the service; blocks that ask the same at the same time share one request. Never rejects: a failure is an answer too. */
export function ask(url: string, init: RequestInit): Promise<Answer> {
  const id = url + init.body
  const answer = underWay.get(id) ?? request(url, init).finally(() => underWay.delete(id))
  underWay.set(id, answer)
  return answer
}

async function request(url: string, init: RequestInit): Promise<Answer> {
  const answer: Answer = { status: 0, requestId: 'unknown' }
  try {
    const reply = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
    answer.status = reply.status
    answer.requestId = reply.headers.get('x-request-id')
    const body: QueryResponse & ErrorEnvelope = await reply.json()
    if (reply.ok && body.results.length >= 0) return { ...answer, response: body }
    const { code, message, details = [] } = body.error
    return { ...answer, code, message: [message, ...details.map(({ path }) => path)].join(', ') }
  } catch (error) {
    const hint = answer.status ? '' : `, is ${location.origin} an allowed origin?`
    return { ...answer, code: 'no_answer', message: error + hint }
  }
}
