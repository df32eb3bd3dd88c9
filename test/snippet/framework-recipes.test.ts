/** The recipes for Next.js and Astro, as they are written, in the frameworks themselves. */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { noChromium } from './chromium.ts'
import { KEY } from './fake-service.ts'
import {
  claimFolder,
  frameworkFolder,
  installFramework,
  removeSite,
  type Site,
  serveSite,
  writeRecipe,
} from './framework-site.ts'
import { answer, result } from './reviews.ts'
import { type Opened, Stage } from './stage.ts'

const echo = (url: URL) => answer([result({ text: `About ${url.searchParams.get('q')}.` })])

const FRAMEWORKS = [
  {
    name: 'next',
    packages: ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1'],
    recipe: 'nextjs.md',
    // As it is deployed.
    build: ['node_modules/next/dist/bin/next', 'build'],
    serve: (port: string) => ['node_modules/next/dist/bin/next', 'start', '--hostname', '127.0.0.1', '--port', port],
    asks: ['sauna', 'breakfast'],
  },
  {
    name: 'astro',
    packages: ['astro@5.18.2'],
    recipe: 'astro.md',
    build: ['node_modules/astro/astro.js', 'build'],
    serve: (port: string) => ['node_modules/astro/astro.js', 'preview', '--host', '127.0.0.1', '--port', port],
    asks: ['sauna', 'breakfast'],
  },
]

for (const { name, packages, recipe, build, serve, asks } of FRAMEWORKS) {
  const test = suite(`the recipe for ${name}`)
  const { folder, missing = noChromium } = frameworkFolder(name, packages)
  const title = 'reviews stand after hydration, and follow a change of route without a load'
  if (missing !== undefined) {
    test.skip(title, missing)
    test.run()
    continue
  }
  let stage: Stage
  let site: Site | undefined
  let giveBack: (() => void) | undefined
  test.before(async () => {
    stage = await Stage.open()
    giveBack = await claimFolder(folder)
    await installFramework(folder, name, packages)
    const service: [string, string] = ['https://reviews.example.com', stage.service.origin]
    writeRecipe(folder, recipe, [service, ['svc_pk_live_YOUR_PUBLISHABLE_KEY', KEY]])
    const { execa } = await import('execa')
    const env = { NEXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' }
    await execa(process.execPath, build, { cwd: folder, env, timeout: 240_000 })
    site = await serveSite(folder, serve, '/rooms/sauna')
  })
  test.after(async () => {
    await site?.stop()
    await stage?.close()
    if (giveBack) removeSite(folder)
    giveBack?.()
  })

  test(title, async () => {
    stage.service.plan = { response: echo }
    const opened: Opened = await stage.browse(`${site?.origin}/rooms/sauna`)
    const { page, lines } = opened
    await page.getByText(`About ${asks[0]}.`).waitFor()
    await page.evaluate(() => Object.assign(window, { sameDocument: true }))
    await page.getByRole('link', { name: 'Breakfast' }).click()
    await page.getByText(`About ${asks[1]}.`).waitFor()
    assert.is(await page.evaluate(() => Reflect.get(window, 'sameDocument')), true, 'the page was loaded anew')
    assert.is(await page.locator('blockquote').count(), 1)
    // Back, as a reader would.
    await page.goBack()
    await page.getByText(`About ${asks[0]}.`).waitFor()
    assert.is(await page.locator('script[src*="snippet.js"]').count(), 1)
    assert.equal(
      lines.filter((line) => /error|hydrat|mismatch|\[pullquote\]/i.test(line)),
      [],
    )
    await page.context().close()
  })

  test.run()
}
