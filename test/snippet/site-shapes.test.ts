/**
 * What each kind of site asks, that the command line's preview says the same, and that the cards fit, on a phone and wide.
 * `SHOTS=folder` keeps a picture of each.
 */
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { pageQueries } from '../../src/web-page/page-queries.ts'
import { readPage } from '../../src/web-page/page-text.ts'
import { answer, HOTEL } from './reviews.ts'
import { SHAPES } from './site-shapes.ts'
import { type Opened, stageSuite } from './stage.ts'

const test = stageSuite('kinds of sites')

for (const { name, html, q, preview, csp, isXml, dark, reducedMotion } of SHAPES) {
  test(name, async (stage) => {
    stage.service.plan = { response: answer(HOTEL, { badge: true }) }
    const tag = stage.tag('data-heading="What guests say" data-note="Reviews of 4 stars and more"')
    const source = html
      .replace('WRITTEN', JSON.stringify(tag.replace('async ', '')).replace('</', '<\\/'))
      .replace('TAG', isXml ? tag.replace('async', 'async="async"') : tag)
    assert.is(pageQueries(await readPage(source, stage.origin))[0], preview ?? q)
    let opened: Opened | undefined
    for (const width of [375, 1280]) {
      const viewport = { width, height: 800 }
      await opened?.page.setViewportSize(viewport)
      opened = await stage.settle(source, {
        opened,
        viewport,
        ...(isXml ? { isXml } : {}),
        ...(csp ? { csp: csp.replaceAll('HOST', stage.service.origin) } : {}),
        ...(reducedMotion ? { reducedMotion } : {}),
      })
      const { page, lines } = opened
      if (process.env.SHOTS) {
        const file = `shape-${name.replace(/\W+/g, '-')}-${width}.png`
        await page.screenshot({ path: join(process.env.SHOTS, file), fullPage: true })
      }
      assert.is(stage.service.queries.at(-1)?.url.searchParams.get('q') ?? '', q)
      const seen = await page.locator('[part=card]').evaluateAll((cards) =>
        cards.map((card) => {
          const { left, right, width: wide, height } = card.getBoundingClientRect()
          const quote = card.querySelector('blockquote') as Element
          const { fontSize, display } = getComputedStyle(quote)
          const { backgroundColor } = getComputedStyle(card)
          return {
            fits: left >= 0 && right <= innerWidth && wide >= 150 && height > 60,
            isCut: card.scrollWidth > card.clientWidth + 1,
            display,
            isReadable: Number.parseFloat(fontSize) >= 12,
            isDark: (backgroundColor.match(/[\d.]+/g) ?? []).slice(0, 3).every((part) => Number(part) < 90),
          }
        }),
      )
      assert.is(seen.length, HOTEL.length)
      const expected = { fits: true, isCut: false, display: 'block', isReadable: true, isDark: dark ?? false }
      for (const card of seen) assert.equal(card, expected, `${name} at ${width}`)
      const told = lines.filter((line) => !/style-src/.test(line))
      assert.equal(told, [])
    }
    await opened?.page.context().close()
  })
}

test.run()
