import * as assert from 'uvu/assert'
import { reservedHeight } from '../../snippet/reserved-height.ts'
import { tagHtml } from '../../snippet/tag-html.ts'
import { KEY } from './fake-service.ts'
import { answer, HOTEL } from './reviews.ts'
import { stageSuite } from './stage.ts'

const test = stageSuite('how the snippet keeps a page from shifting')

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
  tagHtml(
    [
      ['style', `display: block; min-height: ${reserve === 'auto' ? reservedHeight(limit) : `${reserve}px`}`],
      ['data-key', KEY],
      ['data-limit', `${limit}`],
      ['data-reserve', reserve],
    ],
    `${origin}/snippet.js`,
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

test('the place that is kept goes by the size of the text around it, not by the root’s', async (stage) => {
  const element = printed(stage.service.origin, 3).replace(/<script.*/s, '')
  const heights = []
  for (const style of ['html { font-size: 16px }', 'html { font-size: 62.5% } body { font-size: 1.6rem }']) {
    const viewport = { width: 375, height: 4000 }
    const { page } = await stage.visit(`<style>${style}</style>${element}`, { viewport })
    heights.push(await page.locator('pullquote-reviews').evaluate((node) => node.clientHeight))
    await page.context().close()
  }
  assert.ok((heights[0] ?? 0) > 700, `${heights}`)
  assert.is(heights[1], heights[0])
})

test('a file that cannot be loaded leaves no hole in the page, also where an editor has wrapped the script', async (stage) => {
  const tag = printed('http://127.0.0.1:9', 5)
  // CKEditor and TinyMCE put a script into a paragraph, and some also the element.
  const wrapped = tag.replace(/<script.*/s, '<p>$&</p>')
  for (const html of [tag, wrapped, wrapped.replace(/^.*/, '<p>$&</p>')]) {
    const { page, lines } = await stage.visit(`${html}<p>After</p>`)
    await page.waitForFunction(() => document.querySelector('pullquote-reviews')?.clientHeight === 0)
    assert.equal(
      lines.filter((line) => line.startsWith('error:')),
      [],
    )
    await page.context().close()
  }
})

test('the printed tag has nothing that templates or careless optimizers take for something else', async () => {
  // Smarty takes `{word` for code, and simple patterns end a tag at the first `>`.
  for (const [tag] of printed('https://reviews.example', 3).matchAll(/<[a-z].*?>(?=<|$)/gm))
    assert.not.match(tag.slice(0, -1), /[{}>]/)
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

test('nothing moves when a phone hides its address bar', async (stage) => {
  stage.service.plan = { response: answer(HOTEL.slice(0, 1)) }
  const { page } = await stage.settle(printed(stage.service.origin, 5), { viewport: { width: 375, height: 700 } })
  const height = () => page.locator('pullquote-reviews').evaluate((node) => node.clientHeight)
  const before = await height()
  // Its `vh` would not change, this one's does.
  await page.setViewportSize({ width: 375, height: 756 })
  await page.evaluate(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))))
  assert.ok((await height()) >= before, `${before}, then ${await height()}`)
  await page.context().close()
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

test.run()
