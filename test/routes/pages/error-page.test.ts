/** An address that somebody opens in a browser and that is none, beside the same for a program. */
import * as assert from 'uvu/assert'
import { createApp } from '../../../server/app.ts'
import { assertRefusal } from '../../http/answers.ts'
import { noDatabase } from '../../http/no-database.ts'
import { suite } from '../../suite.ts'

const test = suite('what a browser reads where nothing is')
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const app = createApp({ ...noDatabase(), console: { access: 'loopback' } })
const open = (path: string, accept: string, init: RequestInit = {}) =>
  app.fetch(new Request(`http://pullquote.test${path}`, { headers: { accept }, ...init }))

test('an unknown address is a page for a browser, which leads back, and the envelope for a program', async () => {
  const answer = await open('/rooms/lake', BROWSER)
  assert.is(answer.status, 404)
  assert.is(answer.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(answer.headers.get('content-security-policy') ?? '', "default-src 'none'")
  assert.is(answer.headers.get('cache-control'), 'no-store')
  assert.match(answer.headers.get('vary') ?? '', 'accept')
  const html = await answer.text()
  assert.match(html, 'Page not found')
  assert.match(html, 'href="../"')
  assert.match(html, answer.headers.get('x-request-id') ?? 'none')
  for (const accept of ['application/json', '*/*', ''])
    await assertRefusal(await open('/rooms/lake', accept), 'not_found', accept)
})

test('a page brings its icon along, and its policy lets that be drawn', async () => {
  const answer = await open('/rooms/lake', BROWSER)
  assert.match(answer.headers.get('content-security-policy') ?? '', /(^|; )img-src data:(;|$)/)
  const [, address] = /<link rel="icon" href="([^"]+)">/.exec(await answer.text()) ?? []
  assert.match(await (await fetch(String(address))).text(), /^<svg .*<\/svg>$/)
})

test('a page that is not for everybody says so', async () => {
  const html = await (await open('/console', BROWSER)).text()
  assert.match(html, 'The console only opens in a browser on the server’s own machine.')
})

test('a path is text on the page, whatever it says', async () => {
  const html = await (await open('/%3Cscript%3Ealert(1)%3C/script%3E', BROWSER)).text()
  assert.not.match(html, /<script/i)
  const answer = await open('/x', BROWSER, { headers: { accept: BROWSER, 'x-request-id': 'a:b' } })
  assert.match(await answer.text(), 'a:b')
})

test('what programs ask answers programs, also to a browser', async () => {
  for (const path of [
    '/v1/nothing',
    '/v1',
    '/v1/reviews/',
    '/operator/nothing',
    '/imports/x',
    '/console/api/none',
    '/snippet/none',
  ])
    await assertRefusal(await open(path, BROWSER), 'not_found', path)
  await assertRefusal(await open('/v1/reviews', BROWSER), 'unauthorized', 'reviews')
  await assertRefusal(
    await open('/nothing', BROWSER, { method: 'POST', headers: { accept: BROWSER } }),
    'not_found',
    'POST',
  )
})

test('the address of a page with a slash at its end leads to the page, with what was asked, below the path of a proxy too', async () => {
  for (const [path, location] of [
    ['/docs/', '../docs'],
    ['/docs/snippet/', '../snippet'],
    ['/docs/errors/', '../errors'],
    ['/console/', '../console'],
    ['/console/?x=1&y=%2F', '../console?x=1&y=%2F'],
  ] as const)
    for (const method of ['GET', 'HEAD']) {
      const answer = await open(path, '*/*', { method })
      assert.is(answer.status, 308, path)
      assert.is(answer.headers.get('location'), location, path)
    }
  for (const path of [
    '/docs//',
    '/docs/none/',
    '//docs/',
    '/docs/../docs/',
    '/healthz/',
    '/v1/query/',
    '/console/api/me/',
  ])
    assert.is((await open(path, '*/*')).status, path === '/docs/../docs/' ? 308 : 404, path)
  assert.is((await open('/docs/', '*/*', { method: 'POST' })).status, 404)
})

test('a wrong token stays 401 with what it asks for', async () => {
  const answer = await open('/whoami', BROWSER)
  assert.is(answer.status, 401)
  assert.is(answer.headers.get('www-authenticate'), 'Bearer')
  assert.match(await answer.text(), 'Request refused')
})

test.run()
