/** The console's views, and the pages beside it (the first one, the documentation, the demo): for axe, and in a narrow window. */
import * as assert from 'uvu/assert'
import { PROJECT } from '../sample-home.ts'
import { consoleSuite, picture, violations } from './console-stage.ts'

const test = consoleSuite("the console's views and the server's pages")

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

const SIZES = [
  [375, 'light'],
  [375, 'dark'],
  [1280, 'light'],
  [1280, 'dark'],
] as const
for (const [width, colorScheme] of SIZES) {
  test(`every view at ${width} pixels, ${colorScheme}: nothing for axe, nothing beside the window`, async (stage) => {
    const { page, lines } = await stage.visit('search?q=breakfast', { viewport: { width, height: 800 }, colorScheme })
    for (const [path, ready] of [
      ['search?q=breakfast', '.results > li'],
      ['asked', 'main .view > *'],
      ['reviews', '.reviews > li'],
      ['settings', '.settings'],
      ['tag', '.preview .cards'],
    ] as const) {
      await page.evaluate((hash) => {
        location.hash = hash
      }, `#/${path}`)
      await page.locator(ready).first().waitFor()
      assert.equal(await violations(page), [], path)
      const beside = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.ok(beside <= 0, `${path}: ${beside} pixels beside the window`)
      await picture(page, `${path.split('?')[0]}-${width}-${colorScheme}`)
    }
    assert.equal(lines, [])
  })
}

test.run()
