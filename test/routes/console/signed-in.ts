import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { OPERATOR_TOKEN } from '../../http/service.ts'
import type { Transport } from '../../http/transport.ts'

const signedIn = v.looseObject({
  token: v.string(),
  operator: v.boolean(),
  projects: v.array(v.object({ id: v.string(), name: v.string() })),
})
const link = v.looseObject({ id: v.string(), path: v.string() })

/** Somebody at a page of the console. */
export interface Visitor {
  cookie: string
  token: string
  linkId: string
  projects: { id: string; name: string }[]
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
}

export async function operatorCall(transport: Transport, method: string, path: string, body?: unknown) {
  return transport.send({
    method,
    path,
    headers: {
      authorization: `Bearer ${OPERATOR_TOKEN}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** @returns the link's secret, and its id */
export async function newLink(transport: Transport, fields: object = {}): Promise<{ id: string; secret: string }> {
  const response = await operatorCall(transport, 'POST', '/operator/console-links', fields)
  assert.is(response.status, 201, await response.clone().text())
  const { id, path } = v.parse(link, await response.json())
  return { id, secret: path.replace('/console#sign-in=', '') }
}

export function enterBy(transport: Transport, secret: string, headers: Record<string, string> = {}) {
  return transport.send({
    method: 'POST',
    path: '/console/api/sign-in',
    headers: { 'content-type': 'application/json', origin: transport.url, ...headers },
    body: JSON.stringify({ link: secret }),
  })
}

/** Signs in as the operator, or with `{ project }` as its owner. */
export async function signIn(transport: Transport, fields: object = {}): Promise<Visitor> {
  const { id, secret } = await newLink(transport, fields)
  const response = await enterBy(transport, secret)
  assert.is(response.status, 200, await response.clone().text())
  const { token, projects } = v.parse(signedIn, await response.json())
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  return {
    cookie,
    token,
    linkId: id,
    projects,
    send: (method, path, body, headers = {}) =>
      transport.send({
        method,
        path: `/console/api/${path}`,
        headers: {
          cookie,
          'x-pullquote-console': token,
          ...(method === 'GET' ? {} : { origin: transport.url }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  }
}
