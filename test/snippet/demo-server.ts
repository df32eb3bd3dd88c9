/** The command line's own server with the sample hotel, and a browser. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSnippet } from '../../scripts/build-snippet.ts'
import { readBundles } from '../../server/snippet/bundles.ts'
import { PROJECT, type SampleServer, serveSample } from '../sample-home.ts'
import { type Browser, openChromium } from './chromium.ts'

export interface DemoServer {
  server: SampleServer
  browser: Browser
  close(): Promise<void>
}

/** @param origins that may use the project's keys, besides the server's own */
export async function openDemoServer(origins: string[] = []): Promise<DemoServer> {
  const home = mkdtempSync(join(tmpdir(), 'pullquote-served-'))
  if (!readBundles()) await buildSnippet()
  const server = await serveSample(home)
  await server.operator.setProject(PROJECT, { plan: 'free', origins: [server.url, ...origins] })
  const browser = await openChromium()
  return {
    server,
    browser,
    async close() {
      await browser.close()
      await server.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
