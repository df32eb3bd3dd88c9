import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, firefox } from 'playwright-core'
import * as v from 'valibot'

/** Debian's package of this name; Mozilla's own browser, which playwright-core drives by WebDriver BiDi. */
const EXECUTABLE = process.env.PULLQUOTE_FIREFOX ?? '/usr/bin/firefox-esr'

/** Why the tests can't run in it; absent when they can. */
export const noFirefox = existsSync(EXECUTABLE) ? undefined : `${EXECUTABLE} is missing: apt-get install firefox-esr`

const UNKNOWN = 'emulation.setMediaFeaturesOverride'
const sender = v.object({ send: v.function() })

/**
 * Firefox with an empty profile: one that is light and, for contexts with `colorScheme: 'dark'`, another. It does not know
 * the command by which a page is told the reader's colours or put on paper, so that tests which change these fail in it.
 */
export async function launchFirefox(): Promise<{ browser: Browser; close(): Promise<void> }> {
  const profile = mkdtempSync(join(tmpdir(), 'pullquote-firefox-'))
  const launch = async (scheme: 'light' | 'dark') => {
    const browser = await firefox.launch({
      channel: 'moz-firefox',
      executablePath: EXECUTABLE,
      firefoxUserPrefs: { 'layout.css.prefers-color-scheme.content-override': scheme === 'dark' ? 0 : 1 },
      env: { ...process.env, HOME: profile, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile } as Record<
        string,
        string
      >,
    })
    leaveOutUnknown(browser)
    return browser
  }
  const light = await launch('light')
  let dark: Promise<Browser> | undefined
  const newContext = light.newContext.bind(light)
  light.newContext = async (options?: BrowserContextOptions) => {
    if (options?.colorScheme !== 'dark') return newContext(options)
    dark ??= launch('dark')
    return (await dark).newContext(options)
  }
  return {
    browser: light,
    async close() {
      await light.close()
      await (await dark)?.close()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

/** Answers the command that it does not know, which each new context sends, in its place. Nothing public leads there. */
function leaveOutUnknown(browser: Browser): void {
  const connection = Reflect.get(browser, '_connection')
  const session = Reflect.get(connection.toImpl(browser), '_browserSession')
  const prototype = Reflect.getPrototypeOf(session)
  const { send } = v.parse(sender, { send: Reflect.get(prototype ?? {}, 'send') })
  Object.assign(prototype ?? {}, {
    send(this: unknown, method: string, ...rest: unknown[]) {
      return method === UNKNOWN ? Promise.resolve({}) : Reflect.apply(send, this, [method, ...rest])
    },
  })
}
