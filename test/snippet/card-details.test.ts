import * as assert from 'uvu/assert'
import { answer, HOTEL, result } from './reviews.ts'
import { stageSuite } from './stage.ts'

const test = stageSuite('who wrote a review and where, on its card')

test('a review of no platform may name where it is from in its metadata, which is the link then', async (stage) => {
  const metadata = { platform: 'Booking.com' }
  stage.service.plan = { response: answer([result({ text: 'Fine.', source: 'custom', metadata })]) }
  const { page } = await stage.settle(stage.tag())
  assert.is(await page.locator('[part=source]').textContent(), 'Booking.com')
  assert.is(await page.getByRole('link').textContent(), 'Booking.com')
  await page.context().close()
})

test('a link says whose review it leads to, and that it opens a new tab, in the language of the labels', async (stage) => {
  stage.service.plan = { response: answer(HOTEL.slice(0, 2)) }
  const { page } = await stage.settle(stage.tag('data-lang="de"'))
  const names = await page.getByRole('link').evaluateAll((all) => all.map((node) => node.getAttribute('aria-label')))
  assert.equal(names, [
    'Google, Marta Lindqvist, öffnet einen neuen Tab',
    '3. November 2025, Jonas, öffnet einen neuen Tab',
  ])
  await page.context().close()
})

test('no platform is named for custom reviews: their date is the link', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page } = await stage.settle(stage.tag())
  const card = page.locator('li').nth(1)
  assert.is(await card.locator('[part=source]').count(), 0)
  assert.is(await card.getByRole('link').textContent(), '3 November 2025')
  await page.context().close()
})

test('what a review does not have is left out: stars, author, date, link', async (stage) => {
  const bare = result({
    text: 'Fine.',
    rating: null,
    author_name: null,
    occurred_at: null,
    url: null,
    source: 'custom',
  })
  stage.service.plan = { response: answer([bare]) }
  const { page, lines } = await stage.settle(stage.tag())
  const card = page.locator('li')
  assert.is(await card.textContent(), 'Fine.')
  assert.is(await card.locator('time, a, [part=stars], [part=avatar]').count(), 0)
  assert.equal(lines, [])
  await page.context().close()
})

test('initials are the first letters of the first and last word, in any script', async (stage) => {
  const names = ['Jonas', 'ana de la vega', '王小明', '👩‍🍳 Chef Ümit!', '😀😀', 'O’Brien-Smith', 'J.R. Tolkien']
  stage.service.plan = { response: answer(names.map((author_name) => result({ text: 'Good.', author_name }))) }
  const { page } = await stage.settle(stage.tag('data-limit="9"'))
  assert.equal(await page.locator('[part=avatar]').allTextContents(), ['J', 'AV', '王', 'CÜ', 'O', 'JT'])
  await page.context().close()
})

test('pictures are loaded with data-avatars alone, and initials stand in for one that fails', async (stage) => {
  const requested: string[] = []
  const good = `${stage.origin}/face.svg`
  stage.service.plan = {
    response: answer([
      result({ text: 'One.', author_avatar_url: good }),
      result({ text: 'Two.', author_avatar_url: `${stage.origin}/missing.png` }),
      result({ text: 'Three.', author_avatar_url: 'javascript:alert(1)' }),
    ]),
  }
  for (const attributes of ['', 'data-avatars']) {
    const { page } = await stage.settle(stage.tag(attributes), {
      before: (page) =>
        page.route('**/*.{svg,png}', (route) => {
          requested.push(route.request().url())
          const body = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
          const isGood = route.request().url() === good
          return route.fulfill(isGood ? { contentType: 'image/svg+xml', body } : { status: 404 })
        }),
    })
    if (attributes) await page.locator('li').nth(1).locator('span[part=avatar]').waitFor()
    const pictures = await page.locator('img').count()
    assert.is(pictures, attributes ? 1 : 0)
    assert.is(await page.locator('span[part=avatar]').count(), attributes ? 2 : 3)
    if (!attributes) assert.equal(requested, [])
    await page.context().close()
  }
})

test.run()
