import * as assert from 'uvu/assert'
import { KEY } from './fake-service.ts'
import { answer, HOTEL, result } from './reviews.ts'
import { type Opened, stageSuite } from './stage.ts'

const test = stageSuite('attributes of the tag')

let opened: Opened | undefined

/** The query parameters of the one request that a page with this tag makes. */
function parametersTest(title: string, attributes: string, check: (parameters: URLSearchParams) => void) {
  test(title, async (stage) => {
    stage.service.plan = { response: answer(HOTEL) }
    opened = await stage.settle(stage.tag(attributes), { opened })
    assert.is(stage.service.queries.length, 1)
    check(stage.service.queries[0]?.url.searchParams ?? new URLSearchParams())
  })
}

parametersTest('a tag with nothing but a key asks with the key, the page and the text', '', (parameters) => {
  assert.equal(
    [...parameters],
    [
      ['key', KEY],
      ['q', 'Page'],
      ['mode', 'reviews'],
    ],
  )
})

parametersTest(
  'every filter and choice arrives under the contract’s name',
  `data-query=" quiet rooms " data-mode="reviews" data-fallback="recent" data-min-rating="5" data-source="google, yelp"
   data-since="2025-01-31" data-limit="3"`,
  (parameters) => {
    assert.equal(Object.fromEntries(parameters), {
      key: KEY,
      q: 'quiet rooms',
      limit: '3',
      mode: 'reviews',
      fallback: 'recent',
      min_rating: '5',
      source: 'google,yelp',
      since: '2025-01-31',
    })
  },
)

for (const [given, sent] of [
  ['0', '1'],
  ['-4', '1'],
  ['1', '1'],
  ['20', '20'],
  ['21', '20'],
  ['9999', '20'],
  ['3.7', '3'],
  ['many', null],
  ['', null],
] as const) {
  parametersTest(`data-limit="${given}" is sent as ${sent}`, `data-limit="${given}"`, (parameters) => {
    assert.is(parameters.get('limit'), sent)
  })
}

parametersTest(
  'data-meta- attributes are metadata filters, dashes, dots and underscores kept',
  'data-meta-product="sku-1" data-meta-room-type="lake view" data-meta-place.id="p&amp;q" data-meta-place_name=""',
  (parameters) => {
    assert.is(parameters.get('metadata.product'), 'sku-1')
    assert.is(parameters.get('metadata.room-type'), 'lake view')
    assert.is(parameters.get('metadata.place.id'), 'p&q')
    assert.is(parameters.get('metadata.place_name'), '')
  },
)

parametersTest('an empty data-query asks for the newest reviews', 'data-query=""', (parameters) => {
  assert.not.ok(parameters.has('q'))
})

parametersTest('a long data-query is cut to 500 characters', `data-query="${'word '.repeat(150)}"`, (parameters) => {
  const query = parameters.get('q') ?? ''
  assert.ok(query.length <= 500 && query.endsWith('word'))
})

test('without data-query the query is the heading of the page', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page } = await stage.settle(`<html><head><title>Breakfast &ndash; Seeblick</title>
    <meta name="description" content="Served from seven."><meta property="og:site_name" content="Seeblick"></head>
    <body>${stage.tag()}<h1><span style="display: block">Eat</span><em>by<!-- not --> the<br>l<b>ake</b></em></h1></body></html>`)
  assert.is(stage.service.queries[0]?.url.searchParams.get('q'), 'Eat by the lake')
  await page.context().close()
})

test('the request is a simple one: a GET without preflight, cookie or header of our own', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page } = await stage.settle(stage.tag())
  const [query] = stage.service.queries
  assert.is(query?.method, 'GET')
  assert.is(query?.headers.origin, stage.origin)
  assert.is(query?.headers.cookie, undefined)
  await page.context().close()
})

test('data-target puts the reviews into every element it selects', async (stage) => {
  const more = result({ text: 'The boats are free.' })
  stage.service.plan = { response: (url) => answer(url.searchParams.has('limit') ? [...HOTEL, more] : HOTEL) }
  const { page } = await stage.settle(
    `${stage.tag('data-target=".here"')}<div class="here"></div><p>between</p><div class="here" data-limit="1"></div>`,
  )
  await page.locator('.here li').nth(3).waitFor()
  assert.is(await page.locator('.here').evaluateAll((all) => all.filter((each) => each.shadowRoot).length), 2)
  assert.equal(stage.service.queries.map(({ url }) => url.searchParams.get('limit')).sort(), ['20', null].sort())
  await page.context().close()
})

test('data-theme sets light or dark, auto follows the reader’s system, and without it the page decides', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const background = async (attributes: string, style = '', colorScheme: 'dark' | 'light' = 'light') => {
    const { page } = await stage.settle(`<style>${style}</style>${stage.tag(attributes)}`, { colorScheme })
    const colour = await page
      .locator('li')
      .first()
      .evaluate((card) => getComputedStyle(card).backgroundColor)
    await page.context().close()
    return colour === 'rgb(255, 255, 255)' ? 'light' : 'dark'
  }
  assert.is(await background('data-theme="light"', 'body { color: #fff }'), 'light')
  assert.is(await background('data-theme="dark"'), 'dark')
  assert.is(await background('data-theme="auto"', '', 'dark'), 'dark')
  assert.is(await background('data-theme="auto"', '', 'light'), 'light')
  assert.is(await background('', 'body { color: #222 }', 'dark'), 'light')
  assert.is(await background('', 'body { background: #111; color: #eee }'), 'dark')
})

test('data-lang sets the language of dates and words, also as WordPress spells it', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  for (const lang of ['de', 'de_DE', 'de-AT']) {
    const { page } = await stage.settle(stage.tag(`data-lang="${lang}"`))
    assert.is(await page.locator('time').first().textContent(), '12. Mai 2026')
    assert.is(await page.locator('[part=stars]').first().getAttribute('aria-label'), '5 von 5 Sternen')
    await page.context().close()
  }
})

test('without data-lang and without a language of the page the reader’s own is used, English words where we have none', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page } = await stage.settle(stage.tag(), { locale: 'fr-FR' })
  assert.is(await page.locator('time').first().textContent(), '12 mai 2026')
  assert.is(await page.locator('[part=stars]').first().getAttribute('aria-label'), '5 étoiles sur 5')
  await page.context().close()
  const croatian = await stage.settle(stage.tag(), { locale: 'hr-HR' })
  assert.is(await croatian.page.locator('time').first().textContent(), '12. svibnja 2026.')
  assert.is(await croatian.page.locator('[part=stars]').first().getAttribute('lang'), 'en')
  await croatian.page.context().close()
})

test('a data-lang that is no language costs the date its form, not the reviews', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page, lines } = await stage.settle(stage.tag('data-lang="?!"'))
  assert.is(await page.locator('time').first().textContent(), '2026-05-12')
  assert.equal(lines, [])
  await page.context().close()
})

test('data-lazy asks when the block comes near the window, and not before', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const far = await stage.visit(
    `<style>#space { height: 5000px }</style><div id="space"></div>${stage.tag('data-lazy')}`,
  )
  await far.page.waitForTimeout(400)
  assert.is(stage.service.queries.length, 0)
  await far.page.mouse.wheel(0, 4500)
  await far.page.locator('pullquote-reviews li').first().waitFor()
  assert.is(stage.service.queries.length, 1)
  await far.page.context().close()
})

test('data-heading is shown with reviews and not without', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const full = await stage.settle(stage.tag('data-heading="What guests say"'))
  assert.is(await full.page.locator('h2').textContent(), 'What guests say')
  await full.page.context().close()
  stage.service.plan = { response: answer([]) }
  const empty = await stage.settle(stage.tag('data-heading="What guests say"'))
  assert.is(await empty.page.locator('h2').count(), 0)
  await empty.page.context().close()
})

test('data-note stands below the reviews: the page says there which ratings are shown', async (stage) => {
  const attributes = 'data-note="Showing reviews of 4 stars and more"'
  stage.service.plan = { response: answer(HOTEL) }
  const full = await stage.settle(stage.tag(attributes))
  assert.is(await full.page.locator('ul + div > [part=note]').textContent(), 'Showing reviews of 4 stars and more')
  await full.page.context().close()
  stage.service.plan = { response: answer([]) }
  const empty = await stage.settle(stage.tag(attributes))
  assert.is(await empty.page.getByText('Showing').count(), 0)
  await empty.page.context().close()
})

test('a key that is not publishable is not sent anywhere', async (stage) => {
  for (const key of ['', `svc_sk_live_${'a1B2'.repeat(8)}`]) {
    const { page, lines } = await stage.visit(
      `<script src="${stage.service.origin}/snippet.js" data-key="${key}"></script><div data-pullquote></div>`,
    )
    await page.waitForTimeout(100)
    assert.is(lines.length, 1)
    assert.match(lines[0] ?? '', /must be svc_pk_/)
    assert.not.match(lines[0] ?? '', /a1B2/)
    await page.context().close()
  }
  assert.is(stage.service.queries.length, 0)
})

test.run()
