import * as assert from 'uvu/assert'
import { answer, HOTEL, result } from './reviews.ts'
import { stageSuite } from './stage.ts'

const test = stageSuite('what the snippet shows')

test('stars with a text alternative, quotation, initials, author, date, platform and link', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page } = await stage.settle(stage.tag())
  const card = page.locator('pullquote-reviews li').first()
  const stars = card.getByRole('img', { name: '5 out of 5 stars' })
  assert.is(await stars.count(), 1)
  assert.is(await page.locator('[part=stars]').nth(1).textContent(), '★★★★☆')
  assert.match((await card.locator('blockquote').textContent()) ?? '', /^We came in late .* whole lake\.$/)
  assert.is(await card.locator('[part=avatar]').textContent(), 'ML')
  assert.is(await card.locator('[part=author]').textContent(), 'Marta Lindqvist')
  assert.is(await card.locator('time').textContent(), '12 May 2026')
  assert.is(await card.locator('time').getAttribute('datetime'), '2026-05-12T00:00:00.000Z')
  const link = card.getByRole('link', { name: 'Google' })
  assert.is(await link.getAttribute('href'), 'https://reviews.example/1')
  assert.is(await link.getAttribute('rel'), 'nofollow noopener')
  assert.is(await page.locator('pullquote-reviews li').count(), 3)
  await page.context().close()
})

test('the excerpt is marked within its sentence when the text is there', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page } = await stage.settle(stage.tag())
  assert.equal(await page.locator('mark').allTextContents(), [HOTEL[0]?.excerpt, HOTEL[2]?.excerpt])
  await page.context().close()
})

test('a long review is shown around its excerpt, with dots where it was cut', async (stage) => {
  const filler = 'The weather was mixed and we read a lot on the balcony, which has a roof. '.repeat(8)
  const text = `${filler}The soup of the day was the best we ever had. ${filler}`
  stage.service.plan = {
    response: answer([result({ text, excerpt: 'The soup of the day was the best we ever had.' })]),
  }
  const { page } = await stage.settle(stage.tag())
  const shown = (await page.locator('blockquote').textContent()) ?? ''
  assert.match(shown, /^… .*The soup of the day .* …$/)
  assert.ok(shown.length < 300, `${shown.length}`)
  await page.context().close()
})

test('without the text, or with offsets that are not the excerpt, the excerpt alone is shown', async (stage) => {
  const [first] = HOTEL
  if (!first) throw new Error('no sample')
  const { text: _, ...review } = first.review
  const shifted = { ...first, highlight: { start: 3, end: 9 }, review: { ...first.review, id: 'another' } }
  stage.service.plan = { response: answer([{ ...first, review }, shifted]) }
  const { page } = await stage.settle(stage.tag())
  assert.equal(await page.locator('blockquote').allTextContents(), [first.excerpt, first.excerpt])
  assert.is(await page.locator('mark').count(), 0)
  await page.context().close()
})

test('data-mode="reviews" shows whole reviews, a long one in a card that scrolls by keyboard', async (stage) => {
  const long = `${'We sat by the fire and talked. '.repeat(80)}The end.`
  stage.service.plan = { response: answer([...HOTEL, result({ text: long, excerpt: 'The end.' })]) }
  const { page } = await stage.settle(stage.tag('data-mode="reviews"'))
  const quotes = page.locator('blockquote')
  assert.is(await quotes.first().textContent(), HOTEL[0]?.review.text)
  assert.is(await quotes.last().textContent(), long)
  assert.is(await quotes.last().getAttribute('tabindex'), '0')
  assert.is(await quotes.first().getAttribute('tabindex'), null)
  const box = await quotes.last().boundingBox()
  assert.ok(box && box.height < 500)
  await page.context().close()
})

test('of two excerpts of one review the better one is shown', async (stage) => {
  const [first, second] = HOTEL
  if (!first || !second) throw new Error('no sample')
  const again = { ...first, excerpt: 'We came in late after a long drive.', highlight: { start: 0, end: 35 } }
  stage.service.plan = { response: answer([first, again, second]) }
  const { page } = await stage.settle(stage.tag())
  assert.is(await page.locator('li').count(), 2)
  assert.is(await page.locator('mark').first().textContent(), first.excerpt)
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
  const { page } = await stage.settle(stage.tag())
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

test('fallback and recent rows look the same, without a mark', async (stage) => {
  const rows = HOTEL.map((row) => ({ ...row, matched: false, score: null, highlight: null }))
  stage.service.plan = { response: answer(rows, { match: 'fallback' }) }
  const { page, events } = await stage.settle(stage.tag('data-fallback="recent"'))
  assert.is(await page.locator('li').count(), 3)
  assert.is(await page.locator('mark').count(), 0)
  assert.is(events[0]?.detail.response?.match, 'fallback')
  await page.context().close()
})

test('the look can be changed by custom properties and parts from the page', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page } = await stage.settle(
    `<style>
       pullquote-reviews { --pullquote-accent: rgb(1, 2, 3); --pullquote-background: rgb(4, 5, 6); --pullquote-radius: 1px }
       pullquote-reviews::part(quote) { font-style: italic }
       pullquote-reviews::part(author) { color: rgb(7, 8, 9) }
     </style>${stage.tag()}`,
  )
  const style = (part: string, property: string) =>
    page
      .locator(`[part=${part}]`)
      .first()
      .evaluate((node, name) => getComputedStyle(node).getPropertyValue(name), property)
  assert.is(await style('stars', 'color'), 'rgb(1, 2, 3)')
  assert.is(await style('card', 'background-color'), 'rgb(4, 5, 6)')
  assert.is(await style('card', 'border-top-left-radius'), '1px')
  assert.is(await style('quote', 'font-style'), 'italic')
  assert.is(await style('author', 'color'), 'rgb(7, 8, 9)')
  await page.context().close()
})

test('the page’s other styles stay outside', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page } = await stage.settle(
    `<style>* { letter-spacing: 9px } main { text-transform: uppercase; text-align: center; font-weight: 900 }
      li, blockquote, footer { background: red; margin: 99px; list-style: disc }</style>${stage.tag()}`,
  )
  const style = await page
    .locator('blockquote')
    .first()
    .evaluate((node) => {
      const { textTransform, textAlign, fontWeight, letterSpacing, marginTop } = getComputedStyle(node)
      return { textTransform, textAlign, fontWeight, letterSpacing, marginTop }
    })
  assert.equal(style, {
    textTransform: 'none',
    textAlign: 'start',
    fontWeight: '400',
    letterSpacing: 'normal',
    marginTop: '0px',
  })
  await page.context().close()
})

test.run()
