import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { answer, HOTEL, result } from './reviews.ts'
import { type Opened, type Stage, stageSuite } from './stage.ts'

const test = stageSuite('colours that suit the page')

const themeOf = (page: Page) =>
  page
    .locator('li')
    .first()
    .evaluate((card) => (getComputedStyle(card).backgroundColor === 'rgb(255, 255, 255)' ? 'light' : 'dark'))

let opened: Opened | undefined

async function themeOn(stage: Stage, style: string, body?: string, colorScheme: 'light' | 'dark' = 'light') {
  stage.service.plan = { response: answer(HOTEL) }
  const html = `<style>${style}</style>${body ?? stage.tag()}`
  await opened?.page.emulateMedia({ colorScheme })
  opened = await stage.settle(html, { colorScheme, opened })
  return themeOf(opened.page)
}

for (const [colour, page, expected] of [
  ['oklch(0.95 0.02 250)', '#101418', 'dark'],
  ['lab(92% 0 0)', '#101418', 'dark'],
  ['color-mix(in srgb, white 90%, blue)', 'oklch(0.2 0.03 260)', 'dark'],
  ['#7dd3fc', '#0b1220', 'dark'],
  ['rgb(125 211 252 / .8)', '#0b1220', 'dark'],
  ['#b91c1c', '#fff', 'light'],
  ['#b91c1c', 'transparent', 'light'],
  ['#888', '#fff', 'light'],
  ['#888', '#000', 'dark'],
  ['hsl(0 0% 20%)', 'hsl(48 100% 97%)', 'light'],
  ['oklch(0.3 0.05 20)', 'transparent', 'light'],
  ['white', '#c2185b', 'dark'],
] as const) {
  test(`text of ${colour} on ${page} has ${expected} cards`, async (stage) => {
    assert.is(await themeOn(stage, `body { color: ${colour}; background: ${page} }`), expected)
  })
}

test('layers that let what is below shine through are added up', async (stage) => {
  const body = `<div style="background: #fffc; color: #444">${stage.tag()}</div>`
  assert.is(await themeOn(stage, 'body { background: #000; color: #fff }', body), 'light')
  const glass = `<div style="background: #fff2; color: #bbb">${stage.tag()}</div>`
  assert.is(await themeOn(stage, 'body { background: #000; color: #fff }', glass), 'dark')
})

test('on a picture the text decides, unless something covers the picture', async (stage) => {
  const picture = 'background: linear-gradient(#234, #123)'
  assert.is(await themeOn(stage, `body { ${picture}; color: #fff }`), 'dark')
  assert.is(await themeOn(stage, `body { ${picture}; color: #222 }`), 'light')
  const sheet = `<div style="background: #fff; color: #999">${stage.tag()}</div>`
  assert.is(await themeOn(stage, `body { ${picture}; color: #fff }`, sheet), 'light')
})

test('a page that leaves its colours to the browser follows the reader’s system where it says so', async (stage) => {
  const scheme = ':root { color-scheme: light dark }'
  assert.is(await themeOn(stage, scheme, undefined, 'dark'), 'dark')
  assert.is(await themeOn(stage, scheme, undefined, 'light'), 'light')
  assert.is(await themeOn(stage, '', undefined, 'dark'), 'light')
  const meta = `<meta name="color-scheme" content="light dark">${stage.tag()}`
  assert.is(await themeOn(stage, '', meta, 'dark'), 'dark')
  assert.is(await themeOn(stage, '', meta, 'light'), 'light')
  assert.is(await themeOn(stage, 'body { color: #aaa }', undefined, 'dark'), 'light')
})

test('where the text is as dark as what is behind it, the heading takes the ink of the cards, until the page has another', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const section = `<section style="background: #0b1220">${stage.tag('data-heading="Guests"')}</section>`
  const { page } = await stage.settle(
    `<style>body { color: #222; background: #fff } p { color: #fff }</style>${section}`,
  )
  assert.is(await themeOf(page), 'dark')
  const colour = () => page.locator('[part=heading]').evaluate((heading) => getComputedStyle(heading).color)
  assert.is(await colour(), 'rgb(238, 238, 238)')
  await page.evaluate(() => document.body.setAttribute('style', 'color: #fff'))
  await page.waitForTimeout(50)
  assert.is(await colour(), 'rgb(255, 255, 255)')
  await page.context().close()
})

/** Waits until the cards are of a theme, which they follow a frame or a transition later. */
const becomes = (page: Page, theme: string) =>
  page.waitForFunction((wanted) => {
    const card = document.querySelector('pullquote-reviews')?.shadowRoot?.querySelector('li')
    return card && (getComputedStyle(card).backgroundColor === 'rgb(255, 255, 255)') === (wanted === 'light')
  }, theme)

test('on a layer that is painted beside it, as page builders cover a picture, the text decides, heading included', async (stage) => {
  const style = `body { color: #111; background: #fff } .cover { position: relative; color: #fff } .inner { position: relative }
    .over { position: absolute; inset: 0; background: #000c }`
  const tag = stage.tag('data-heading="Said"')
  const body = `<div class="cover"><span class="over"></span><div class="inner"><p>On it</p>${tag}</div></div>`
  assert.is(await themeOn(stage, style, body), 'dark')
  const heading = opened?.page.locator('[part=heading]')
  assert.is(await heading?.evaluate((each) => getComputedStyle(each).color), 'rgb(255, 255, 255)')
})

test('when the page changes its theme the cards follow', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page } = await stage.settle(
    `<style>
       body { color: #222; background: #fff; transition: all .3s }
       .night body { color: #eee; background: #111 }
       body.day { color: #222; background: #fff }
     </style>${stage.tag()}`,
  )
  assert.is(await themeOf(page), 'light')
  await page.evaluate(() => document.documentElement.classList.add('night'))
  await becomes(page, 'dark')
  await page.evaluate(() => document.body.classList.add('day'))
  await becomes(page, 'light')
  await page.context().close()
})

test('a page that writes onto its root with each turn of the wheel does not pay for a canvas each time', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page } = await stage.settle(stage.tag(), {
    before: (page) =>
      page.addInitScript(() => {
        const make = document.createElement
        let canvases = 0
        document.createElement = (name: string) => {
          if (name === 'canvas') canvases++
          return make.call(document, name)
        }
        Object.assign(window, { canvases: () => canvases })
      }),
  })
  await page.evaluate(async () => {
    for (let at = 0; at < 20; at++) {
      document.documentElement.style.setProperty('--scrolled', `${at}`)
      await new Promise((go) => requestAnimationFrame(go))
    }
    document.body.style.background = '#111'
    document.body.style.color = '#eee'
  })
  await becomes(page, 'dark')
  assert.is(await page.evaluate(() => Reflect.get(window, 'canvases')()), 1)
  await page.context().close()
})

test('and when the reader’s system changes', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page } = await stage.settle(stage.tag('data-theme="auto"'), { colorScheme: 'light' })
  assert.is(await themeOf(page), 'light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await becomes(page, 'dark')
  await page.context().close()
})

test('dark cards are printed as dark ink on light paper, since browsers leave out backgrounds', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page } = await stage.settle(
    `<style>body { color: #eee; background: #111 } @media print { body { color: #000; background: #fff } }</style>${stage.tag()}`,
  )
  assert.is(await themeOf(page), 'dark')
  await page.emulateMedia({ media: 'print' })
  const card = page.locator('li').first()
  assert.is(await card.evaluate((node) => getComputedStyle(node).color), 'rgb(34, 34, 34)')
  assert.is(await themeOf(page), 'light')
  await page.context().close()
})

test('the language of labels and dates is the page’s before the browser’s, and quotations are given none', async (stage) => {
  const other = answer([result({ text: 'Très bien.' })])
  stage.service.plan = { response: (url) => (url.searchParams.has('limit') ? other : answer(HOTEL)) }
  const { page } = await stage.settle(
    `<html lang="de-AT"><title>x</title><body><main>${stage.tag('data-heading="Guests"')}
     <div lang="fr"><div data-pullquote></div></div></main></body></html>`.replace(
      'data-heading',
      'data-reserve="9" data-heading',
    ),
    { locale: 'en-GB' },
  )
  await page.locator('time', { hasText: '12 mai 2026' }).waitFor()
  await page.locator('time', { hasText: '12. Mai 2026' }).waitFor()
  const marked = await page
    .locator('pullquote-reviews [lang]')
    .evaluateAll((all) => all.map((node) => node.getAttribute('part')))
  assert.equal([...new Set(marked)].sort(), ['date', 'stars'])
  await page.context().close()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`with the forced colours of a ${colorScheme} system the marked excerpt has that system’s own mark`, async (stage) => {
    stage.service.plan = { response: answer(HOTEL) }
    const { page } = await stage.settle(stage.tag(), { forcedColors: 'active', colorScheme })
    const [mark, own] = await page.evaluate(() => {
      const excerpt = document.querySelector('pullquote-reviews')?.shadowRoot?.querySelector('mark') as Element
      const plain = document.body.appendChild(document.createElement('mark'))
      return [excerpt, plain].map((each) => {
        const { color, backgroundColor } = getComputedStyle(each)
        return { color, backgroundColor }
      })
    })
    // A colour of ours keeps its transparency there, and black was written on next to black.
    assert.equal(mark, own)
    await page.context().close()
  })
}

test.run()
