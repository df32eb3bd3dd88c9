import * as assert from 'uvu/assert'
import { KEY } from './fake-service.ts'
import { answer, HOTEL, result } from './reviews.ts'
import { stageSuite } from './stage.ts'

const test = stageSuite('the JavaScript interface and elements of the page')

const echo = (url: URL) => answer([result({ text: `About ${url.searchParams.get('q') ?? 'nothing'}.` })])

test('pullquote.render shows reviews in any element, options before attributes', async (stage) => {
  stage.service.plan = { response: echo }
  const { page } = await stage.visit(
    `<script src="${stage.service.origin}/snippet.js"></script><div id="here" data-query="beds" data-limit="2"></div>`,
  )
  await page.evaluate(async (key) => {
    const element = document.getElementById('here')
    if (element) await window.pullquote?.render(element, { key, query: 'a sauna', metadata: { 'Room Type': 'Lake' } })
  }, KEY)
  assert.equal(await page.locator('#here blockquote').allTextContents(), ['About a sauna.'])
  const { url } = stage.service.queries[0] ?? {}
  assert.is(url?.searchParams.get('metadata.Room Type'), 'Lake')
  assert.is(url?.searchParams.get('limit'), '2')
  await page.context().close()
})

test('render again replaces what is shown, and an earlier answer that comes late is dropped', async (stage) => {
  stage.service.plan = { response: echo, delay: 600 }
  const { page } = await stage.visit(`<script src="${stage.service.origin}/snippet.js"></script><div id="here"></div>`)
  await page.evaluate((key) => {
    const element = document.getElementById('here')
    if (element) void window.pullquote?.render(element, { key, query: 'slow' })
  }, KEY)
  stage.service.plan = { response: echo }
  await page.waitForTimeout(100)
  await page.evaluate(async (key) => {
    const element = document.getElementById('here')
    if (element) await window.pullquote?.render(element, { key, query: 'quick' })
  }, KEY)
  await page.waitForTimeout(700)
  assert.equal(await page.locator('blockquote').allTextContents(), ['About quick.'])
  await page.context().close()
})

test('a single-page application: after a change of route refresh asks for the new page, once', async (stage) => {
  stage.service.plan = { response: echo }
  const { page } = await stage.settle(`<h1>Beds</h1><div id="view"><p>Beds</p></div>${stage.tag()}`)
  assert.equal(await page.locator('blockquote').allTextContents(), ['About Beds.'])
  await page.evaluate(async () => {
    history.pushState({}, '', '/food')
    document.title = 'Food'
    const heading = document.querySelector('h1')
    if (heading) heading.textContent = 'Our kitchen'
    await window.pullquote?.refresh()
    await window.pullquote?.refresh()
  })
  assert.equal(await page.locator('blockquote').allTextContents(), ['About Our kitchen.'])
  assert.is(stage.service.queries.length, 2)
  await page.context().close()
})

test('refresh finds containers that a router put in, and forgets those it took out', async (stage) => {
  stage.service.plan = { response: echo }
  const { page } = await stage.visit(
    `<html><head>${stage.tag()}<title>x</title></head><body><div id="view"><div data-pullquote data-query="beds"></div></div></body></html>`,
  )
  await page.locator('li').waitFor()
  await page.evaluate(async () => {
    const view = document.getElementById('view')
    const next = document.createElement('div')
    next.dataset.pullquote = ''
    next.dataset.query = 'food'
    view?.replaceChildren(next)
    await window.pullquote?.refresh()
  })
  assert.equal(await page.locator('blockquote').allTextContents(), ['About food.'])
  assert.is(stage.service.queries.length, 2)
  await page.context().close()
})

const ROUTE = `history.pushState({}, '', '/food'); document.title = 'Food'; document.querySelector('h1').textContent = 'Our kitchen'`

test('after a change of route an element that the router kept asks for the new page by itself, and a container that came with it begins', async (stage) => {
  stage.service.plan = { response: echo }
  const { page, lines } = await stage.visit(
    `<html><head>${stage.tag()}<title>Page</title></head><body><h1>Beds</h1><pullquote-reviews></pullquote-reviews><div id="view"></div></body></html>`,
  )
  await page.getByText('About Beds.').waitFor()
  const came = `document.getElementById('view').innerHTML = '<div data-pullquote data-query="food"></div>'`
  await page.evaluate(`${ROUTE}; ${came}`)
  await page.getByText('About food.').waitFor()
  assert.equal(await page.locator('blockquote').allTextContents(), ['About Our kitchen.', 'About food.'])
  // Addresses that change while the page stays what it is, as those of a filter or an open picture.
  await page.evaluate(`history.replaceState({}, '', '?page=2'); location.hash = '#picture'`)
  await page.waitForTimeout(1_000)
  assert.is(stage.service.queries.length, 3)
  await page.goBack()
  await page.waitForTimeout(1_000)
  assert.is(stage.service.queries.length, 3)
  assert.equal(lines, [])
  await page.context().close()
})

test('a mark that a router puts on a tag after it has run is no new setting: the element does not ask again', async (stage) => {
  stage.service.plan = { response: echo }
  const { page } = await stage.visit(
    `<html><head>${stage.tag()}<title>Page</title></head><body><h1>Beds</h1><pullquote-reviews></pullquote-reviews></body></html>`,
  )
  await page.getByText('About Beds.').waitFor()
  await page.evaluate(async () => {
    for (const { dataset } of document.scripts) dataset.astroExec = ''
    await window.pullquote?.refresh()
  })
  assert.is(stage.service.queries.length, 1)
  await page.context().close()
})

test('a page whose own script has a variable named navigation shows its reviews', async (stage) => {
  stage.service.plan = { response: echo }
  for (const value of ['{ open: false }', '"top"', 'null', 'document.body']) {
    const { page, lines } = await stage.settle(`<script>var navigation = ${value}</script><h1>Beds</h1>${stage.tag()}`)
    assert.is(await page.locator('blockquote').count(), 1, value)
    assert.equal(lines, [])
    await page.context().close()
  }
})

test('a block whose content a framework wiped comes back with refresh', async (stage) => {
  stage.service.plan = { response: echo }
  const { page } = await stage.settle(
    `<div id="box" data-pullquote data-key="${KEY}" data-query="beds"></div><script src="${stage.service.origin}/snippet.js"></script>`,
  )
  await page.evaluate(async () => {
    document.getElementById('box')?.replaceChildren()
    await window.pullquote?.refresh()
  })
  assert.equal(await page.locator('blockquote').allTextContents(), ['About beds.'])
  await page.context().close()
})

test('a page that was kept as HTML and put back shows the reviews once, also with data-reserve', async (stage) => {
  stage.service.plan = { response: echo }
  const { page } = await stage.settle(`<div id="view">${stage.tag('data-query="beds" data-reserve="200"')}</div>`)
  await page.evaluate(async () => {
    const view = document.getElementById('view') as HTMLElement
    // What was kept is put back with its script, which does not run again.
    const kept = view.innerHTML
    view.innerHTML = kept
    await window.pullquote?.refresh()
  })
  await page.locator('li').first().waitFor()
  assert.is(await page.locator('li').count(), 1)
  await page.context().close()
})

test('an element keeps what the page has in it, and no child is added to it', async (stage) => {
  stage.service.plan = { response: echo }
  const { page } = await stage.settle(
    `<div id="box" data-pullquote data-query="beds"><p>Guests say:</p></div>${stage.tag()}`,
  )
  assert.ok(await page.getByText('Guests say:').isVisible())
  assert.is(await page.locator('#box').evaluate((node) => node.childNodes.length), 1)
  assert.equal(await page.locator('blockquote').allTextContents(), ['About beds.'])
  await page.context().close()
})

test('elements that can carry no shadow root, or carry their own, get a child', async (stage) => {
  stage.service.plan = { response: echo }
  const { page, lines } = await stage.visit(
    `<script src="${stage.service.origin}/snippet.js"></script><table><tr><td id="cell"></td></tr></table><div id="own"></div>`,
  )
  await page.evaluate(async (key) => {
    document.getElementById('own')?.attachShadow({ mode: 'open' }).append(document.createElement('slot'))
    for (const id of ['cell', 'own']) await window.pullquote?.render(`#${id}`, { key, query: id })
  }, KEY)
  assert.equal(await page.locator('blockquote').allTextContents(), ['About cell.', 'About own.'])
  assert.is(await page.locator('td > pullquote-reviews, #own > pullquote-reviews').count(), 2)
  assert.equal(lines, [])
  await page.context().close()
})

test('<pullquote-reviews> begins when it is put onto the page, and asks again when an attribute changes', async (stage) => {
  stage.service.plan = { response: echo }
  const { page } = await stage.settle(`<pullquote-reviews data-query="beds"></pullquote-reviews>${stage.tag()}`)
  assert.equal(await page.locator('blockquote').allTextContents(), ['About beds.'])
  await page.evaluate(() => {
    const later = document.createElement('pullquote-reviews')
    later.dataset.query = 'food'
    document.querySelector('main')?.append(later)
  })
  await page.getByText('About food.').waitFor()
  await page
    .locator('pullquote-reviews')
    .first()
    .evaluate((node) => node.setAttribute('data-query', 'a sauna'))
  await page.getByText('About a sauna.').waitFor()
  assert.is(await page.getByText('About beds.').count(), 0)
  assert.is(stage.service.queries.length, 3)
  await page.context().close()
})

test('a tag that a page swaps in waits for the title too, and asks once', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page } = await stage.settle(`<main><h1>Sauna</h1>${stage.tag()}</main>`)
  await page.waitForFunction(() => document.readyState === 'complete')
  await page.evaluate(() => {
    const main = document.querySelector('main') as HTMLElement
    const old = main.querySelector('script') as HTMLScriptElement
    const tag = document.createElement('script')
    for (const { name, value } of old.attributes) tag.setAttribute(name, value)
    const heading = document.createElement('h1')
    heading.textContent = 'Breakfast'
    main.replaceChildren(heading, tag)
    tag.onload = () => {
      document.title = 'Breakfast'
    }
  })
  await page.waitForFunction(() => Reflect.get(window, 'events').length > 1)
  assert.equal(
    stage.service.queries.map(({ url }) => url.searchParams.get('q')),
    ['Sauna', 'Breakfast'],
  )
  await page.context().close()
})

test('an element that a page swaps in waits for the title, which htmx and heads of frameworks set after it', async (stage) => {
  stage.service.plan = { response: echo }
  const { page } = await stage.settle(
    `<html><head><title>Rooms</title>${stage.tag()}</head><body><main><h1>Rooms</h1><pullquote-reviews></pullquote-reviews></main></body></html>`,
  )
  await page.evaluate(() => {
    const [heading, element] = [document.createElement('h1'), document.createElement('pullquote-reviews')]
    heading.textContent = 'Breakfast'
    document.querySelector('main')?.replaceChildren(heading, element)
    setTimeout(() => {
      document.title = 'Breakfast'
    }, 20)
  })
  await page.getByText('About Breakfast.').waitFor()
  assert.equal(
    stage.service.queries.map(({ url }) => url.searchParams.get('q')),
    ['Rooms', 'Breakfast'],
  )
  await page.context().close()
})

test('what render was told for an element stays when it moves and when an attribute changes', async (stage) => {
  stage.service.plan = { response: echo }
  const { page } = await stage.visit(
    `<html><head>${stage.tag()}<title>x</title></head><body><div id="a"></div><div id="b"></div></body></html>`,
  )
  await page.waitForFunction(() => window.pullquote)
  await page.evaluate(async () => {
    const made = document.createElement('pullquote-reviews')
    await window.pullquote?.render(made, { query: 'a sauna' })
    document.getElementById('a')?.append(made)
  })
  await page.getByText('About a sauna.').waitFor()
  await page.evaluate(() => {
    document.getElementById('b')?.append(document.querySelector('pullquote-reviews') as Element)
  })
  await page.locator('pullquote-reviews').evaluate((node) => node.setAttribute('data-limit', '2'))
  // The first answer came before the element was on the page.
  await page.waitForFunction(() => Reflect.get(window, 'events').length > 0)
  assert.equal(await page.locator('#b blockquote').allTextContents(), ['About a sauna.'])
  assert.equal(
    stage.service.queries.map(({ url }) => [url.searchParams.get('q'), url.searchParams.get('limit')]),
    [
      ['a sauna', null],
      ['a sauna', '2'],
    ],
  )
  await page.context().close()
})

test('a page that replaces its body with each visit asks for what is there now alone', async (stage) => {
  stage.service.plan = { response: echo }
  const { page } = await stage.settle(stage.tag('data-query="beds"'))
  for (const query of ['food', 'a sauna']) {
    await page.evaluate(async (query) => {
      const shown = document.querySelector('script') as HTMLScriptElement
      const tag = document.createElement('script')
      Object.assign(tag, { src: shown.src })
      Object.assign(tag.dataset, shown.dataset, { query })
      const body = document.createElement('body')
      body.append(tag)
      document.body.replaceWith(body)
      await new Promise((go) => (tag.onload = go))
    }, query)
    await page.getByText(`About ${query}.`).waitFor()
    await page.evaluate(() => window.pullquote?.refresh())
  }
  assert.equal(
    stage.service.queries.map(({ url }) => url.searchParams.get('q')),
    ['beds', 'food', 'a sauna'],
  )
  await page.context().close()
})

test('render takes options as programs have them, and tells what it cannot take without throwing', async (stage) => {
  stage.service.plan = { response: echo }
  const { page, lines } = await stage.visit(
    `<script src="${stage.service.origin}/snippet.js"></script><div id="here"></div>`,
  )
  await page.evaluate(async (key) => {
    const { pullquote } = window
    const options = { key, query: 5, source: ['yelp', 'google'], limit: 2 }
    await pullquote?.render('#here', options)
    await pullquote?.render('#nowhere', options)
    await pullquote?.render('..', options)
    const render: unknown = pullquote?.render
    if (typeof render === 'function') await render(null, options)
  }, KEY)
  assert.equal(await page.locator('blockquote').allTextContents(), ['About 5.'])
  await page.evaluate(async () => {
    const render: unknown = window.pullquote?.render
    if (typeof render === 'function') await render('#here', null)
  })
  assert.equal(await page.locator('blockquote').allTextContents(), [], 'what is asked for without a key is nothing')
  assert.is(stage.service.queries[0]?.url.searchParams.get('source'), 'yelp,google')
  assert.equal(lines, [
    '[pullquote] no target #nowhere',
    '[pullquote] no target ..',
    '[pullquote] no target null',
    '[pullquote] data-key must be svc_pk_…',
  ])
  await page.context().close()
})

test.run()
