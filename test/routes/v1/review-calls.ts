/** Requests about reviews, by one of the transports. */
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { listResponse, pushResponse } from '../../../src/contract/review.ts'
import type { TestService } from '../../http/service.ts'
import type { Sent, Transports } from '../../http/transport.ts'

/** @param service and @param transports may be filled later, before the first call */
export function reviewCalls(name: keyof Transports, service: TestService, transports: Transports) {
  const call = (key: string, path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const sent: Sent = { method, path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    return transports[name].send(sent)
  }
  const push = async (key: string, body: unknown) => {
    const response = await call(key, '/v1/reviews', body)
    assert.is(response.status, 200)
    return v.parse(pushResponse, await response.json())
  }
  const list = async (key: string, search = '') => {
    const response = await call(key, `/v1/reviews${search}`)
    assert.is(response.status, 200, search)
    return v.parse(listResponse, await response.json())
  }
  const freshKeys = async () => {
    const project = await service.makeProject(`${name} ${Math.random()}`)
    return {
      project,
      live: await service.makeKey(project, 'secret', 'live'),
      test: await service.makeKey(project, 'secret', 'test'),
    }
  }
  return { call, push, list, freshKeys }
}
