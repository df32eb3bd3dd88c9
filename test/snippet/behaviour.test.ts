import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { reservedHeight } from '../../snippet/reserved-height.ts'
import { renderTag } from '../../src/cli/snippet/tag.ts'
import { KEY } from './fake-service.ts'
import { answer, HOTEL, result } from './reviews.ts'
import { stageSuite } from './stage.ts'

const test = stageSuite('how the snippet behaves')
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The violations axe-core finds on the page, shadow roots included. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { violations } = await Reflect.get(window, 'axe').run(document, { resultTypes: ['violations'] })
    return violations.map((each: { id: string; nodes: { html: string }[] }) => `${each.id}: ${each.nodes[0]?.html}`)
  })
}

const strict = (service: string) =>
  `default-src 'none'; script-src ${service}; connect-src ${service}; style-src 'self'; base-uri 'none'; require-trusted-types-for 'script'`

test('a strict Content-Security-Policy: styled and filled, no violation', async (stage) => {
  stage.service.plan = { response: answer(HOTEL, { badge: true }) }
  const { page, lines } = await stage.settle(stage.tag('data-reserve="300" data-heading="Guests" data-theme="light"'), {
    csp: strict(stage.service.origin),
  })
  assert.equal(lines, [])
  assert.is(await page.locator('li').count(), 3)
  assert.is(await page.locator('[part=list]').evaluate((node) => getComputedStyle(node).display), 'grid')
  assert.ok((await page.locator('pullquote-reviews').evaluate((node) => node.clientHeight)) >= 300)
  assert.is(await page.locator('style').count(), 0)
  await page.context().close()
})

test('a browser without constructable style sheets gets a style element', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page, lines } = await stage.settle(stage.tag(), {
    before: (page) => page.addInitScript('delete CSSStyleSheet.prototype.replaceSync'),
  })
  assert.is(await page.locator('[part=list]').evaluate((node) => getComputedStyle(node).display), 'grid')
  assert.is(await page.locator('style').count(), 1)
  assert.equal(lines, [])
  await page.context().close()
})

/** The sum of layout shifts on a page where text stands below the reviews. */
async function layoutShift(
  stage: Parameters<Parameters<typeof test>[1]>[0],
  html: string,
  count = 3,
  width = 1280,
): Promise<number> {
  stage.service.plan = { response: answer([...HOTEL, ...HOTEL].slice(0, count), { badge: true }), delay: 300 }
  const source = `<html><title>Rooms</title><meta name="viewport" content="width=device-width"><body>
    <h1>Rooms</h1>${html}<p>${'What stands below. '.repeat(60)}</p></body></html>`
  const { page } = await stage.settle(source, {
    viewport: { width, height: width < 500 ? 667 : 720 },
    before: (page) =>
      page.addInitScript(() => {
        Object.assign(window, { shift: 0 })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            Object.assign(window, { shift: Reflect.get(window, 'shift') + Reflect.get(entry, 'value') })
          }
        }).observe({ type: 'layout-shift', buffered: true })
      }),
  })
  await page.waitForTimeout(300)
  const shift = await page.evaluate(() => Reflect.get(window, 'shift'))
  await page.context().close()
  return shift
}

const container = (attributes = '') => `<div data-pullquote data-key="${KEY}" ${attributes}></div>`

test('no layout shift when the page’s style sheet keeps the space of a container', async (stage) => {
  const script = `<script async src="${stage.service.origin}/snippet.js"></script>`
  const style = '<style>[data-pullquote] { min-height: 420px }</style>'
  assert.is(await layoutShift(stage, `${style}${script}${container()}`), 0)
  assert.is(await layoutShift(stage, `${style}${script}${container()}`, 0), 0)
})

test('no layout shift with data-reserve on a tag without async, also when nothing comes', async (stage) => {
  const tag = stage.tag('data-reserve="420"').replace('async ', '')
  assert.is(await layoutShift(stage, tag), 0)
  assert.is(await layoutShift(stage, tag, 0), 0)
})

/** What `pullquote snippet` prints, for the stage's server. */
const printed = (origin: string, limit: number, reserve = 'auto') =>
  renderTag(
    [
      ['style', `display: block; min-height: ${reserve === 'auto' ? reservedHeight(limit) : `${reserve}px`}`],
      ['data-key', KEY],
      ['data-limit', `${limit}`],
      ['data-reserve', reserve],
    ],
    [['src', `${origin}/snippet.js`]],
  )

for (const width of [375, 1280]) {
  test(`the tag that is printed hardly shifts a page of ${width} pixels, and not at all with --reserve`, async (stage) => {
    for (const count of [1, 2, 3, 5]) {
      const tag = printed(stage.service.origin, Math.max(3, count))
      const shift = await layoutShift(stage, tag, count, width)
      assert.ok(shift < 0.05, `${count} cards: ${shift}`)
    }
    const reserved = printed(stage.service.origin, 3, '1400')
    assert.is(await layoutShift(stage, reserved, 3, width), 0)
    assert.is(await layoutShift(stage, reserved, 0, width), 0)
  })
}

test('a file that cannot be loaded leaves no hole in the page', async (stage) => {
  const tag = printed('http://127.0.0.1:9', 5)
  const { page } = await stage.visit(`${tag}<p>After</p>`)
  await page.waitForFunction(() => document.querySelector('pullquote-reviews')?.clientHeight === 0)
  await page.context().close()
})

test('what was kept free and not needed is given back below the window, and all of it when nothing fits', async (stage) => {
  stage.service.plan = { response: answer(HOTEL.slice(0, 1)) }
  const viewport = { width: 375, height: 500 }
  const one = await stage.settle(printed(stage.service.origin, 5), { viewport })
  const bottom = () => document.querySelector('pullquote-reviews')?.getBoundingClientRect().bottom ?? 0
  const at = await one.page.evaluate(bottom)
  assert.ok(at >= 499 && at < 520, `${at}`)
  await one.page.context().close()
  stage.service.plan = { response: answer([]) }
  const none = await stage.settle(printed(stage.service.origin, 5), { viewport })
  assert.is(await none.page.evaluate(() => document.querySelector('pullquote-reviews')?.clientHeight), 0)
  await none.page.context().close()
})

test('without reserved space the page does shift, which shows that the measure works', async (stage) => {
  assert.ok((await layoutShift(stage, stage.tag())) > 0.01)
})

test('an empty block below the window gives its reserved space back', async (stage) => {
  stage.service.plan = { response: answer([]) }
  const { page } = await stage.settle(
    `<style>#space { height: 3000px }</style><div id="space"></div>${stage.tag('data-reserve="420"')}`,
  )
  assert.is(await page.locator('pullquote-reviews').count(), 0)
  await page.context().close()
})

test('axe-core finds no violation, light and dark, narrow and wide, right to left', async (stage) => {
  const long = `${'We sat by the fire and talked. '.repeat(60)}The end.`
  stage.service.plan = {
    response: answer([...HOTEL, result({ text: long, excerpt: 'The end.', author_name: null, rating: null })], {
      badge: true,
    }),
  }
  const attributes = 'data-heading="Guests" data-note="Showing reviews of 4 stars and more" data-mode="reviews"'
  for (const [html, width] of [
    [`lang="en"><body style="background:#fff;color:#222">`, 1200],
    [`lang="en"><body style="background:#fff;color:#222">`, 340],
    [`lang="en"><body style="background:#111;color:#eee">`, 1200],
    [`lang="he" dir="rtl"><body>`, 700],
  ] as const) {
    const source = html.replace('<body', '<title>Rooms</title><meta name="viewport" content="width=device-width"><body')
    const { page } = await stage.settle(
      `<html ${source}<main><h1>Rooms</h1>${stage.tag(attributes)}</main></body></html>`,
      {
        viewport: { width, height: 800 },
      },
    )
    assert.equal(await violations(page), [])
    await page.context().close()
  }
})

test('the cards add no landmark to a page that has none around them', async (stage) => {
  stage.service.plan = { response: answer(HOTEL, { badge: true }) }
  const { page } = await stage.settle(
    `<html lang="en"><title>x</title><body><h1>Rooms</h1>${stage.tag()}</body></html>`,
  )
  assert.equal(
    (await violations(page)).filter((line) => line.startsWith('landmark') && !line.startsWith('landmark-one-main')),
    [],
  )
  await page.context().close()
})

test('the same check finds a fault when there is one', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page } = await stage.settle(
    `<style>pullquote-reviews { --pullquote-color: #ddd }</style><h1>Rooms</h1>${stage.tag()}`,
  )
  assert.ok((await violations(page)).some((line) => line.startsWith('color-contrast')))
  await page.context().close()
})

test('the keyboard reaches links and the buttons of long reviews, in reading order, with a visible focus', async (stage) => {
  const long = `${'We sat by the fire and talked. '.repeat(60)}The end.`
  stage.service.plan = { response: answer([HOTEL[0] ?? result({ text: 'x' }), result({ text: long, url: null })]) }
  const { page } = await stage.settle(
    `<a href="#a">before</a>${stage.tag('data-mode="reviews"')}<a href="#b">after</a>`,
  )
  const reached: string[] = []
  for (let n = 0; n < 4; n++) {
    await page.keyboard.press('Tab')
    reached.push(
      await page.evaluate(() => {
        const focused = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement
        const { outlineStyle } = focused ? getComputedStyle(focused) : { outlineStyle: 'none' }
        return `${focused?.localName} ${focused?.textContent?.slice(0, 6)} ${outlineStyle === 'none' ? 'unseen' : 'seen'}`
      }),
    )
  }
  assert.equal(reached, ['a before seen', 'a Google seen', 'button Read m seen', 'a after seen'])
  await page.context().close()
})

test('a page from right to left: stars, picture and text begin at the right, quotations as they are written', async (stage) => {
  stage.service.plan = {
    response: answer([
      result({ text: 'ארוחת הבוקר הייתה נפלאה.', author_name: 'נועה לוי' }),
      result({ text: 'In English.' }),
    ]),
  }
  const { page } = await stage.settle(
    `<html dir="rtl" lang="he"><title>x</title><body><main>${stage.tag()}</main></body></html>`,
  )
  const card = page.locator('li').first()
  const [avatar, author] = await Promise.all([
    card.locator('[part=avatar]').boundingBox(),
    card.locator('[part=author]').boundingBox(),
  ])
  assert.ok(avatar && author && avatar.x > author.x)
  const directions = page
    .locator('[part=quote]')
    .evaluateAll((all) => all.map((node) => getComputedStyle(node).direction))
  assert.equal(await directions, ['rtl', 'ltr'])
  await page.context().close()
})

test('nothing moves: no animation or transition, whatever the reader prefers', async (stage) => {
  stage.service.plan = { response: answer(HOTEL, { badge: true }) }
  const { page } = await stage.settle(stage.tag(), { reducedMotion: 'no-preference' })
  assert.is(await page.evaluate(() => document.getAnimations().length), 0)
  const moving = await page.evaluate(() => {
    const root = document.querySelector('pullquote-reviews')?.shadowRoot
    return [...(root?.querySelectorAll('*') ?? [])].filter((node) => {
      const { animationName, transitionDuration } = getComputedStyle(node)
      return animationName !== 'none' || transitionDuration !== '0s'
    }).length
  })
  assert.is(moving, 0)
  await page.context().close()
})

test('columns follow the width of the block', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  for (const [width, columns] of [
    [1200, 3],
    // Two would leave the third alone in its row.
    [700, 1],
    [340, 1],
  ] as const) {
    const { page } = await stage.settle(
      `<html><title>x</title><meta name="viewport" content="width=device-width"><body>${stage.tag()}</body></html>`,
      { viewport: { width, height: 700 } },
    )
    const tracks = await page.locator('[part=list]').evaluate((node) => getComputedStyle(node).gridTemplateColumns)
    const filled = tracks.split(' ').filter((track) => track !== '0px')
    assert.is(filled.length, columns, `${width}: ${tracks}`)
    await page.context().close()
  }
})

test.run()
