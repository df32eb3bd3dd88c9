import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as assert from 'uvu/assert'
import { readBundles } from '../../server/snippet/bundles.ts'
import { PROJECT, type SampleServer } from '../sample-home.ts'
import { suite } from '../suite.ts'
import { type Browser, noChromium } from './chromium.ts'
import { type DemoServer, openDemoServer } from './demo-server.ts'
import { type Local, listen } from './fake-service.ts'
import { untilLine } from './stage.ts'

const suiteOf = suite('the snippet on the real server')
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let demo: DemoServer
let server: SampleServer
let browser: Browser
let shop: Local
let shopPage = ''
let key = ''

if (!noChromium) {
  suiteOf.before(async () => {
    shop = await listen((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(shopPage)
    })
    demo = await openDemoServer([shop.origin])
    server = demo.server
    browser = demo.browser
    key = (await server.operator.createKey({ project: PROJECT, kind: 'publishable', env: 'live' })).key
  })
  suiteOf.after(async () => {
    await demo?.close()
    await shop?.close()
  })
}

const test = (title: string, body: () => Promise<void>) =>
  noChromium ? suiteOf.skip(title, noChromium) : suiteOf(title, body)

async function open(url: string) {
  const context = await browser.context({ locale: 'en-GB' })
  const page = await context.newPage()
  const lines: string[] = []
  page.on('console', (message) => lines.push(message.text()))
  page.on('pageerror', (error) => lines.push(`error: ${error.message}`))
  await page.goto(url)
  return { page, lines, close: () => context.close() }
}

test('a shop on another origin shows the reviews that fit its page, pinned by integrity', async () => {
  const bundle = readBundles()?.current
  shopPage = `<!doctype html><title>Sauna</title><h1>A sauna with a view of the lake</h1><script async
    src="${server.url}${bundle?.path}" integrity="${bundle?.integrity}" crossorigin data-key="${key}"></script>`
  const { page, lines, close } = await open(shop.origin)
  await page.locator('pullquote-reviews li').first().waitFor()
  assert.match((await page.locator('blockquote').first().textContent()) ?? '', /sauna with a window onto the lake/i)
  assert.is(await page.getByText('Reviews by Pullquote').count(), 1)
  assert.equal(
    lines.filter((line) => !line.includes('favicon')).filter((line) => line.includes('pullquote')),
    [],
  )
  await close()
})

test('data-limit is the number of cards: each is of another review', async () => {
  shopPage = `<!doctype html><h1>Breakfast</h1><script async src="${server.url}/snippet.js" data-key="${key}" data-limit="4"></script>`
  const { page, close } = await open(shop.origin)
  await page.locator('pullquote-reviews li').first().waitFor()
  assert.is(await page.locator('pullquote-reviews li').count(), 4)
  await close()
})

test('a file that is not the pinned one is not run', async () => {
  const bundle = readBundles()?.current
  shopPage = `<!doctype html><h1>Sauna</h1><script async src="${server.url}${bundle?.path}"
    integrity="sha384-${'A'.repeat(64)}" crossorigin data-key="${key}"></script>`
  const { page, lines, close } = await open(shop.origin)
  await untilLine(lines, /integrity/)
  assert.is(await page.locator('pullquote-reviews').count(), 0)
  await close()
})

test('an origin that the project does not list gets nothing but a line in its console', async () => {
  shopPage = `<!doctype html><h1>Sauna</h1><script async src="${server.url}/snippet.js" data-key="${key}"></script>`
  const { page, lines, close } = await open(shop.origin.replace('127.0.0.1', 'localhost'))
  await untilLine(lines, /\[pullquote\]/)
  assert.is(await page.locator('pullquote-reviews').count(), 0)
  const ours = lines.filter((line) => line.includes('[pullquote]'))
  assert.is(ours.length, 1)
  assert.match(ours[0] ?? '', /key\? http:\/\/localhost:\d+ allowed\?/)
  await close()
})

test('an unknown attribute value is refused by the service and named in the console, with the request id, and the reviews come without it', async () => {
  shopPage = `<!doctype html><h1>Sauna</h1><script async src="${server.url}/snippet.js" data-key="${key}" data-fallback="all"></script>`
  const { page, lines, close } = await open(shop.origin)
  await untilLine(lines, /\[pullquote\]/)
  const [line] = lines.filter((each) => each.includes('[pullquote]'))
  await page.locator('pullquote-reviews li').first().waitFor()
  assert.match(line ?? '', /^\[pullquote\] validation_failed: .*fallback must be .* \[id: [\w-]{8,}\]$/)
  await close()
})

for (const [path, expected] of [
  ['/demo', /breakfast/i],
  ['/demo/rooms', /lake|water|quiet|silence|view/i],
  ['/demo/restaurant', /table|candle|dinner/i],
  ['/demo/sauna', /sauna/i],
  ['/demo/families', /kid|child|famil|toddler/i],
  ['/demo/breakfast', /breakfast|bread/i],
] as const) {
  test(`${path} shows reviews under its strict policy, without a violation of axe or policy`, async () => {
    const { page, lines, close } = await open(server.url + path)
    await page.locator('pullquote-reviews li').first().waitFor()
    assert.match((await page.locator('blockquote').allTextContents()).join(' '), expected)
    assert.equal(lines, [])
    await close()
    // axe is run where the policy lets it in.
    const context = await browser.context({ bypassCSP: true })
    const checked = await context.newPage()
    await checked.goto(server.url + path)
    await checked.locator('pullquote-reviews li').first().waitFor()
    await checked.evaluate(axe)
    const found = await checked.evaluate(async () => {
      const { violations } = await Reflect.get(window, 'axe').run(document, { resultTypes: ['violations'] })
      return violations.map((each: { id: string; nodes: { html: string }[] }) => `${each.id}: ${each.nodes[0]?.html}`)
    })
    assert.equal(found, [])
    await context.close()
  })
}

test('a page of one’s own: the heading is shown as text and asked', async () => {
  const { page, lines, close } = await open(
    `${server.url}/demo/own?title=${encodeURIComponent('Sauna <b>window</b> onto the lake')}`,
  )
  assert.is(await page.locator('h1').textContent(), 'Sauna <b>window</b> onto the lake')
  assert.is(await page.locator('h1 b').count(), 0)
  await page.locator('pullquote-reviews li').first().waitFor()
  assert.equal(lines, [])
  await close()
})

test('the demo is for this machine: not for a name, not through a proxy, and for everyone with --demo', async () => {
  const { port } = new URL(server.url)
  const status = async (headers: Record<string, string>) =>
    (await fetchWithHost(`http://127.0.0.1:${port}/demo`, headers)).status
  assert.is(await status({ host: `127.0.0.1:${port}` }), 200)
  assert.is(await status({ host: `localhost:${port}` }), 200)
  assert.is(await status({ host: 'reviews.example.com' }), 404)
  assert.is(await status({ host: `127.0.0.1:${port}`, 'x-forwarded-for': '203.0.113.9' }), 404)
})

/** `fetch` does not let a request name another host. */
async function fetchWithHost(url: string, headers: Record<string, string>): Promise<{ status: number }> {
  const { request } = await import('node:http')
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers }, (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0 })
    })
    sent.on('error', reject)
    sent.end()
  })
}

suiteOf.run()
