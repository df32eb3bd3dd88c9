/**
 * What was found in Firefox and in WebKit, as far as Chromium can be made to do the same. `PULLQUOTE_TEST_BROWSER=firefox`
 * runs this file and the others of this folder in Firefox itself.
 */
import * as assert from 'uvu/assert'
import { takeLaterFunctions } from './later-than-promised.ts'
import { answer, HOTEL } from './reviews.ts'
import { stageSuite } from './stage.ts'

const test = stageSuite('the snippet in other browsers')

test('without what came after the promised versions the cards stand as ever', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page, lines } = await stage.settle(stage.tag('data-lang="de" data-note="Selected"'), {
    before: (page) => page.addInitScript(takeLaterFunctions),
  })
  const card = page.locator('[part=card]').first()
  assert.is(await page.locator('[part=card]').count(), 3)
  assert.is(await card.evaluate((node) => getComputedStyle(node).borderTopLeftRadius), '14px')
  assert.equal(lines, [])
  await page.context().close()
})

for (const [colours, theme] of [
  ['color: #222; background: #fff', 'light'],
  ['color: #eee; background: #111', 'dark'],
] as const) {
  test(`where a canvas reads as noise, as in Tor Browser, "${colours}" has ${theme} cards each time`, async (stage) => {
    stage.service.plan = { response: answer(HOTEL) }
    for (let visits = 0; visits < 6; visits++) {
      const { page } = await stage.settle(`<style>body { ${colours} }</style>${stage.tag()}`, {
        before: (page) =>
          page.addInitScript(() => {
            const read = CanvasRenderingContext2D.prototype.getImageData
            CanvasRenderingContext2D.prototype.getImageData = function (...place) {
              const image = read.apply(this, place)
              crypto.getRandomValues(image.data)
              // One number of noise is what it should be now and then.
              image.data[0] = 0
              return image
            }
          }),
      })
      const shown = await page.locator('ul').evaluate((list) => list.parentElement?.className || 'light')
      assert.is(shown, theme)
      await page.context().close()
    }
  })
}

test('the language of the page reaches the quotations, whose marks WebKit chooses by it', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page } = await stage.settle(`<html lang="de"><title>x</title><body><q>x</q>${stage.tag()}</body></html>`)
  const localeOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((node) => getComputedStyle(node).getPropertyValue('-webkit-locale'))
  assert.is(await localeOf('[part=quote]'), await localeOf('body > q'))
  await page.context().close()
})

test('on a page of the other direction a quotation has its own side, and the name stays beside the picture', async (stage) => {
  const [first] = HOTEL
  if (!first) throw new Error('no review')
  const text = 'ארוחת הבוקר הייתה נהדרת.'
  const hebrew = {
    ...first,
    excerpt: text,
    highlight: { start: 0, end: text.length },
    review: { ...first.review, text, author_name: 'דנה לוי' },
  }
  stage.service.plan = { response: answer([hebrew, ...HOTEL.slice(1)]) }
  const { page } = await stage.settle(stage.tag('data-layout="list"'))
  const toTheRight = await page
    .locator('[part=quote]')
    .first()
    .evaluate((quote) => {
      const words = document.createRange()
      words.selectNodeContents(quote)
      const [line] = words.getClientRects()
      return quote.getBoundingClientRect().right - (line?.right ?? 0)
    })
  assert.ok(toTheRight < 20, `${toTheRight} pixels`)
  const leftOf = (part: string) =>
    page
      .locator(`[part=${part}]`)
      .first()
      .evaluate((node) => {
        const words = document.createRange()
        words.selectNodeContents(node)
        return words.getBoundingClientRect().left
      })
  assert.is(Math.round(await leftOf('author')), Math.round(await leftOf('meta')), 'a name stays beside its picture')
  await page.context().close()
})

test.run()
