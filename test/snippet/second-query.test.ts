/** A page that sets no query is searched for by its heading, and with its description and title only where nothing fits that. */
import * as assert from 'uvu/assert'
import { answer, HOTEL, result } from './reviews.ts'
import { eventsOf, type Stage, stageSuite } from './stage.ts'

const test = stageSuite('second query of a page')

const SAUNA = result({ text: 'The sauna has a window onto the lake.' })
const NEWEST = result({ text: 'All was well.' })
/** Finds the sauna only where it is named. */
const byWord = (url: URL) => (/sauna/i.test(url.searchParams.get('q') ?? '') ? answer([SAUNA]) : answer([]))
const page = (block: string, text = '<title>Wellness – Alder</title><h1>Wellness</h1>') =>
  `<html><head><META NAME="Description" CONTENT="A sauna by the lake.">${text}</head><body>${block}</body></html>`

const asked = (stage: Stage) => stage.service.queries.map(({ url }) => url.searchParams.get('q'))
const ended = (name: string, count = 1) => `events.filter((each) => each.name === '${name}').length >= ${count}`

test('where something fits the heading the description is not asked for', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const opened = await stage.settle(page(stage.tag()))
  assert.equal(asked(stage), ['Wellness'])
  await opened.page.context().close()
})

test('where nothing fits, what the description finds is shown', async (stage) => {
  stage.service.plan = { response: byWord }
  const opened = await stage.settle(page(stage.tag('data-limit="2"')))
  assert.equal(asked(stage), ['Wellness', 'Wellness – A sauna by the lake.'])
  assert.equal(
    stage.service.queries.map(({ url }) => url.searchParams.get('limit')),
    ['2', '2'],
  )
  assert.is(await opened.page.locator('blockquote').textContent(), 'The sauna has a window onto the lake.')
  assert.equal(
    opened.events.map(({ name, detail }) => [name, detail.response?.match]),
    [['loaded', 'query']],
  )
  assert.equal(opened.lines, [])
  await opened.page.evaluate('pullquote.refresh()')
  assert.is(stage.service.queries.length, 2, 'what is shown is not asked for again')
  await opened.page.context().close()
})

test('where nothing fits both, the newest reviews or none are shown, after two requests', async (stage) => {
  for (const [attributes, response, name] of [
    ['data-fallback="recent"', answer([NEWEST], { match: 'fallback' }), 'loaded'],
    ['', answer([]), 'empty'],
  ] as const) {
    stage.service.queries.length = 0
    stage.service.plan = { response }
    const opened = await stage.settle(page(stage.tag(attributes)))
    assert.equal(asked(stage), ['Wellness', 'Wellness – A sauna by the lake.'])
    assert.is(opened.events[0]?.name, name)
    await opened.page.context().close()
  }
})

test('one request is all where there is no second query: with a query, or a page with only one of both', async (stage) => {
  stage.service.plan = { response: (url) => answer([], { match: url.searchParams.has('q') ? 'none' : 'recent' }) }
  const bare = (head: string) => `<html><head>${head}</head><body>${stage.tag()}</body></html>`
  for (const [html, q] of [
    [page(stage.tag('data-query=" parking "')), 'parking'],
    [page(stage.tag('data-query=""')), null],
    [page(stage.tag(), ''), 'A sauna by the lake.'],
    [bare('<title>Wellness</title>'), 'Wellness'],
    [bare('<title>Wellness</title><meta name="description" content=" ">'), 'Wellness'],
    [bare(''), null],
  ] as const) {
    stage.service.queries.length = 0
    const opened = await stage.settle(html)
    await opened.page.waitForTimeout(50)
    assert.is(stage.service.queries.length, 1, html)
    assert.equal(asked(stage), [q])
    await opened.page.context().close()
  }
})

test('a service that fails is not asked a second time', async (stage) => {
  stage.service.plan = { error: { status: 503, code: 'service_unavailable', message: 'later' } }
  const opened = await stage.settle(page(stage.tag()))
  assert.is(stage.service.queries.length, 1)
  await opened.page.context().close()
})

test('what a later view asks is not overwritten by an earlier view’s second answer, and a first one asks no second', async (stage) => {
  stage.service.plan = { response: byWord }
  const element = `<pullquote-reviews></pullquote-reviews>`
  const opened = await stage.visit(page(`${stage.tag('data-limit="3"')}${element}`), {
    before: (page) =>
      page.route(/v1\/query\?.*q=Wellness/, async (route) => {
        const isSecond = route.request().url().includes('lake')
        await new Promise((go) => setTimeout(go, isSecond ? 1500 : 300))
        await route.continue()
      }),
  })
  const turnTo = (title: string) =>
    opened.page.evaluate((title) => {
      document.title = title
      document.querySelector('h1')?.replaceChildren(title)
      return window.pullquote?.refresh()
    }, title)
  await opened.page.waitForRequest(/q=Wellness.*lake/)
  await turnTo('Sauna')
  await opened.page.waitForTimeout(1800)
  assert.is(await opened.page.locator('blockquote').count(), 1)
  assert.equal(
    (await eventsOf(opened.page)).map(({ name }) => name),
    ['loaded'],
  )
  stage.service.queries.length = 0
  await Promise.all([turnTo('Wellness'), opened.page.waitForRequest(/q=Wellness/).then(() => turnTo('Sauna'))])
  assert.equal(asked(stage).sort(), ['Sauna', 'Wellness'])
  await opened.page.context().close()
})

test('a block waits for the second answers of those above it, so that the network decides nothing', async (stage) => {
  stage.service.plan = { response: byWord }
  const blocks = `${stage.tag('data-limit="3"')}<pullquote-reviews></pullquote-reviews><pullquote-reviews data-query="sauna"></pullquote-reviews>`
  const opened = await stage.visit(page(blocks), {
    before: (page) =>
      page.route(/v1\/query\?.*lake/, async (route) => {
        await new Promise((go) => setTimeout(go, 600))
        await route.continue()
      }),
  })
  await opened.page.waitForFunction(`${ended('loaded')} && ${ended('empty')}`)
  assert.is(await opened.page.locator('pullquote-reviews').first().locator('blockquote').count(), 1)
  assert.is(await opened.page.locator('blockquote').count(), 1)
  await opened.page.context().close()
})

test('a form field whose name contains that of the site’s name costs nothing', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const fields = '<form name="site_search"><input name="website_url"></form>'
  const opened = await stage.settle(page(`${fields}${stage.tag()}`))
  assert.equal(opened.lines, [])
  assert.equal(asked(stage), ['Wellness'])
  await opened.page.context().close()
})

test.run()
