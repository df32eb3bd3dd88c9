import * as assert from 'uvu/assert'
import { answer, HOTEL, result } from './reviews.ts'
import { stageSuite } from './stage.ts'
import { violations } from './violations.ts'

const test = stageSuite('how the snippet behaves')

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

test('an animation of the element does not read the page in every frame, and another query is still asked for', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page } = await stage.settle(
    `<h1>Beds</h1>${stage.tag('data-theme="light"')}<pullquote-reviews></pullquote-reviews>`,
  )
  // A new element reads the page once more a tenth of a second after it came.
  await page.waitForTimeout(500)
  const reads = await page.evaluate(async () => {
    const { style } = document.querySelector('pullquote-reviews') as HTMLElement
    const find = document.querySelectorAll.bind(document)
    let count = 0
    const counted = (selector: string) => {
      count++
      return find(selector)
    }
    Object.assign(document, { querySelectorAll: counted })
    for (let frame = 1; frame < 6; frame++) {
      style.opacity = `${frame / 5}`
      await new Promise(requestAnimationFrame)
    }
    return count
  })
  assert.is(reads, 0)
  await page.locator('pullquote-reviews').evaluate((element) => element.setAttribute('data-query', 'food'))
  await page.waitForFunction(() => Reflect.get(window, 'events').length > 1)
  assert.is(stage.service.queries.at(-1)?.url.searchParams.get('q'), 'food')
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
