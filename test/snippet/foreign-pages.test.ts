/** Pages as other people build them: the block looks and works alike on each. `SHOTS=folder` keeps a picture of each. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { KEY } from './fake-service.ts'
import { answer, HOTEL, result } from './reviews.ts'
import { stageSuite } from './stage.ts'

const test = stageSuite('pages of others')

/** What utility frameworks begin with, and what themes do to every element. */
const RESET = `<style>*, ::before, ::after { box-sizing: border-box; border: 0 solid #e5e7eb; margin: 0; padding: 0 }
  html { line-height: 1.5; font-family: ui-sans-serif, system-ui } ol, ul { list-style: none } h1, h2 { font-size: inherit; font-weight: inherit }
  a { color: inherit; text-decoration: inherit } img, svg { display: block; max-width: 100% } blockquote, q { quotes: none }
  button { background: transparent; font: inherit; color: inherit } li { float: left; width: 50% } footer, section { position: fixed; bottom: 0 } q::before { content: none }</style>`

const parts = (page: Page) => ({
  cards: page.locator('[part=card]'),
  quotes: () => page.locator('blockquote').allTextContents(),
})

async function shoot(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `foreign-${name}.png`), fullPage: true })
}

async function noWiderThan(page: Page, width: number): Promise<void> {
  const scrolled = await page.evaluate(() => document.documentElement.scrollWidth)
  assert.ok(scrolled <= width, `${scrolled} > ${width}`)
}

test('a reset of utility classes, and styles for every li, footer and section, stay outside', async (stage) => {
  stage.service.plan = { response: answer(HOTEL, { badge: true }) }
  const { page, lines } =
    await stage.settle(`<html lang="en"><head><title>x</title>${RESET}</head><body><main style="padding: 1rem">
    <h1>Breakfast</h1>${stage.tag('data-heading="Guests"')}</main></body></html>`)
  const look = await parts(page)
    .cards.first()
    .evaluate((card) => [
      getComputedStyle(card).float,
      getComputedStyle(card).padding !== '0px',
      getComputedStyle(card.querySelector('section') as Element).position,
      getComputedStyle(card).borderTopStyle,
    ])
  assert.equal(look, ['none', true, 'static', 'solid'])
  assert.is(await page.locator('h2').evaluate((node) => getComputedStyle(node).fontWeight), '700')
  await shoot(page, 'reset')
  assert.equal(lines, [])
  await page.context().close()
})

for (const [name, css, expected] of [
  ['dark-oklch', 'html { background: oklch(0.21 0.03 265); color: oklch(0.93 0.01 265) }', 'dark'],
  ['light-oklch', 'body { background: oklch(0.98 0.01 95); color: oklch(0.3 0.05 260) }', 'light'],
  ['dark-mix', 'body { background: color-mix(in oklab, black 80%, navy); color: lab(92% 0 0) }', 'dark'],
  [
    'dark-variables',
    ':root { --bg: 222 47% 11%; --fg: 210 40% 98% } body { background: hsl(var(--bg)); color: hsl(var(--fg)) }',
    'dark',
  ],
  ['half-transparent', 'html { background: #111 } body { background: rgb(255 255 255 / 0.06); color: #ddd }', 'dark'],
  ['gradient', 'body { background: linear-gradient(#1e1b4b, #0f172a); color: #e2e8f0 }', 'dark'],
] as const) {
  test(`a page with ${name} colours has cards of its kind`, async (stage) => {
    stage.service.plan = { response: answer(HOTEL) }
    const { page } = await stage.settle(
      `<html lang="en"><head><title>x</title><style>${css}</style></head><body><h1>Breakfast</h1>${stage.tag()}</body></html>`,
    )
    assert.is((await page.locator('div:has(> [part=list])').getAttribute('class')) || 'light', expected)
    await shoot(page, name)
    await page.context().close()
  })
}

test('a base address, a strict policy and trusted types change nothing', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { origin } = stage.service
  const csp = `default-src 'none'; script-src ${origin}; connect-src ${origin}; base-uri *; require-trusted-types-for 'script'`
  const { page, lines } = await stage.settle(
    `<html lang="en"><head><base href="https://elsewhere.example/deep/"><title>x</title></head><body><h1>Breakfast</h1>${stage.tag()}</body></html>`,
    { csp },
  )
  assert.is(await parts(page).cards.count(), 3)
  assert.is(stage.service.queries[0]?.url.searchParams.get('q'), 'Breakfast')
  assert.equal(
    lines.filter((line) => !/favicon/.test(line)),
    [],
  )
  await page.context().close()
})

test('an old library that gives every object and list more names changes nothing', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page, lines } = await stage.settle(stage.tag('data-meta-room="suite" data-layout="list"'), {
    before: (page) =>
      page.addInitScript(() => {
        for (const { prototype } of [Object, Array]) Reflect.set(prototype, 'each', () => {})
      }),
  })
  assert.equal(lines, [])
  assert.equal(
    [...(stage.service.queries.at(-1)?.url.searchParams.keys() ?? [])],
    ['key', 'q', 'mode', 'metadata.room'],
  )
  assert.is(await page.locator('[part=card]').count(), 3)
  assert.is(await page.locator('[each]').count(), 0)
  await page.context().close()
})

test('a page whose scripts look at the address of every request as text', async (stage) => {
  stage.service.plan = { response: answer(HOTEL), note: { note: 'All of them', lang: 'en', min_rating: 1 } }
  const { page, lines } = await stage.settle(stage.tag('data-note="auto"'), {
    before: (page) =>
      page.addInitScript(() => {
        const send = window.fetch
        window.fetch = (...given) => {
          if ((given[0] as string).includes('/cart/add')) throw new Error('not ours')
          return send(...given)
        }
      }),
  })
  assert.is(await parts(page).cards.count(), 3)
  assert.is(await page.locator('[part=note]').textContent(), 'All of them')
  assert.equal(lines, [])
  await page.context().close()
})

for (const [hidden, css] of [
  ['tab that is not shown', 'visibility: hidden; position: absolute'],
  ['dialog that is transparent until it opens', 'opacity: 0; pointer-events: none; position: fixed; inset: 0'],
]) {
  test(`in a ${hidden} the reviews are neither seen nor in the way, and then they are`, async (stage) => {
    stage.service.plan = { response: answer(HOTEL, { badge: true }) }
    const { page } = await stage.settle(
      `<style>.closed { ${css} }</style><h1>Rooms</h1><div class="closed">${stage.tag()}</div><p>Below</p>`,
    )
    const found = () =>
      page.evaluate(() => {
        const root = document.querySelector('pullquote-reviews')?.shadowRoot as ShadowRoot
        return ['a', 'q', '.badge'].map((selector) => {
          const { x, y, height } = (root.querySelector(selector) as Element).getBoundingClientRect()
          return document.elementFromPoint(x + 5, y + height / 2)?.localName === 'pullquote-reviews'
        })
      })
    assert.equal(await found(), [false, false, false])
    if (!css?.includes('opacity')) assert.is(await page.getByRole('link').count(), 0)
    await page.evaluate(() => document.querySelector('.closed')?.removeAttribute('class'))
    assert.equal(await found(), [true, true, true])
    assert.ok((await page.getByRole('link').count()) > 0)
    await page.context().close()
  })
}

test('in a theme that hides what is empty a container is seen, lazy or not, and one that is hidden otherwise stays so, untouched', async (stage) => {
  const beds = answer([result({ text: 'Wide beds.' })])
  stage.service.plan = { response: (url) => (url.searchParams.get('q') === 'beds' ? beds : answer(HOTEL)) }
  const container = (attributes: string) => `<div data-pullquote ${attributes}></div>`
  const { page } = await stage.visit(
    `<style>div:empty { display: none } .wide { display: none }</style><h1>Rooms</h1>${container('id="plain"')}
    <section hidden>${container('id="tab"')}</section>${container('id="other" class="wide"')}${container('id="lazy" data-lazy data-query="beds"')}${stage.tag()}`,
  )
  await parts(page).cards.nth(9).waitFor({ state: 'attached' })
  const seen = await page
    .locator('[data-pullquote]')
    .evaluateAll((all) => all.map((each) => [each.id, each.clientHeight > 60, each.childNodes.length]))
  assert.equal(seen, [
    ['plain', true, 1],
    ['tab', false, 0],
    ['other', false, 0],
    ['lazy', true, 1],
  ])
  await page.context().close()
})

test('in quirks mode the cards are the same', async (stage) => {
  stage.service.plan = { response: answer(HOTEL, { badge: true }) }
  const { page } = await stage.settle(
    `<!-- quirks --><html lang="en"><head><title>x</title></head><body><table><tr><td>${stage.tag('data-heading="Guests"')}</td></tr></table></body></html>`,
    { viewport: { width: 1000, height: 700 } },
  )
  assert.is(await page.evaluate(() => document.compatMode), 'BackCompat')
  assert.is(await parts(page).cards.count(), 3)
  await noWiderThan(page, 1000)
  await shoot(page, 'quirks')
  await page.context().close()
})

for (const [name, options] of [
  ['320-pixels', { viewport: { width: 320, height: 640 } }],
  // What a browser does to 1,280 pixels at 200 % and at 400 %.
  ['zoomed-200', { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
  ['zoomed-400', { viewport: { width: 320, height: 200 }, deviceScaleFactor: 4 }],
] as const) {
  test(`${name}: nothing is cut off and nothing scrolls sideways`, async (stage) => {
    const long = result({
      text: `${'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz'.repeat(3)} sagte niemand.`,
      author_name: 'Dr. Maximiliana von und zu Hohenlohe-Schillingsfürst',
    })
    stage.service.plan = { response: answer([...HOTEL, long], { badge: true }) }
    const { page } = await stage.settle(
      `<html lang="de"><head><meta name="viewport" content="width=device-width"><title>x</title></head><body><h1>Frühstück</h1>${stage.tag('data-heading="Das sagen Gäste" data-note="Gezeigt werden Bewertungen ab 4 Sternen"')}</body></html>`,
      options,
    )
    await noWiderThan(page, options.viewport.width)
    const cut = await parts(page).cards.evaluateAll(
      (cards) => cards.filter((card) => card.scrollWidth > card.clientWidth + 1).length,
    )
    assert.is(cut, 0)
    await shoot(page, name)
    await page.context().close()
  })
}

test('text that a reader has enlarged to twice its size still fits', async (stage) => {
  stage.service.plan = { response: answer(HOTEL, { badge: true }) }
  const { page } = await stage.settle(
    `<html lang="en" style="font-size: 200%"><head><meta name="viewport" content="width=device-width"><title>x</title></head><body><h1>Breakfast</h1>${stage.tag('data-heading="Guests"')}</body></html>`,
    { viewport: { width: 375, height: 667 } },
  )
  await noWiderThan(page, 375)
  assert.ok(
    Number.parseFloat(
      await page
        .locator('q')
        .first()
        .evaluate((node) => getComputedStyle(node).fontSize),
    ) >= 32,
  )
  await shoot(page, 'large-text')
  await page.context().close()
})

test('a page from right to left is mirrored, with quotations in their own direction', async (stage) => {
  stage.service.plan = { response: answer([result({ text: 'ארוחת בוקר נפלאה.' }), ...HOTEL.slice(1)], { badge: true }) }
  const { page } = await stage.settle(
    `<html lang="he" dir="rtl"><head><title>x</title></head><body><h1>ארוחת בוקר</h1>${stage.tag()}</body></html>`,
    { viewport: { width: 1000, height: 700 } },
  )
  const boxes = await Promise.all([0, 1].map((n) => parts(page).cards.nth(n).boundingBox()))
  assert.ok((boxes[0]?.x ?? 0) > (boxes[1]?.x ?? 0))
  assert.equal(await page.locator('q').evaluateAll((all) => all.map((each) => getComputedStyle(each).direction)), [
    'rtl',
    'ltr',
    'ltr',
  ])
  const badge = await page.getByText('Reviews by Pullquote').boundingBox()
  assert.ok((badge?.x ?? 999) < 100, 'the badge stands at the end of its line')
  await shoot(page, 'rtl')
  await page.context().close()
})

test('printed: no card is parted', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page } = await stage.settle(
    `<html lang="en"><head><title>x</title></head><body><h1>Breakfast</h1><div style="height: 300vh"></div>${stage.tag()}</body></html>`,
  )
  await page.emulateMedia({ media: 'print' })
  assert.is(
    await parts(page)
      .cards.first()
      .evaluate((card) => getComputedStyle(card).breakInside),
    'avoid',
  )
  await shoot(page, 'print')
  await page.context().close()
})

for (const when of ['while the page is read', 'later'] as const) {
  test(`an element in the shadow root of a component is filled, made ${when}`, async (stage) => {
    stage.service.plan = { response: answer(HOTEL) }
    stage.put(
      '/component.js',
      `customElements.define('my-section', class extends HTMLElement { connectedCallback() {
        this.attachShadow({ mode: 'open' }).innerHTML = '<style>:host { color: #ddd; background: #111; display: block }</style><pullquote-reviews></pullquote-reviews>' } })
      window.later = () => document.body.append(document.createElement('my-section'))`,
    )
    const { page } = await stage.visit(
      `<html lang="en"><head><title>x</title>${stage.tag().replace('async', '')}<script src="/component.js"></script></head><body>
      ${when === 'later' ? '' : '<my-section></my-section>'}<h1>Breakfast</h1></body></html>`,
    )
    if (when === 'later') await page.evaluate(() => Reflect.get(window, 'later')())
    await parts(page).cards.first().waitFor()
    assert.is(await parts(page).cards.count(), 3)
    assert.is(stage.service.queries[0]?.url.searchParams.get('q'), 'Breakfast')
    assert.is(await page.locator('div:has(> [part=list])').getAttribute('class'), 'dark')
    await page.context().close()
  })
}

test('several tags and two keys on one page: each asks with its own', async (stage) => {
  stage.service.plan = {
    response: (url) =>
      answer([result({ text: `${url.searchParams.get('key')?.slice(-4)} on ${url.searchParams.get('q')}.` })]),
  }
  const other = `svc_pk_live_${'z9Y8'.repeat(8)}`
  const second = stage.tag('data-query="beds"').replace(KEY, other)
  const { page, lines } = await stage.visit(
    `<h1>Food</h1>${stage.tag('data-query="food"')}<p>between</p>${second}<p>and</p>${stage.tag('data-query="sauna"')}`,
  )
  await parts(page).cards.nth(2).waitFor()
  assert.equal((await parts(page).quotes()).sort(), ['a1B2 on food.', 'a1B2 on sauna.', 'z9Y8 on beds.'])
  assert.equal(lines, [])
  await page.context().close()
})

test.run()
