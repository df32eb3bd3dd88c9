import * as assert from 'uvu/assert'
import { KEY } from './fake-service.ts'
import { answer, HOTEL } from './reviews.ts'
import { eventsOf, stageSuite, untilLine } from './stage.ts'

const test = stageSuite('when there is nothing to show')

/** The page must look as if the snippet were not there. */
async function isBare(page: import('playwright-core').Page): Promise<boolean> {
  return (await page.locator('pullquote-reviews').count()) === 0
}

test('an empty result leaves nothing on the page and nothing in the console', async (stage) => {
  stage.service.plan = { response: answer([], { badge: true }) }
  const { page, lines, events } = await stage.settle(stage.tag())
  assert.ok(await isBare(page))
  assert.equal(lines, [])
  assert.equal(
    events.map(({ name, path }) => [name, path]),
    [['empty', 'pullquote-reviews']],
  )
  await page.context().close()
})

test('an empty element beside a picture leaves the text below it where it is', async (stage) => {
  stage.service.plan = { response: answer([]) }
  const { page } = await stage.settle(
    `<div style="float: left; width: 95%; height: 300px"></div><div id="box"></div>${stage.tag(`data-target="#box"`)}<p>Text beside the picture.</p>`,
  )
  assert.is(await page.locator('#box').evaluate((block) => block.getBoundingClientRect().height), 0)
  await page.context().close()
})

for (const [status, code, message] of [
  [401, 'unauthorized', 'unknown key'],
  [429, 'rate_limited', 'over 120 requests a minute'],
  [500, 'internal', 'unexpected'],
  [503, 'embedding_unavailable', 'try again'],
] as const) {
  test(`${status} ${code}: nothing on the page, one line with the request id`, async (stage) => {
    stage.service.plan = { error: { status, code, message } }
    const { page, lines, events } = await stage.settle(stage.tag())
    assert.ok(await isBare(page))
    const ours = lines.filter((line) => line.includes('[pullquote]'))
    assert.equal(ours, [`[pullquote] ${code}: ${message} [id: req-1]`])
    assert.equal(
      events.map(({ name, detail }) => [name, detail.code, detail.status, detail.requestId]),
      [['error', code, status, 'req-1']],
    )
    assert.is(stage.service.queries.length, 1)
    await page.context().close()
  })
}

test('a refused attribute is named in the line', async (stage) => {
  const details = [{ path: 'mode', message: 'must be excerpts or reviews' }]
  stage.service.plan = { error: { status: 422, code: 'validation_failed', message: 'invalid: mode', details } }
  const { page, lines } = await stage.settle(stage.tag('data-mode="all"'))
  assert.ok(lines.includes('[pullquote] validation_failed: invalid: mode [id: req-1]'), lines.join('\n'))
  await page.context().close()
})

test('a refused attribute costs itself, not the block: the reviews are asked for without it', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page } = await stage.visit(stage.tag('data-fallback="all" data-since="yesterday" data-limit="3"'), {
    before: (page) =>
      page.route(/v1\/query\?.*(fallback|since)=/, (route) => {
        const details = ['fallback', 'since'].map((path) => ({ path, message: 'must be another' }))
        const error = { code: 'validation_failed', message: 'invalid', doc_url: 'x', request_id: 'y', details }
        const headers = { 'access-control-allow-origin': stage.origin }
        return route.fulfill({ status: 422, headers, json: { error } })
      }),
  })
  await page.locator('li').nth(2).waitFor()
  const [query, ...more] = stage.service.queries
  assert.is(more.length, 0)
  assert.is(query?.url.searchParams.get('limit'), '3')
  assert.not.ok(query?.url.searchParams.has('since') || query?.url.searchParams.has('fallback'))
  assert.equal(
    (await eventsOf(page)).map(({ name }) => name),
    ['error', 'loaded'],
  )
  await page.context().close()
})

test('refused metadata is not left out: other reviews than those asked for would be shown', async (stage) => {
  const details = [{ path: 'metadata.product', message: 'too long' }]
  stage.service.plan = { error: { status: 422, code: 'validation_failed', message: 'invalid', details } }
  const { page } = await stage.settle(stage.tag('data-meta-product="x" data-since="yesterday"'))
  assert.ok(await isBare(page))
  assert.is(stage.service.queries.length, 1)
  await page.context().close()
})

test('a word that an attribute does not know is told, and the default is taken', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page, lines } = await stage.settle(stage.tag('data-mode="all" data-theme="blue" data-layout="row"'))
  assert.is(await page.locator('li').count(), 3)
  assert.equal(lines, [
    '[pullquote] data-mode must be excerpts or reviews',
    '[pullquote] data-theme must be light or dark or auto',
    '[pullquote] data-layout must be grid or list or single',
  ])
  await page.context().close()
})

test('an origin that is not allowed: one line that says what to check', async (stage) => {
  const error = { status: 403, code: 'forbidden', message: 'origin not listed' }
  stage.service.plan = { error, refuseOrigin: true }
  const { page, lines, events } = await stage.settle(stage.tag())
  assert.ok(await isBare(page))
  const [ours, ...more] = lines.filter((line) => line.includes('[pullquote]'))
  assert.is(more.length, 0)
  assert.match(ours ?? '', new RegExp(`key\\? ${stage.origin} allowed\\?`))
  assert.is(events[0]?.name, 'error')
  assert.is(events[0]?.detail.status, undefined)
  await page.context().close()
})

test('a service that is gone, or answers with something else, leaves one line', async (stage) => {
  for (const plan of [
    { drop: true },
    { raw: '<html>Bad gateway</html>' },
    { raw: '{}' },
    { raw: 'null' },
    { raw: '' },
  ]) {
    stage.service.plan = plan
    const { page, lines } = await stage.settle(stage.tag())
    assert.ok(await isBare(page))
    const ours = lines.filter((line) => line.includes('[pullquote]'))
    assert.is(ours.length, 1, lines.join('\n'))
    assert.match(ours[0] ?? '', /refused by|no answer of .*(Syntax|Type)Error/)
    assert.not.ok(lines.some((line) => line.startsWith('error:')))
    await page.context().close()
  }
})

test('answers that are none of the service’s leave no empty block, and one line', async (stage) => {
  const [good] = HOTEL
  for (const results of [[null], [{}], [{ excerpt: 'x' }], [{ ...good, review: null }], 'text', { length: 1 }]) {
    stage.service.plan = { raw: JSON.stringify({ ...answer([]), results }) }
    const { page, lines } = await stage.settle(stage.tag('data-reserve="300"'), {
      viewport: { width: 800, height: 200 },
    })
    assert.is(lines.length, 1, lines.join('\n'))
    assert.match(lines[0] ?? '', /no_answer|failed/)
    assert.is(await page.locator('li').count(), 0)
    await page.context().close()
  }
})

test('where nothing could be asked the line says why, the page hears of it, and the place that was kept is given back', async (stage) => {
  for (const [attributes, line] of [
    ['data-key="svc_sk_secret"', /data-key must be svc_pk_…/],
    [`data-key="${KEY}" data-host="reviews.example.com"`, /data-host: .*URL/],
  ] as const) {
    const element = `<pullquote-reviews style="display: block; min-height: 300px" data-reserve="auto" ${attributes}></pullquote-reviews>`
    const tagWith = (own: string) => stage.tag().replace(/data-key="[^"]*"/, own)
    for (const html of [element + tagWith(''), tagWith(attributes)]) {
      const { page, events, lines } = await stage.settle(html)
      assert.equal(
        events.map(({ name }) => name),
        ['error'],
      )
      assert.match(lines.join('\n'), line)
      const heights = await page.locator('pullquote-reviews').evaluateAll((all) => all.map((each) => each.clientHeight))
      assert.is(Math.max(0, ...heights), 0)
      await page.context().close()
    }
  }
})

test('a frame without an origin and a server that is not there are told apart', async (stage) => {
  stage.service.plan = { response: answer(HOTEL), refuseOrigin: true }
  stage.put('/inner', `<!doctype html><title>x</title><main>${stage.tag()}</main>`)
  const framed = await stage.visit('<iframe sandbox="allow-scripts" src="/inner"></iframe>')
  await untilLine(framed.lines, /refused by .*, key\? null allowed\?/)
  await framed.page.context().close()
  const { page, lines } = await stage.visit(stage.tag(), {
    before: (page) => page.route(/\/v1\/|labels/, (route) => route.abort()),
  })
  void page
  await untilLine(lines, /no answer of [^ ,]+$/)
  await page.context().close()
})

test('a slow service does not hold up the page, and its reviews come when they come', async (stage) => {
  stage.service.plan = { response: answer(HOTEL), delay: 4000 }
  const { page } = await stage.visit(`${stage.tag()}<p id="after">After</p>`)
  const loaded = await page.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation')
    return entry instanceof PerformanceNavigationTiming ? entry.loadEventEnd : Number.NaN
  })
  assert.ok(loaded > 0 && loaded < 3900, `${loaded}`)
  assert.is(await page.locator('li').count(), 0)
  await page.locator('pullquote-reviews li').first().waitFor()
  await page.context().close()
})

test('a service that does not answer is given up after ten seconds', async (stage) => {
  stage.service.plan = { response: answer(HOTEL), delay: 60_000 }
  const { page, lines } = await stage.visit(stage.tag())
  const begun = performance.now()
  await page.waitForFunction(() => Reflect.get(window, 'events').length > 0, undefined, { timeout: 20_000 })
  assert.ok(performance.now() - begun > 8000)
  assert.ok(await isBare(page))
  assert.match(lines.filter((line) => line.includes('[pullquote]')).join('\n'), /^\[pullquote\] .*[Tt]imed out/)
  await page.context().close()
})

test('a script that is blocked leaves the page as it is', async (stage) => {
  const { page, lines } = await stage.visit(`${stage.tag()}<p>After</p>`, { csp: "script-src 'self'" })
  await page.waitForTimeout(100)
  assert.ok(await isBare(page))
  assert.ok(lines.some((line) => line.includes('Content Security Policy')))
  await page.context().close()
})

test.run()
