/** The console in browsers as old as its page promises, in one that keeps nothing for it, and beside a scroll bar. */
import * as assert from 'uvu/assert'
import { takeLaterFunctions } from '../snippet/later-than-promised.ts'
import { consoleSuite } from './console-stage.ts'

const test = consoleSuite('the console in other browsers')

test('without what came after the promised versions it signs in, searches, tries an import and adds an origin', async (stage) => {
  const { page, lines } = await stage.stranger()
  await page.addInitScript(takeLaterFunctions)
  await page.goto(await stage.link())
  await page.locator('nav a').first().waitFor()
  assert.is(await page.evaluate(() => 'any' in AbortSignal || 'canParse' in URL), false)

  await page.getByLabel('What a visitor searches for').fill('breakfast')
  await page.getByLabel('What a visitor searches for').press('Enter')
  await page.locator('.results > li').first().waitFor()

  await page.getByRole('link', { name: 'Reviews' }).click()
  const file = {
    name: 'one.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('text,date,rating\n"The jetty was swept.",2026-11-03,5\n'),
  }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('button', { name: 'Import into live' }).waitFor()
  await page.getByLabel('Search reviews').fill('no review says this')
  await page.getByText('No reviews match these filters.').waitFor()
  assert.match(page.url(), /#\/reviews\?q=no\+review/)

  await page.getByRole('link', { name: 'Tag' }).click()
  await page.getByLabel('Add a site').fill('https://older.example/rooms')
  await page.getByLabel('Add a site').press('Enter')
  await page.locator('.origins').getByText('https://older.example', { exact: true }).waitFor()
  assert.equal(lines, [])
})

test('where cookies and site data are blocked it says so, and signs in once they are allowed', async (stage) => {
  const { page, lines } = await stage.stranger()
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'] as const) {
      const kept = window[name]
      Object.defineProperty(window, name, {
        get() {
          if (!Reflect.get(window, 'isAllowed')) throw new DOMException('The operation is insecure.', 'SecurityError')
          return kept
        },
      })
    }
  })
  await page.goto(await stage.link())
  await page.getByText('Allow cookies and site data').waitFor()
  await page.evaluate(() => Object.assign(window, { isAllowed: true }))
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('nav a').first().waitFor()
  assert.equal(lines, [])
})

test('head, tabs and content begin at the same edge, also where a scroll bar takes room from them', async (stage) => {
  const { page } = await stage.visit('health', { viewport: { width: 1440, height: 700 } })
  // Chromium's test has no scroll bar.
  await page.evaluate(() => {
    document.documentElement.style.paddingRight = '16px'
  })
  const left = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((node) => node.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(node).paddingLeft))
  assert.is(await left('.brand'), await left('h1'))
  assert.is(await left('nav a'), await left('h1'))
})

test.run()
