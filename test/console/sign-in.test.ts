/** Getting into the console as people do, and trying to as an attacker's page would. */
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { PROJECT } from '../sample-home.ts'
import { listen } from '../snippet/fake-service.ts'
import { type ConsoleStage, consoleSuite, picture, violations } from './console-stage.ts'

const test = consoleSuite('the console: signing in')

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

test('a link opens the console and leaves no trace in the address, and works once', async (stage) => {
  const link = await stage.link()
  const { page, lines } = await stage.stranger()
  await page.goto(link)
  await page.locator('nav a').first().waitFor()
  assert.not.match(await page.evaluate(() => location.href), /sign-in/)
  const back = await page.evaluate(() => history.length)
  assert.ok(back <= 2, 'nor in the history')
  assert.equal(lines, [])
  await page.reload()
  await page.locator('nav a').first().waitFor()
  const other = await stage.stranger()
  await other.page.goto(link)
  await other.page.getByText('This link no longer works').waitFor()
  assert.equal(await violations(other.page), [])
  assert.is(await focused(other.page), 'Pullquote')
  await picture(other.page, 'sign-in-refused')
})

test('after a refused link the keyboard goes on where one can', async (stage) => {
  const used = await stage.link()
  const { page } = await stage.stranger()
  await page.goto(used)
  await page.locator('nav a').first().waitFor()
  await page.goto(used)
  await page.getByRole('button', { name: 'Sign in with this link' }).click()
  await page.getByText('This link no longer works').waitFor()
  assert.is(await focused(page), 'Stay signed in as before')
})

test('a server that is busy when a link is opened has not refused it: the link can be used again', async (stage) => {
  const { page } = await stage.stranger()
  await page.route('**/sign-in', (route) =>
    route.fulfill({ status: 503, json: { error: { code: 'service_unavailable', message: 'Busy for a moment.' } } }),
  )
  await page.goto(await stage.link())
  await page.getByText('Busy for a moment.').waitFor()
  assert.is(await focused(page), 'Sign in with this link')
  await page.unroute('**/sign-in')
  await page.getByRole('button', { name: 'Sign in with this link' }).click()
  await page.locator('nav a').first().waitFor()
})

test('without a link the page says how to get one', async (stage) => {
  const { page, lines } = await stage.stranger()
  await page.goto(`${stage.server.url}/console`)
  await page.getByText('pullquote console', { exact: true }).waitFor()
  assert.equal(await violations(page), [])
  assert.equal(lines, [])
})

test('who is signed in is asked before a link signs in anew', async (stage) => {
  const { page } = await stage.visit()
  await page.goto(await stage.link({ project: PROJECT }))
  await page.getByText('You are already signed in').waitFor()
  await page.getByRole('button', { name: 'Sign in with this link' }).click()
  await page.getByText('owner', { exact: true }).waitFor()
})

test('signing out empties the other tabs of the browser, and a key that was made is not shown to who signs in next', async (stage) => {
  const { page } = await stage.visit('tag')
  const tag = page.locator('pre')
  await page.getByRole('button', { name: 'Create a live key' }).click()
  await tag.getByText('svc_pk_live_').waitFor()
  const other = await page.context().newPage()
  await other.goto(`${stage.server.url}/console#/health`)
  await other.getByText('Indexing').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await other.getByText('You are signed out').waitFor()
  // The same document: only what is behind the # changes.
  await page.goto(await stage.link({ project: PROJECT }))
  await page.getByRole('link', { name: 'Tag' }).click()
  await tag.getByText('YOUR_PUBLISHABLE_KEY').waitFor()
})

test('signing out asks for a new link, and a revoked link signs out at the next click', async (stage) => {
  const { page } = await stage.visit('health', { project: PROJECT })
  await page.getByText('Indexing').waitFor()
  const [link] = await stage.operator.consoleLinks()
  await stage.operator.revokeConsoleLink(link?.id ?? '')
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('Your session has ended').waitFor()
  const other = await stage.visit('health')
  await other.page.getByText('Indexing').waitFor()
  await other.page.getByRole('button', { name: 'Sign out' }).click()
  await other.page.getByText('You are signed out').waitFor()
  await other.page.goBack()
  await other.page.evaluate(() => new Promise((go) => setTimeout(go)))
  assert.equal(await other.page.locator('h1').allTextContents(), ['Pullquote'])
  await other.page.getByText('You are signed out').waitFor()
  await other.page.reload()
  await other.page.getByText('pullquote console', { exact: true }).waitFor()
})

test("an attacker's page gets nothing and changes nothing, from another origin or another port of the same host", async (stage) => {
  const heard: (string | undefined)[] = []
  const evil = await listen((request, response) => {
    heard.push(request.headers.cookie)
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>evil</title>')
  })
  try {
    await attack(stage, evil.origin, heard)
  } finally {
    await evil.close()
  }
})

async function attack(stage: ConsoleStage, evil: string, heard: (string | undefined)[]): Promise<void> {
  const { page } = await stage.visit('health')
  await page.getByText('Indexing').waitFor()
  for (const origin of [evil, evil.replace('127.0.0.1', 'localhost')]) {
    const attacker = await page.context().newPage()
    await attacker.goto(`${origin}/console/mine`)
    const outcome = await attacker.evaluate(async (target) => {
      const tried: Record<string, string> = {}
      const attempts: [name: string, path: string, init: RequestInit][] = [
        ['read', 'session', {}],
        ['delete', 'session', { method: 'DELETE' }],
        ['with the header', 'session', { headers: { 'x-pullquote-console': 'A'.repeat(43) } }],
        ['blind post', 'sign-in', { method: 'POST', mode: 'no-cors', body: '{"link":"x"}' }],
      ]
      for (const [name, path, init] of attempts) {
        tried[name] = await fetch(`${target}/console/api/${path}`, { credentials: 'include', ...init }).then(
          async (response) => (response.type === 'opaque' ? 'sent blindly' : `read ${await response.text()}`),
          () => 'nothing',
        )
      }
      // A frame shows nothing, and its storage is out of reach.
      const frame = document.createElement('iframe')
      frame.src = `${target}/console`
      document.body.append(frame)
      await new Promise((go) => frame.addEventListener('load', go))
      try {
        tried.frame = frame.contentWindow?.localStorage.getItem('pullquote-console') ?? 'nothing'
      } catch {
        tried.frame = 'nothing'
      }
      const script = document.createElement('script')
      script.src = `${target}/console/api/session`
      document.head.append(script)
      tried.script = await new Promise((go) => {
        script.onload = () => go('ran')
        script.onerror = () => go('nothing')
      })
      return tried
    }, stage.server.url)
    assert.equal(outcome, {
      read: 'nothing',
      delete: 'nothing',
      'with the header': 'nothing',
      'blind post': 'sent blindly',
      frame: 'nothing',
      script: 'nothing',
    })
    await attacker.close()
  }
  // The other port was sent the cookie, as browsers do; alone it opens nothing.
  const stolen = heard.find((cookie) => cookie?.includes('pullquote-console'))
  assert.ok(stolen, 'a browser keeps no ports apart: this is what the token is for')
  const replay = await fetch(`${stage.server.url}/console/api/session`, { headers: { cookie: stolen ?? '' } })
  assert.is(replay.status, 401)
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('Indexing').waitFor()
}

test('a server that goes away is told of, and so is its return', async (stage) => {
  const { page } = await stage.visit('health')
  await page.getByText('Indexing').waitFor()
  await page.route('**/console/api/**', (route) => route.abort())
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('The server is not responding. What you see may be out of date').waitFor()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  assert.equal(await violations(page), [])
  await page.unroute('**/console/api/**')
  await page.getByText('The server is back.').waitFor()
  await page.getByText('Indexing').waitFor()
})

for (const [width, scheme] of [
  [375, 'light'],
  [375, 'dark'],
  [1280, 'light'],
  [1280, 'dark'],
] as const) {
  test(`health at ${width} pixels, ${scheme}: nothing for axe, nothing beside the window`, async (stage) => {
    const { page, lines } = await stage.visit('health', { viewport: { width, height: 800 }, colorScheme: scheme })
    await page.getByRole('heading', { name: 'The server' }).waitFor()
    const told = await page.locator('.findings b').allTextContents()
    assert.ok(told.length > 8 && told.every((line) => /^[A-Z]/.test(line)), `no words for one of ${told.join(', ')}`)
    assert.equal(await violations(page), [])
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    await picture(page, `health-${width}-${scheme}`)
    assert.equal(lines, [])
  })
}

test.run()
