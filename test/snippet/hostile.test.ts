import * as assert from 'uvu/assert'
import { answer, result } from './reviews.ts'
import { stageSuite } from './stage.ts'

const test = stageSuite('hostile reviews')

const MARKUP = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script><b>bold</b>&lt;i&gt; </blockquote>'

test('markup in any field is text', async (stage) => {
  const source = 'google'
  stage.service.plan = {
    response: answer([
      result({ text: `Nice. ${MARKUP} Really nice.`, excerpt: MARKUP, author_name: MARKUP, source }),
      result({ text: MARKUP, occurred_at: MARKUP, url: MARKUP, author_avatar_url: MARKUP }),
    ]),
  }
  const { page, lines } = await stage.settle(stage.tag('data-avatars'))
  assert.is(await page.locator('blockquote').first().textContent(), `Nice. ${MARKUP} Really nice.`)
  assert.is(await page.locator('[part=author]').first().textContent(), MARKUP)
  assert.is(await page.locator('li img, li script, li b').count(), 0)
  await page.waitForTimeout(100)
  assert.is(await page.evaluate(() => Reflect.get(window, 'hacked')), undefined)
  assert.equal(lines, [])
  await page.context().close()
})

test('markup in attributes of the tag is text as well', async (stage) => {
  stage.service.plan = { response: answer([result({ text: 'Fine.' })]) }
  const heading = MARKUP.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const { page } = await stage.settle(stage.tag(`data-heading="${heading}" data-note="${heading}"`))
  assert.is(await page.locator('h2').textContent(), MARKUP)
  assert.is(await page.evaluate(() => Reflect.get(window, 'hacked')), undefined)
  await page.context().close()
})

for (const url of [
  'javascript:window.hacked=1',
  'JaVaScRiPt:window.hacked=1',
  ' javascript:window.hacked=1',
  'java\nscript:window.hacked=1',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://x.example/1',
  '//evil.example/x',
  ' https://x.example/1',
  '/relative',
  'not an address',
]) {
  test(`no link to ${JSON.stringify(url)}`, async (stage) => {
    stage.service.plan = {
      response: answer([result({ text: 'Fine.', url }), result({ text: 'Fine.', source: 'custom', url })]),
    }
    const { page } = await stage.settle(stage.tag())
    assert.is(await page.locator('li').count(), 2)
    assert.is(await page.locator('a').count(), 0)
    assert.is(await page.locator('blockquote').first().getAttribute('cite'), null)
    await page.context().close()
  })
}

test('direction overrides stay inside the text they are in', async (stage) => {
  const override = '\u202e\u2067drow sdrawkcab'
  stage.service.plan = {
    response: answer([
      result({ text: `Good. ${override}`, author_name: `Eve ${override}` }),
      result({ text: 'Next.' }),
    ]),
  }
  const { page } = await stage.settle(stage.tag())
  const first = page.locator('li').first()
  assert.is(await first.locator('blockquote').textContent(), `Good. ${override}`)
  // The author's line ends where the date begins: the date is still read from left to right.
  const order = await page
    .locator('time')
    .first()
    .evaluate((node) => {
      const text = node.firstChild
      if (!text) return []
      return [0, 3].map((at) => {
        const range = document.createRange()
        range.setStart(text, at)
        range.setEnd(text, at + 1)
        return range.getBoundingClientRect().left
      })
    })
  assert.ok((order[0] ?? 0) < (order[1] ?? 0), `${order}`)
  const next = page.locator('li').nth(1).locator('blockquote')
  assert.is(await next.evaluate((node) => getComputedStyle(node).direction), 'ltr')
  await page.context().close()
})

test('endless words, towers of accents and walls of lines stay inside their card', async (stage) => {
  const tower = `Z${'\u0300\u0301\u0302'.repeat(300)}algo`
  const lines = `a${'\n'.repeat(250)}b`
  stage.service.plan = {
    response: answer([
      result({ text: 'x'.repeat(3000), author_name: 'y'.repeat(256) }),
      result({ text: tower, author_name: tower.slice(0, 256) }),
      result({ text: lines }),
    ]),
  }
  const { page } = await stage.settle(stage.tag(), { viewport: { width: 360, height: 800 } })
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  assert.is(overflow, 0)
  for (const card of await page.locator('li').all()) {
    assert.is(await card.evaluate((node) => getComputedStyle(node).overflow), 'hidden')
  }
  await page.context().close()
})

test('a page with an element named pullquote, or odd metadata keys, does not break it', async (stage) => {
  stage.service.plan = { response: answer([result({ text: 'Fine.' })]) }
  const { page, lines } = await stage.settle(`<div id="pullquote"></div>${stage.tag('data-meta-__proto__="x"')}`)
  assert.is(await page.locator('li').count(), 1)
  assert.is(stage.service.queries[0]?.url.searchParams.get('metadata.__proto__'), 'x')
  assert.equal(lines, [])
  await page.context().close()
})

test('offsets that lie outside the text mark nothing and throw nothing', async (stage) => {
  const odd = { ...result({ text: 'Fine.' }), highlight: { start: -5, end: 9e9 } }
  stage.service.plan = { response: answer([odd]) }
  const { page, lines } = await stage.settle(stage.tag())
  assert.is(await page.locator('blockquote').textContent(), 'Fine.')
  assert.equal(lines, [])
  await page.context().close()
})

test.run()
