import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'

const EXECUTABLE = process.env.PULLQUOTE_CHROMIUM ?? '/usr/bin/chromium'

/** Why the browser's tests can't run here; absent when they can. In CI a missing browser is a failure, not a reason. */
export const noChromium =
  existsSync(EXECUTABLE) || process.env.CI ? undefined : `${EXECUTABLE} is missing: apt-get install chromium`

export interface Browser {
  context(options?: Parameters<typeof chromium.launchPersistentContext>[1]): Promise<BrowserContext>
  close(): Promise<void>
}

/** A headless Chromium with an empty profile. */
export async function openChromium(): Promise<Browser> {
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
    context: (options) => browser.newContext(options),
    async close() {
      await browser.close()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}
