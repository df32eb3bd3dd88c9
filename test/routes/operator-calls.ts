/** Requests with the operator's token, by one of the transports. */
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { assertConventions, assertRateLimitHeaders } from '../http/answers.ts'
import { OPERATOR_TOKEN } from '../http/service.ts'
import type { Transports } from '../http/transport.ts'
import { project } from './operator-answers.ts'

/** @param transports may be filled later, before the first call */
export function operatorCalls(name: keyof Transports, transports: Transports) {
  const call = (method: string, path: string, body?: unknown, token = OPERATOR_TOKEN) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    return transports[name].send({
      method,
      path,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }
  const unique = (title: string) => `${title} ${name} ${Math.random()}`
  /** Makes a project and returns the answer. */
  const make = async (body: object) => {
    const response = await call('POST', '/operator/projects', body)
    assert.is(response.status, 201, await response.clone().text())
    assertConventions(response, 'create')
    assertRateLimitHeaders(response, undefined, 'create')
    return v.parse(project, await response.json())
  }
  return { call, unique, make }
}
