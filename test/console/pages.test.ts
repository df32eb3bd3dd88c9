/** The pages beside the console: the first one, the documentation, the demo. */
import * as assert from 'uvu/assert'
import { consoleSuite, PROJECT, picture, violations } from './console-stage.ts'

const test = consoleSuite("the server's pages")

const PATHS = ['/', '/docs', '/docs/import', '/docs/scaling', '/docs/errors', '/demo', '/demo/sauna']
for (const [width, colorScheme] of [
  [375, 'dark'],
  [1440, 'light'],
] as const) {
  test(`every page at ${width} pixels, ${colorScheme}: nothing for axe, nothing beside the window`, async (stage) => {
    await stage.operator.setProject(PROJECT, { origins: [stage.server.url] })
    const { page, lines } = await stage.stranger({ viewport: { width, height: 800 }, colorScheme })
    for (const path of PATHS) {
      await page.goto(stage.server.url + path)
      if (path.startsWith('/demo')) await page.locator('pullquote-reviews').filter({ hasText: 'Showing' }).waitFor()
      assert.equal(await violations(page), [], path)
      const beside = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.is(beside, 0, path)
      await picture(page, `${path.slice(1).replace('/', '-') || 'home'}-${width}-${colorScheme}`)
    }
    assert.equal(lines, [])
  })
}

test('every page of the documentation says in the list what it is for', async (stage) => {
  const { page } = await stage.stranger()
  await page.goto(`${stage.server.url}/docs`)
  const unexplained = await page
    .locator('.pages li')
    .evaluateAll((items) => items.filter((item) => !item.querySelector('span')?.textContent).length)
  assert.is(unexplained, 0)
})

test('a demo whose origin is refused says so once, and not that the server is down', async (stage) => {
  await stage.operator.setProject(PROJECT, { origins: [] })
  const { page } = await stage.stranger()
  await page.goto(`${stage.server.url}/demo`)
  await page.locator('#said', { hasText: 'No reviews: ' }).waitFor()
  assert.not.match((await page.locator('main').textContent()) ?? '', /did not answer/)
})

test.run()
