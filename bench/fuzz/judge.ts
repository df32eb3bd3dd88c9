/** Whether an answer is one that the description and the contract allow. */
import * as v from 'valibot'
import { ERROR_STATUS, errorEnvelope } from '../../src/contract/errors.ts'
import type { Answer } from './http.ts'

const WITHOUT_BODY = new Set([204, 304])

/**
 * @param statuses what the description names; `undefined`: any of the contract
 * @returns what is wrong, in a few words that are the same for the same fault; `undefined`: nothing
 */
export function judged(answer: Answer, method: string, statuses?: ReadonlySet<number>): string | undefined {
  const { status, headers, body } = answer
  if (status === 500) return '500'
  const id = headers['x-request-id']
  if (typeof id !== 'string' || !/^[A-Za-z0-9._:-]{1,128}$/.test(id)) return `${status} without x-request-id`
  if (status < 400) {
    return statuses && !statuses.has(status) ? `status ${status} is not described` : undefined
  }
  if (method === 'HEAD' || WITHOUT_BODY.has(status)) return undefined
  const error = envelopeOf(body)
  if (!error) return `${status} without the envelope`
  if (ERROR_STATUS[error.code] !== status) return `${status} says ${error.code}`
  if (error.request_id !== id) return `${status} with another id in its envelope`
  if (status === 503 && !(Number(headers['retry-after']) >= 1)) return '503 without Retry-After'
  // Too much at once and a path that names nothing: any operation may meet them.
  if (statuses && !statuses.has(status) && status !== 404 && status !== 503) return `status ${status} is not described`
  return undefined
}

function envelopeOf(body: Buffer) {
  try {
    const { error } = v.parse(v.looseObject({ error: v.unknown() }), JSON.parse(body.toString()))
    const checked = v.safeParse(errorEnvelope, { error })
    return checked.success ? checked.output.error : undefined
  } catch {
    return undefined
  }
}
