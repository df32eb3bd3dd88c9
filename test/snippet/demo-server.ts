/** The command line's own server with the sample hotel, and a browser. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { buildSnippet } from '../../scripts/build-snippet.ts'
import { readBundles } from '../../server/snippet/bundles.ts'
import { type ServeProcess, serve } from '../cli/serve-process.ts'
import { type Browser, openChromium } from './chromium.ts'

export const PROJECT = 'tarnholm-lake-hotel'
const TOKEN = 'operator-token-of-this-test'
const sample = readFileSync(join(import.meta.dirname, '../../templates/demo/reviews.json'), 'utf8')

export interface DemoServer {
  server: ServeProcess
  browser: Browser
  /** A secret key. */
  secret: string
  operator(method: string, path: string, body: object): Promise<{ key: string }>
  close(): Promise<void>
}

/** Waits until all reviews are indexed. @param origins that may use the project's keys, besides the server's own */
export async function openDemoServer(origins: string[] = []): Promise<DemoServer> {
  const home = mkdtempSync(join(tmpdir(), 'pullquote-served-'))
  if (!readBundles()) await buildSnippet()
  const server = await serve(home, {
    env: { PULLQUOTE_HOME: join(home, 'data'), PULLQUOTE_OPERATOR_TOKEN: TOKEN, PULLQUOTE_LOG_LEVEL: 'error' },
  })
  const operator = async (method: string, path: string, body: object) => {
    const response = await fetch(`${server.url}/operator/${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    assert.ok(response.ok, await response.clone().text())
    return response.json() as Promise<{ key: string }>
  }
  await operator('POST', 'projects', { name: PROJECT, origins: [server.url, ...origins] })
  const { key: secret } = await operator('POST', 'keys', { project: PROJECT, kind: 'secret', env: 'live' })
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const reviews: unknown[] = JSON.parse(sample)
  for (let at = 0; at < reviews.length; at += 100) {
    const body = JSON.stringify(reviews.slice(at, at + 100))
    assert.is((await fetch(`${server.url}/v1/reviews`, { method: 'POST', headers, body })).status, 200)
  }
  for (let waiting = 1; waiting > 0; ) {
    await new Promise((resume) => setTimeout(resume, 100))
    waiting = (await (await fetch(`${server.url}/v1/reviews?indexed=false`, { headers })).json()).reviews.length
  }
  const browser = await openChromium()
  return {
    server,
    browser,
    secret,
    operator,
    async close() {
      await browser.close()
      await server.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
