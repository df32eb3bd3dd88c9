/** A server with a project, behind a proxy that ends TLS. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { readConfig } from '../../server/config.ts'
import { type RunningServer, startServer } from '../../server/start.ts'
import { copyTemplateInto, silent } from '../database.ts'
import { certificate, HOST, type RunningProxy } from './proxies.ts'

export const OPERATOR_TOKEN = 'operator-token-of-the-proxy-tests'
const createdKey = v.object({ key: v.string() })

export interface Sent {
  method?: string
  path: string
  headers?: Record<string, string>
  /** A list is sent chunked. */
  body?: string | string[]
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
  /** When each piece of the body came, in milliseconds since the request began. */
  times: number[]
}

export interface BehindProxy {
  server: RunningServer
  secret: string
  publishable: string
  newProject(name: string, origins: string[]): Promise<void>
  /** Of the project `hotel`, unless another is named. */
  newKey(kind: string, project?: string): Promise<string>
  /** To the proxy. */
  send(request: Sent): Promise<Answer>
  close(): Promise<void>
}

export async function openBehindProxy(
  start: (folder: string, upstream: string) => Promise<RunningProxy>,
  { origins, env = {} }: { origins: string[]; env?: Record<string, string> },
): Promise<BehindProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'pullquote-proxy-'))
  const home = join(folder, 'home')
  const ca = await readFile(certificate(folder).cert, 'utf8')
  await copyTemplateInto(home)
  const settings = { PULLQUOTE_HOME: home, PULLQUOTE_PORT: '0', PULLQUOTE_OPERATOR_TOKEN: OPERATOR_TOKEN }
  const server = await startServer(readConfig({ ...settings, PULLQUOTE_PUBLIC_URL: `https://${HOST}`, ...env }), {
    log: silent,
  })
  const proxy = await start(folder, new URL(server.url).host)

  async function operator(path: string, body: object): Promise<unknown> {
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' }
    const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    assert.is(response.status, 201)
    return response.json()
  }
  const newKey = async (kind: string, project = 'hotel') =>
    v.parse(createdKey, await operator('/operator/keys', { project, kind, env: 'live' })).key
  const newProject = async (name: string, origins: string[]) => {
    await operator('/operator/projects', { name, origins })
  }

  await newProject('hotel', origins)
  return {
    server,
    secret: await newKey('secret'),
    publishable: await newKey('publishable'),
    newProject,
    newKey,
    send: ({ method = 'GET', path, headers = {}, body }) =>
      new Promise((resolve, reject) => {
        const began = performance.now()
        const to = { host: '127.0.0.1', port: proxy.port, servername: HOST, ca, method, path }
        const length = typeof body === 'string' ? { 'content-length': String(Buffer.byteLength(body)) } : {}
        const asked = request({ ...to, headers: { host: HOST, ...length, ...headers } }, (response) => {
          const times: number[] = []
          const chunks: Buffer[] = []
          response.on('data', (chunk) => {
            times.push(performance.now() - began)
            chunks.push(chunk)
          })
          response.on('end', () => {
            const bytes = Buffer.concat(chunks)
            const { statusCode: status = 0, headers } = response
            resolve({ status, headers, bytes, text: bytes.toString(), times })
          })
          response.on('error', reject)
        })
        asked.on('error', reject)
        for (const part of typeof body === 'string' ? [body] : (body ?? [])) asked.write(part)
        asked.end()
      }),
    async close() {
      await proxy.stop()
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
