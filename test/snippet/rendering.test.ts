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
  assert.is(await link.getAttribute('rel'), 'nofollow')
  assert.is(await page.locator('pullquote-reviews li').count(), 3)
  await page.context().close()
})

test('the excerpt is marked within its sentence when the text is there', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page } = await stage.settle(stage.tag())
  // More than half of the first card is its excerpt, which a mark would paint wholly.
  assert.equal(await page.locator('mark').allTextContents(), [HOTEL[2]?.excerpt])
  await page.context().close()
})

test('of the sentences around an excerpt at most one stands before it, and those behind it are dimmed', async (stage) => {
  const excerpt = 'The sauna was hot and quiet.'
  const text = `We arrived late. The rain had stopped. ${excerpt} Towels lay ready. Tea was free.`
  stage.service.plan = { response: answer([result({ text, excerpt })]) }
  for (const [attributes, shown, dimmed] of [
    ['', `… The rain had stopped. ${excerpt} Towels lay ready. Tea was free.`, ['Towels lay ready. Tea was free.']],
    ['data-context="sentence"', `… ${excerpt} …`, []],
    ['data-context="none"', excerpt, []],
  ] as const) {
    const { page } = await stage.settle(stage.tag(attributes))
    assert.is(await page.locator('blockquote').textContent(), shown)
    assert.equal(await page.locator('[part=context]').allTextContents(), [...dimmed])
    await page.context().close()
  }
})

test('a long review is shown around its excerpt, with dots where it was cut', async (stage) => {
  const filler = 'The weather was mixed and we read a lot on the balcony, which has a roof. '.repeat(8)
  const text = `${filler}The soup of the day was the best we ever had. ${filler}`
  stage.service.plan = {
    response: answer([result({ text, excerpt: 'The soup of the day was the best we ever had.' })]),
  }
  const { page } = await stage.settle(stage.tag())
  const shown = (await page.locator('blockquote').textContent()) ?? ''
  assert.match(shown, /^… The soup of the day .* …$/)
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

test('data-mode="reviews" shows whole reviews, a long one around its excerpt until the reader asks for the rest', async (stage) => {
  const long = `${'We sat by the fire and talked. '.repeat(80)}The end.`
  stage.service.plan = { response: answer([...HOTEL, result({ text: long, excerpt: 'The end.' })]) }
  const { page } = await stage.settle(stage.tag('data-mode="reviews"'))
  const quotes = page.locator('blockquote')
  assert.is(await quotes.first().textContent(), HOTEL[0]?.review.text)
  const short = (await quotes.last().textContent()) ?? ''
  assert.ok(short.startsWith('… ') && short.endsWith('The end.') && short.length < 700, short)
  const more = page.getByRole('button', { name: 'Read more' })
  assert.is(await more.count(), 1)
  await more.focus()
  await page.keyboard.press('Enter')
  assert.is(await quotes.last().textContent(), long)
  assert.is(await more.count(), 0)
  // The keyboard goes on where it was, not at the top of the page.
  assert.ok(await quotes.last().evaluate((node) => (node.getRootNode() as ShadowRoot).activeElement === node))
  await page.context().close()
})

test('one review stands alone as a pull quote, however wide the page', async (stage) => {
  stage.service.plan = { response: answer(HOTEL.slice(0, 1)) }
  const { page } = await stage.settle(stage.tag(), { viewport: { width: 1280, height: 800 } })
  const box = await page.locator('li').boundingBox()
  assert.ok(box && box.width <= 42 * 16, `${box?.width}`)
  await page.context().close()
})

test('in the card of a product on a phone the author’s words are whole, below the initials; with more room beside them', async (stage) => {
  stage.service.plan = { response: answer(HOTEL.slice(0, 1)) }
  const { page } = await stage.settle(`<div style="width: 140px">${stage.tag()}</div>`)
  const place = () =>
    page.locator('section').evaluate((section) => {
      const [initials, author] = [...section.querySelectorAll('[part=avatar], bdi')].map((each) =>
        each.getBoundingClientRect(),
      ) as [DOMRect, DOMRect]
      const lines = author.height / Number.parseFloat(getComputedStyle(section).lineHeight)
      return { isBelow: author.top >= initials.bottom, lines: Math.round(lines) }
    })
  assert.equal(await place(), { isBelow: true, lines: 2 })
  await page
    .locator('div')
    .first()
    .evaluate((each) => each.removeAttribute('style'))
  assert.equal(await place(), { isBelow: false, lines: 1 })
  await page.context().close()
})

test('data-layout shows a grid, a list, or the best one only', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  for (const [layout, columns, cards] of [
    ['grid', 3, 3],
    ['list', 1, 3],
    ['single', 1, 1],
  ] as const) {
    const { page } = await stage.settle(stage.tag(`data-layout="${layout}"`), {
      viewport: { width: 1200, height: 800 },
    })
    const tracks = await page.locator('[part=list]').evaluate((node) => getComputedStyle(node).gridTemplateColumns)
    assert.is(tracks.split(' ').filter((track) => track !== '0px').length, columns, layout)
    assert.is(await page.locator('li').count(), cards)
    await page.context().close()
  }
  assert.is(stage.service.queries.at(-1)?.url.searchParams.get('limit'), '1')
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
      li, blockquote, footer, section { background: red; margin: 99px; list-style: disc }</style>${stage.tag()}`,
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
