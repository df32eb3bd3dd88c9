/** What a visitor of the demo, the first page and the documentation sees, on a phone and on a wide screen. */
import * as assert from 'uvu/assert'
import { CHIPS, PAGES } from '../../server/demo/pages.ts'
import { suite } from '../suite.ts'
import { noChromium } from './chromium.ts'
import { type DemoServer, openDemoServer } from './demo-server.ts'

const suiteOf = suite('the pages of the server')
let demo: DemoServer
if (!noChromium) {
  suiteOf.before(async () => {
    demo = await openDemoServer()
  })
  suiteOf.after(async () => demo?.close())
}
const test = (title: string, body: () => Promise<void>) =>
  noChromium ? suiteOf.skip(title, noChromium) : suiteOf(title, body)

const PHONE = { width: 375, height: 667 }
const WIDE = { width: 1280, height: 800 }
const CARDS = 3

async function open(path: string, viewport = WIDE) {
  const context = await demo.browser.context({ locale: 'en-GB', viewport })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const lines: string[] = []
  page.on('console', (message) => lines.push(message.text()))
  page.on('pageerror', (error) => lines.push(`error: ${error.message}`))
  await page.addInitScript(() => {
    const seen = { shift: 0 }
    Object.assign(window, { seen })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if (!Reflect.get(entry, 'hadRecentInput')) seen.shift += Reflect.get(entry, 'value')
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(demo.server.url + path)
  return { page, lines, close: () => context.close() }
}
type Opened = Awaited<ReturnType<typeof open>>

const cardsOf = ({ page }: Opened) => page.locator('pullquote-reviews li')
const quotesOf = ({ page }: Opened) => page.locator('pullquote-reviews blockquote').allTextContents()
const shiftOf = ({ page }: Opened) => page.evaluate(() => Reflect.get(window, 'seen').shift as number)

/** What reviewers of the sample complain of, in the words that they use. */
const COMPLAINTS =
  /rattl|tight|narrow|star off|less good|overpriced|limited|uncomfortable|worn|too (small|loud|short|salty)|dropped|disappoint|missing|should (have|lay)|had to|avoid|slow\b|rude|dirty|noise|unfortunately|\bonly the\b|add up/i

for (const [name, viewport] of [
  ['a phone', PHONE],
  ['a wide screen', WIDE],
] as const) {
  test(`/demo on ${name}: the first screen says what it is, has the field and the chips, and shows reviews`, async () => {
    const opened = await open('/demo', viewport)
    const { page, lines } = opened
    await cardsOf(opened).first().waitFor()
    const inFirstScreen = async (selector: string) => {
      const box = await page.locator(selector).first().boundingBox()
      assert.ok(box && box.y >= 0 && box.y + Math.min(box.height, 60) <= viewport.height, selector)
    }
    assert.is(
      await page
        .locator('h1')
        .innerText()
        .then((text) => text.replace(/\s+/g, ' ')),
      '170 reviews, one tag. Each page finds its own.',
    )
    for (const selector of ['h1', '#q', '.chips', '#said', 'pullquote-reviews li']) await inFirstScreen(selector)
    assert.equal(await page.locator('.chips button').allTextContents(), CHIPS)
    assert.is(await cardsOf(opened).count(), CARDS)
    assert.match(await page.locator('#said').innerText(), /3 reviews fit “breakfast”/)
    assert.is(await page.evaluate(() => document.documentElement.scrollWidth), viewport.width)
    await page.waitForTimeout(300)
    assert.ok((await shiftOf(opened)) < 0.05, `${await shiftOf(opened)}`)
    assert.equal(lines, [])
    await opened.close()
  })

  for (const path of [...PAGES.map(({ slug }) => `/demo/${slug}`), '/demo/own?title=Income+tax', '/', '/docs']) {
    test(`${path} on ${name} does not shift its layout and is no wider than the screen`, async () => {
      const opened = await open(path, viewport)
      const { page, lines } = opened
      await page.waitForLoadState('networkidle')
      await page.waitForTimeout(400)
      assert.ok((await shiftOf(opened)) < 0.05, `${await shiftOf(opened)}`)
      assert.is(await page.evaluate(() => document.documentElement.scrollWidth), viewport.width)
      assert.equal(lines, [])
      await opened.close()
    })
  }
}

test('every chip but the last fills its row with reviews that speak of it, and no card complains', async () => {
  const opened = await open('/demo')
  const { page } = opened
  await cardsOf(opened).first().waitFor()
  for (const chip of CHIPS.slice(1, -1)) {
    await page.getByRole('button', { name: chip, exact: true }).click()
    await page.getByText(`fit “${chip}”`).waitFor()
    assert.is(await cardsOf(opened).count(), CARDS, chip)
    for (const quote of await quotesOf(opened)) assert.not.match(quote, COMPLAINTS, chip)
    assert.is(await page.locator('.chips [aria-pressed=true]').innerText(), chip)
  }
  await opened.close()
})

test('the chip about something else: nothing is shown, and that is said where it happens', async () => {
  const opened = await open('/demo', PHONE)
  const { page } = opened
  await cardsOf(opened).first().waitFor()
  await page.getByRole('button', { name: 'income tax' }).click()
  await page.getByText('Nothing fits, so nothing is shown.').waitFor()
  assert.is(await cardsOf(opened).count(), 0)
  assert.is(await page.locator('#said').innerText(), 'No review fits “income tax”.')
  const box = await page.locator('#nothing').boundingBox()
  assert.ok(box && box.y < PHONE.height - 60)
  // And back.
  await page.getByRole('button', { name: 'dogs' }).click()
  await cardsOf(opened).first().waitFor()
  assert.is(await page.locator('#nothing').isVisible(), false)
  await opened.close()
})

test('what is typed is answered live', async () => {
  const opened = await open('/demo')
  const { page, lines } = opened
  await page.locator('#q').fill('charging station for electric cars')
  await page.getByText('fits “charging station for electric cars”').waitFor()
  assert.match((await quotesOf(opened))[0] ?? '', /charging stations for electric cars/)
  await page.locator('#q').fill('breakfast')
  await page.getByText('fit “breakfast”').waitFor()
  assert.match(
    (await quotesOf(opened))[0] ?? '',
    /(delicious|wonderful|excellent).*breakfast|breakfast.*(delicious|wonderful|excellent)/i,
  )
  // A page in English, among whose guests are others, speaks English first.
  for (const [asked, first] of [
    ['sauna', /A wonderful sauna/],
    ['quiet room with a view', /A quiet room with a beautiful view/],
  ] as const) {
    await page.locator('#q').fill(asked)
    await page.getByText(`fit “${asked}”`).waitFor()
    assert.match((await quotesOf(opened))[0] ?? '', first)
  }
  await page.locator('#q').fill('<img src=x onerror=alert(1)>')
  await page.locator('#said', { hasText: '<img' }).waitFor()
  assert.is(await page.locator('#said img').count(), 0)
  assert.equal(lines, [])
  await opened.close()
})

for (const { slug } of PAGES) {
  test(`/demo/${slug} shows as many cards as it has room for, none of which complains`, async () => {
    const opened = await open(`/demo/${slug}`)
    const { page } = opened
    if (slug === 'taxes') {
      await page.getByText('Nothing fits, so nothing is shown.').waitFor()
      assert.is(await cardsOf(opened).count(), 0)
    } else {
      await cardsOf(opened).first().waitFor()
      assert.is(await cardsOf(opened).count(), CARDS)
      for (const quote of await quotesOf(opened)) assert.not.match(quote, COMPLAINTS)
      assert.is(await page.locator('#nothing').isVisible(), false)
    }
    await opened.close()
  })
}

test('the tag has an absolute address, and its button copies it', async () => {
  const opened = await open('/demo')
  const { page } = opened
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.locator('[data-copy]').click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  assert.is(copied, await page.locator('.code code').textContent())
  assert.match(copied, /^<pullquote-reviews data-key="svc_pk_live_\w{32}" data-limit="3"><\/pullquote-reviews>\n/)
  assert.ok(copied.includes(`<script async src="${demo.server.url}/snippet.js"></script>`))
  await opened.close()
})

test('the first page leads to the demo and the documentation, and its links to one another', async () => {
  const opened = await open('/')
  const { page } = opened
  assert.match(await page.locator('main').innerText(), /This server is running/)
  const refused: string[] = []
  page.on('response', (response) => response.status() >= 400 && refused.push(response.url()))
  const seen = new Set<string>()
  const waiting = ['/', '/docs', '/demo']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    const response = await page.goto(demo.server.url + path)
    assert.is(response?.status(), 200, path)
    const links = await page.locator('a[href]').evaluateAll((all) =>
      (all as HTMLAnchorElement[]).map(({ href, hash }) => {
        const target = document.getElementById(decodeURIComponent(hash.slice(1)))
        return { href, hasTarget: target !== null }
      }),
    )
    for (const { href, hasTarget } of links) {
      const url = new URL(href)
      if (url.origin !== demo.server.url) continue
      if (url.hash && url.pathname === path) assert.ok(hasTarget, `${path}${url.hash}`)
      waiting.push(url.pathname + url.search)
    }
  }
  for (const path of ['/docs/snippet', '/docs/decisions', '/docs/errors', '/openapi.json', '/demo/taxes'])
    assert.ok(seen.has(path), path)
  assert.equal(
    refused.filter((url) => !url.endsWith('/favicon.ico')),
    [],
  )
  await opened.close()
})

test('a page of the documentation has headings with addresses, tables that scroll by themselves, and no script', async () => {
  const opened = await open('/docs/deployment', PHONE)
  const { page } = opened
  assert.is(await page.locator('h1').innerText(), 'Deployment')
  assert.ok((await page.locator('h2[id] > a[href^="#"]').count()) > 4)
  assert.ok((await page.locator('a[href="configuration"]').count()) > 0)
  assert.is(await page.locator('script').count(), 0)
  await opened.close()
})

suiteOf.run()
