import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { prepare } from '../importer/prepared.ts'
import { KEY } from './fake-service.ts'
import { answer, HOTEL } from './reviews.ts'
import { type Stage, stageSuite } from './stage.ts'
import { violations } from './violations.ts'

const test = stageSuite('templates of the snippet')

/** A template with the stage's address and key in place of the examples. */
function template(stage: Stage, name: string): string {
  const text = readFileSync(join(import.meta.dirname, '../../templates/snippet', name), 'utf8')
  return text
    .replaceAll('https://reviews.example.com', stage.service.origin)
    .replaceAll('svc_pk_live_YOUR_PUBLISHABLE_KEY', KEY)
}

test('page.html shows reviews for what it says of itself', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page, lines } = await stage.settle(template(stage, 'page.html'))
  assert.is(await page.locator('#reviews li').count(), 3)
  assert.is(stage.service.queries[0]?.url.searchParams.get('q'), 'Lake view suite')
  assert.is(
    await page
      .locator('[part=quote]')
      .first()
      .evaluate((node) => getComputedStyle(node).fontStyle),
    'italic',
  )
  assert.equal(lines, [])
  assert.equal(await violations(page), [])
  await page.context().close()
})

test('strict-csp.html works under its policy', async (stage) => {
  stage.service.plan = { response: answer(HOTEL, { badge: true }) }
  stage.put('/styles.css', '')
  const { page, lines } = await stage.settle(template(stage, 'strict-csp.html'))
  assert.is(await page.locator('li').count(), 3)
  assert.is(await page.locator('[part=list]').evaluate((node) => getComputedStyle(node).display), 'grid')
  assert.equal(
    lines.filter((line) => /Policy|pullquote/.test(line)),
    [],
  )
  assert.equal(await violations(page), [])
  await page.context().close()
})

test('single-page-app.js asks again after a change of route, and waits for the file', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  stage.put('/app.js', template(stage, 'single-page-app.js'))
  stage.put('/main.js', "import { onRouteChange } from '/app.js'; window.go = onRouteChange; onRouteChange()")
  const { page, lines } = await stage.settle(`<html><head><title>x</title>${stage.tag()}</head><body>
    <h1>Beds</h1><div data-pullquote></div><script type="module" src="/main.js"></script></body></html>`)
  await page.locator('li').first().waitFor()
  await page.waitForFunction(() => Reflect.has(window, 'go'))
  await page.evaluate(() => {
    const heading = document.querySelector('h1')
    if (heading) heading.textContent = 'Food'
    Reflect.get(window, 'go')()
  })
  await page.waitForFunction(() => Reflect.get(window, 'events').length > 1)
  const asked = stage.service.queries.map(({ url }) => url.searchParams.get('q'))
  assert.equal([asked[0], asked.at(-1)], ['Beds', 'Food'])
  assert.is(lines.filter((line) => line.startsWith('error')).length, 0)
  await page.context().close()
})

/** What Shopify makes of the block in shopify.md, on a product's page or another. */
function shopifyBlock(stage: Stage, product?: { title: string; handle: string }): string {
  const [block = ''] = template(stage, 'shopify.md').match(/(?<=```liquid\n).*?(?=```)/s) ?? []
  return block
    .replace(/{% if product %}(.*?){% endif %}/g, (_, inner) => (product ? inner : ''))
    .replace(/{{ product.title .*?}}/, product?.title ?? '')
    .replace(/{{ product.handle .*?}}/, product?.handle ?? '')
    .replace(/{{ request.*?}}/, 'de')
}

const LAMP = { title: 'Oak desk lamp', handle: 'lamp-1' }

test('shopify.md asks with the heading of a page that is no product, and with the key under which imports keep one', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  for (const product of [LAMP, undefined]) {
    const { page } = await stage.settle(`<h1>Desk lamps</h1>${shopifyBlock(stage, product)}`)
    await page.context().close()
  }
  const asked = stage.service.queries.map(({ url: { searchParams } }) =>
    ['q', 'metadata.product_handle', 'fallback'].map((name) => searchParams.get(name)),
  )
  assert.equal(asked, [
    ['Oak desk lamp', 'lamp-1', 'recent'],
    ['Desk lamps', null, null],
  ])
  for (const sample of ['judgeme.csv', 'loox.csv', 'shopify.csv']) {
    const path = join(import.meta.dirname, '../../templates/import/samples', sample)
    const { rows } = await prepare(readFileSync(path, 'utf8'))
    assert.ok(rows[0]?.review.metadata?.product_handle, sample)
  }
})

test('shopify.md shows reviews in a theme that hides what is empty, and those of another variant', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const html = shopifyBlock(stage, LAMP)
  const { page, lines } = await stage.settle(
    `<style>div:empty, section:empty, p:empty { display: none }</style>${html}`,
  )
  assert.is(await page.locator('[part=card]:visible').count(), 3)
  await page.evaluate(() => {
    for (const element of document.querySelectorAll<HTMLElement>('pullquote-reviews'))
      element.dataset.metaProduct_handle = 'lamp-2'
  })
  await page.waitForFunction(() => Reflect.get(window, 'events').length > 1)
  assert.equal(
    stage.service.queries.map(({ url: { searchParams } }) =>
      ['q', 'metadata.product_handle'].map((name) => searchParams.get(name)),
    ),
    [
      ['Oak desk lamp', 'lamp-1'],
      ['Oak desk lamp', 'lamp-2'],
    ],
  )
  assert.equal(lines, [])
  await page.context().close()
})

test.run()
