import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { answer, HOTEL } from './reviews.ts'
import { stageSuite, untilLine } from './stage.ts'

const test = stageSuite('a slow network, or none')

const parts = (page: Page) => ({
  cards: page.locator('[part=card]'),
  quotes: () => page.locator('blockquote').allTextContents(),
})

test('on a slow network the page is whole before the reviews come, and they come', async (stage) => {
  stage.service.plan = { response: answer(HOTEL), delay: 1500 }
  const { page, lines } = await stage.visit(`<h1>Food</h1>${stage.tag()}<p id="below">below</p>`)
  assert.is(await page.locator('#below').isVisible(), true)
  assert.is(await parts(page).cards.count(), 0)
  await parts(page).cards.first().waitFor()
  assert.equal(lines, [])
  await page.context().close()
})

test('offline: a line in the console and nothing on the page; back online, the next route asks again', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page, lines } = await stage.settle(`<h1>Food</h1>${stage.tag()}`)
  await page.context().setOffline(true)
  const goTo = (title: string) =>
    page.evaluate((text) => {
      const heading = document.querySelector('h1')
      if (heading) heading.textContent = text
      return window.pullquote?.refresh()
    }, title)
  await goTo('Beds')
  await untilLine(lines, /\[pullquote\] no answer of http[^ ,]+$/)
  assert.is(await parts(page).cards.count(), 0)
  assert.is(lines.filter((line) => line.startsWith('[pullquote]')).length, 1)
  await page.context().setOffline(false)
  await goTo('Sauna')
  await parts(page).cards.first().waitFor()
  await page.context().close()
})

test('a page that the browser stopped in the middle of a request, for the back/forward cache or with a phone, asks again when it goes on', async (stage) => {
  stage.service.plan = { response: answer(HOTEL), delay: 60_000 }
  const { page, lines } = await stage.visit(`<h1>Food</h1>${stage.tag()}`, {
    before: (page) =>
      page.addInitScript(() => {
        AbortSignal.timeout = () => {
          const ending = new AbortController()
          addEventListener('resume', () => ending.abort(new DOMException('signal timed out', 'TimeoutError')))
          return ending.signal
        }
      }),
  })
  while (!stage.service.queries[0]) await page.waitForTimeout(20)
  stage.service.plan = { response: answer(HOTEL) }
  // The clock went on meanwhile, and the time limit passes at once.
  await page.clock.setSystemTime(Date.now() + 60_000)
  await page.evaluate(() => dispatchEvent(new Event('resume')))
  await parts(page).cards.first().waitFor()
  assert.is(stage.service.queries.length, 2)
  assert.equal(lines, [])
  await page.context().close()
})

test.run()
