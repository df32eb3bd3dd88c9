import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { closeAtEnd, isShared } from '../shared.ts'
import { launchFirefox, noFirefox } from './firefox.ts'

/** Debian's packages of these names. The shell has no windows to draw, and needs half of the processor time. */
const FOUND = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path))
/** `PULLQUOTE_TEST_BROWSER=firefox`: the same tests in another browser, of which CI has none. */
const IS_FIREFOX = process.env.PULLQUOTE_TEST_BROWSER === 'firefox'
const EXECUTABLE = process.env.PULLQUOTE_CHROMIUM ?? FOUND ?? '/usr/bin/chromium-headless-shell'

/** Why the browser's tests can't run here; absent when they can. In CI a missing browser is a failure, not a reason. */
export const noChromium = IS_FIREFOX
  ? noFirefox
  : existsSync(EXECUTABLE) || process.env.CI
    ? undefined
    : `${EXECUTABLE} is missing: apt-get install chromium-headless-shell`

export interface Browser {
  context(options?: Parameters<typeof chromium.launchPersistentContext>[1]): Promise<BrowserContext>
  close(): Promise<void>
}

let kept: Awaited<ReturnType<typeof launch>> | undefined

/** A headless Chromium with an empty profile; test files of one process share it, and each closes its own contexts. */
export async function openChromium(): Promise<Browser> {
  const { browser, close } = kept?.browser.isConnected() ? kept : await (IS_FIREFOX ? launchFirefox() : launch())
  if (isShared() && kept?.browser !== browser) {
    kept = { browser, close }
    closeAtEnd(close)
  }
  const contexts: BrowserContext[] = []
  return {
    async context(options) {
      const context = await browser.newContext(options)
      contexts.push(context)
      return context
    },
    async close() {
      if (browser === kept?.browser) await Promise.all(contexts.map((context) => context.close()))
      else await close()
    },
  }
}

async function launch() {
  const profile = mkdtempSync(join(tmpdir(), 'pullquote-chromium-'))
  const browser = await chromium.launch({
    executablePath: EXECUTABLE,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-dev-shm-usage',
      `--crash-dumps-dir=${profile}`,
    ],
    env: { ...process.env, HOME: profile, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile } as Record<string, string>,
  })
  return {
    browser,
    async close() {
      await browser.close()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}
