import * as assert from 'uvu/assert'
import { KEY } from './fake-service.ts'
import { answer, HOTEL, result } from './reviews.ts'
import { stageSuite } from './stage.ts'

const test = stageSuite('several blocks, containers and the JavaScript interface')

/** One review that repeats the query, so that a block's request can be told from its content. */
const echo = (url: URL) => answer([result({ text: `About ${url.searchParams.get('q') ?? 'nothing'}.` })])

test('several tags on one page each show their own reviews, where they stand', async (stage) => {
  stage.service.plan = { response: echo }
  const { page, lines } = await stage.settle(
    `<div id="a">${stage.tag('data-query="beds"')}</div><div id="b">${stage.tag('data-query="food"')}</div>
     <div id="c">${stage.tag('data-query="beds"', 'renamed.js')}</div>`,
  )
  await page.locator('#c > pullquote-reviews li').waitFor()
  await page.locator('#b > pullquote-reviews li').waitFor()
  const shown = await page.locator('blockquote').allTextContents()
  assert.equal(shown, ['About beds.', 'About food.', 'About beds.'])
  assert.is(await page.locator('#a > script + pullquote-reviews').count(), 1)
  assert.equal(lines, [])
  await page.waitForTimeout(200)
  assert.is((await page.evaluate(() => Reflect.get(window, 'events'))).length, 3)
  await page.context().close()
})

test('tags that ask the same share one request', async (stage) => {
  stage.service.plan = { response: echo, delay: 200 }
  const { page } = await stage.settle(`${stage.tag('data-query="beds"')}${stage.tag('data-query="beds"')}`)
  await page.locator('li').nth(1).waitFor()
  assert.is(stage.service.queries.length, 1)
  await page.context().close()
})

test('containers with keys of their own need a bare script only', async (stage) => {
  stage.service.plan = { response: echo }
  const { page } = await stage.settle(
    `<div data-pullquote data-key="${KEY}" data-query="beds"></div>
     <section data-pullquote data-key="${KEY}" data-query="food" data-meta-product="sku-1"></section>
     <script async src="${stage.service.origin}/snippet.js"></script>`,
  )
  await page.locator('section[data-pullquote] li').waitFor()
  assert.equal((await page.locator('blockquote').allTextContents()).sort(), ['About beds.', 'About food.'])
  assert.is(
    await page.locator('[data-pullquote]').evaluateAll((all) => all.filter((each) => each.shadowRoot).length),
    2,
  )
  assert.equal(
    stage.service.queries.map(({ url }) => url.searchParams.get('metadata.product')).sort(),
    ['sku-1', null].sort(),
  )
  await page.context().close()
})

test('containers without a key take key and settings from the tag, which then shows nothing itself', async (stage) => {
  stage.service.plan = { response: echo }
  const { page } = await stage.settle(
    `<html><head>${stage.tag('data-limit="2" data-query="stay"')}<title>x</title></head><body>
     <div data-pullquote data-query="beds" data-limit="4"></div><div data-pullquote></div></body></html>`,
  )
  await page.locator('li').nth(1).waitFor()
  assert.equal(await page.locator('blockquote').allTextContents(), ['About beds.', 'About stay.'])
  assert.equal(stage.service.queries.map(({ url }) => url.searchParams.get('limit')).sort(), ['20', '4'])
  await page.context().close()
})

test('a tag and containers with keys stand side by side', async (stage) => {
  stage.service.plan = { response: echo }
  const { page } = await stage.settle(
    `<div data-pullquote data-key="${KEY}" data-query="beds"></div>${stage.tag('data-query="food"')}`,
  )
  await page.locator('li').nth(1).waitFor()
  assert.equal(await page.locator('blockquote').allTextContents(), ['About beds.', 'About food.'])
  await page.context().close()
})

test('while the next reviews are on their way the old ones are gone and their space stays', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page } = await stage.settle(stage.tag('data-query="beds"'))
  const height = await page.locator('pullquote-reviews').evaluate((node) => node.clientHeight)
  stage.service.plan = { response: answer(HOTEL.slice(0, 1)), delay: 2000 }
  await page.evaluate(() => {
    const tag = document.querySelector('script')
    if (tag) tag.dataset.query = 'food'
    void window.pullquote?.refresh()
  })
  assert.is(await page.locator('li').count(), 0)
  assert.is(await page.locator('pullquote-reviews').evaluate((node) => node.clientHeight), height)
  await page.locator('li').first().waitFor()
  assert.is(await page.locator('pullquote-reviews').evaluate((node) => node.style.minHeight), '')
  await page.context().close()
})

test('events bubble from the block with answer and request id', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { events, page } = await stage.settle(stage.tag())
  assert.equal(
    events.map(({ name, path, detail }) => [name, path, detail.status, detail.requestId, detail.response?.match]),
    [['loaded', 'pullquote-reviews', 200, 'req-1', 'query']],
  )
  await page.context().close()
})

test('on the service’s own origin, where a GET carries no Origin, the POST form is used', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const body = `<script src="/snippet.js" data-key="${KEY}" data-query="beds" data-limit="3" data-min-rating="5"
    data-source="google, yelp" data-meta-product="sku-1" data-mode="reviews"></script>`
  const { page } = await stage.settle(body, {
    before: async (page) => {
      await page.route(`${stage.origin}/snippet.js`, (route) =>
        route.continue({ url: `${stage.service.origin}/snippet.js` }),
      )
      await page.route(`${stage.origin}/v1/query`, async (route) => {
        const { method, url, headers, postData } = {
          method: route.request().method(),
          url: route.request().url(),
          headers: await route.request().allHeaders(),
          postData: route.request().postDataJSON(),
        }
        assert.is(method, 'POST')
        assert.is(url, `${stage.origin}/v1/query`)
        assert.is(headers.origin, stage.origin)
        assert.is(headers.authorization, `Bearer ${KEY}`)
        assert.equal(postData, {
          q: 'beds',
          limit: 3,
          mode: 'reviews',
          filters: { min_rating: 5, source: ['google', 'yelp'], 'metadata.product': 'sku-1' },
        })
        await route.fulfill({ json: answer(HOTEL) })
      })
    },
  })
  assert.is(await page.locator('li').count(), 3)
  await page.context().close()
})

test('a page can bring words of its own language', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page } = await stage.visit(
    `<script src="${stage.service.origin}/snippet.js"></script><script src="/words.js"></script>
     <div data-pullquote data-key="${KEY}" data-lang="hr"></div>`,
    {
      before: async () => stage.put('/words.js', "pullquote.labels.hr = '# od 5 zvjezdica'"),
    },
  )
  await page.getByRole('img', { name: '5 od 5 zvjezdica' }).first().waitFor()
  await page.context().close()
})

test('a page that changes its language but not its query has the dates and words of the new one after a refresh', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page } = await stage.settle(
    `<html lang="de"><title>x</title><body>${stage.tag('data-query=""')}</body></html>`,
  )
  await page.getByRole('img', { name: '5 von 5 Sternen' }).first().waitFor()
  await page.evaluate(async () => {
    document.documentElement.lang = 'fr'
    await window.pullquote?.refresh()
  })
  assert.is(await page.locator('[part=stars]').first().getAttribute('aria-label'), '5 étoiles sur 5')
  assert.is(await page.locator('time').first().textContent(), '12 mai 2026')
  await page.context().close()
})

test('the words of the page’s language are asked for beside the reviews, neither before nor after them', async (stage) => {
  let asked: number | undefined
  stage.service.labels.length = 0
  stage.service.queries.length = 0
  stage.service.plan = {
    delay: 500,
    response: () => {
      asked = stage.service.labels.length
      return answer(HOTEL)
    },
    // An answer that waits until the reviews were asked for.
    labels: async () => {
      while (!stage.service.queries[0]) await new Promise((resume) => setTimeout(resume, 10))
    },
  }
  const { page, lines } = await stage.settle(stage.tag('data-lang="de-AT"'))
  await page.getByRole('img', { name: '5 von 5 Sternen' }).first().waitFor()
  assert.is(asked, 1)
  assert.is(stage.service.labels[0]?.search, '?lang=de')
  assert.equal(lines, [])
  await page.context().close()
})

test('two blocks of one language ask for its words and for the note once', async (stage) => {
  stage.service.labels.length = 0
  const note = { note: 'Bewertungen ab 4 Sternen', lang: 'de', min_rating: 4 }
  stage.service.plan = { response: echo, note, labels: () => new Promise((resume) => setTimeout(resume, 200)) }
  const block = (query: string) => `<div data-pullquote data-query="${query}" data-lang="de" data-note="auto"></div>`
  const { page } = await stage.settle(`${block('rooms')}${block('garden')}${stage.tag()}`)
  await page.waitForFunction(() => Reflect.get(window, 'events').length === 2)
  assert.is(stage.service.queries.length, 2)
  assert.equal([stage.service.labels.length, stage.service.notes.length], [1, 1])
  assert.is(await page.locator('[role=img][aria-label$="von 5 Sternen"]').count(), 2)
  assert.is(await page.getByText(note.note).count(), 2)
})

test('a server that has no words shows the reviews with English ones, and nothing is thrown', async (stage) => {
  const labels = () => Promise.reject(new Error('not found'))
  stage.service.plan = { response: answer(HOTEL), labels }
  const { page, lines } = await stage.settle(stage.tag('data-lang="de"'))
  await page.getByRole('img', { name: '5 out of 5 stars' }).first().waitFor()
  // The browser's own, on an answer that no other origin may read.
  assert.equal(
    lines.filter((line) => !/CORS policy|Failed to load resource/.test(line)),
    [],
  )
  await page.context().close()
})

test('words that a page brings while the server’s are on their way stay', async (stage) => {
  stage.service.plan = { response: answer(HOTEL), labels: () => new Promise((resume) => setTimeout(resume, 500)) }
  const { page } = await stage.settle(stage.tag(`data-lang="hr" onload="pullquote.labels.hr = '# od 5 zvjezdica'"`))
  await page.getByRole('img', { name: '5 od 5 zvjezdica' }).first().waitFor()
  await page.context().close()
})

test('data-host asks another server than the one the file came from, also with a key that was pasted with spaces', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  stage.put('/own/copy.js', await (await fetch(`${stage.service.origin}/snippet.js`)).text())
  const { page } = await stage.settle(
    `<script async src="/own/copy.js" data-key=" ${KEY}\n" data-host="${stage.service.origin}"></script>`,
  )
  assert.is(await page.locator('li').count(), 3)
  assert.is(stage.service.queries[0]?.url.searchParams.get('key'), KEY)
  await page.context().close()
})

test('a tag with a bad selector, or without a key, is told and does not stop the tags after it', async (stage) => {
  stage.service.plan = { response: echo }
  const { page, lines } = await stage.settle(
    `${stage.tag('data-target="..x"')}${stage.tag('data-target=".nowhere"')}
     <script async src="${stage.service.origin}/snippet.js" data-query="no key"></script>${stage.tag('data-query="beds"')}`,
  )
  await page.getByText('About beds.').waitFor()
  assert.equal(
    [...new Set(lines)].sort(),
    ['[pullquote] no target ..x', '[pullquote] no target .nowhere', '[pullquote] data-key must be svc_pk_…'].sort(),
  )
  await page.context().close()
})

test.run()
