/**
 * What an attacker can do: from a page on another port of the host with windows, forms and hints, where cookies keep no ports
 * apart; and as the author of a review.
 */
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { type Local, listen } from '../snippet/fake-service.ts'
import { type ConsoleStage, consoleSuite, violations } from './console-stage.ts'

const test = consoleSuite('the console and an attacker')

/** A page of an attacker's, whose server hears the cookies that it is sent and may set its own. */
async function withEvil(body: (evil: Local, heard: string[]) => Promise<void>): Promise<void> {
  const heard: string[] = []
  const evil = await listen((request, response, url) => {
    heard.push(request.headers.cookie ?? '')
    const set = url.searchParams.getAll('set')
    response.writeHead(200, { 'content-type': 'text/html', ...(set.length > 0 ? { 'set-cookie': set } : {}) })
    response.end(
      '<!doctype html><title>evil</title><form method="post"><input name=\'{"link":"\' value=\'x"}\'></form>',
    )
  })
  try {
    await body(evil, heard)
  } finally {
    await evil.close()
  }
}

async function open(page: Page, address: string): Promise<Page> {
  const other = await page.context().newPage()
  await other.goto(address)
  return other
}

async function isStillSignedIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('Indexing').waitFor()
}

async function atHealth(stage: ConsoleStage): Promise<Page> {
  const { page } = await stage.visit('health')
  await page.getByText('Indexing').waitFor()
  return page
}

test('a cookie that it sets beside the console’s own signs nobody out', async (stage) => {
  const page = await atHealth(stage)
  await withEvil(async (evil, heard) => {
    const first = await open(page, `${evil.origin}/console/api/session`)
    const [name, own] = /(pullquote-console-\w+)=([\w-]+)/.exec(heard[0] ?? '')?.slice(1) ?? []
    assert.ok(name && own, 'a browser sends the cookie to every port')
    const forged = own.split('').reverse().join('')
    const cookies = ['/console/api', '/console/api/session', '/'].map((path) => `${name}=${forged}; Path=${path}`)
    await first.goto(
      `${evil.origin}/console/api/session?${cookies.map((each) => `set=${encodeURIComponent(each)}`).join('&')}`,
    )
    await first.goto(`${evil.origin}/console/api/session`)
    // A browser with windows also asks for an icon, outside the path of the own one.
    const sent = heard.find((cookie) => cookie.includes(forged) && cookie.includes(own)) ?? ''
    assert.ok(sent.indexOf(forged) < sent.indexOf(own), 'and the forged one first')
    await isStillSignedIn(page)
  })
})

test('a window that it opens, or a window that opened it, is out of its reach', async (stage) => {
  const page = await atHealth(stage)
  await withEvil(async (evil) => {
    const attacker = await open(page, `${evil.origin}/console/mine`)
    const [console] = await Promise.all([
      attacker.context().waitForEvent('page'),
      attacker.evaluate((target) => {
        Object.assign(window, { opened: window.open(`${target}/console`, 'console') })
      }, stage.server.url),
    ])
    await console.getByRole('link', { name: 'Health' }).waitFor()
    assert.is(await console.evaluate(() => window.opener), null)
    const reach = await attacker.evaluate(() => {
      const opened = Reflect.get(window, 'opened') as Window
      return { isClosed: opened.closed, frames: opened.closed ? 0 : opened.length }
    })
    assert.equal(reach, { isClosed: true, frames: 0 }, 'the handle leads nowhere')
  })
})

test('a form of its own signs nobody in, whatever its encoding', async (stage) => {
  const page = await atHealth(stage)
  const link = await stage.link()
  const secret = link.replace(/.*=/, '')
  await withEvil(async (evil) => {
    for (const enctype of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const attacker = await open(page, `${evil.origin}/console/mine`)
      const [answered] = await Promise.all([
        attacker.waitForResponse((response) => response.url().includes('sign-in')),
        attacker.evaluate(
          ([target, enctype, secret]) => {
            const form = document.querySelector('form') as HTMLFormElement
            form.action = `${target}/console/api/sign-in`
            form.enctype = enctype as string
            // {"link":"SECRET","x":"="}
            const field = form.querySelector('input') as HTMLInputElement
            field.name = `{"link":"${secret}","x":"`
            field.value = '"}'
            form.submit()
          },
          [stage.server.url, enctype, secret],
        ),
      ])
      assert.is(answered.status(), 415, enctype)
      assert.is(answered.headers()['set-cookie'], undefined)
    }
    await isStillSignedIn(page)
  })
  const { page: other } = await stage.stranger()
  await other.goto(link)
  await other.getByRole('link', { name: 'Health' }).waitFor()
})

test('a link that is fetched ahead, looked at with HEAD or shown in a frame is not used up', async (stage) => {
  const page = await atHealth(stage)
  const link = await stage.link()
  await withEvil(async (evil) => {
    const attacker = await open(page, `${evil.origin}/console/mine`)
    await attacker.evaluate(async (address) => {
      for (const rel of ['prefetch', 'prerender', 'preload']) {
        document.head.append(Object.assign(document.createElement('link'), { rel, href: address, as: 'fetch' }))
      }
      const rules = Object.assign(document.createElement('script'), { type: 'speculationrules' })
      rules.textContent = JSON.stringify({ prerender: [{ urls: [address], eagerness: 'immediate' }] })
      document.head.append(rules)
      document.body.append(Object.assign(document.createElement('iframe'), { src: address }))
      await Promise.all(
        ['HEAD', 'GET'].map((method) => fetch(address, { method, mode: 'no-cors' }).catch(() => undefined)),
      )
      await new Promise((go) => setTimeout(go, 1500))
    }, link)
  })
  const { page: owner } = await stage.stranger()
  await owner.goto(link)
  await owner.getByRole('link', { name: 'Health' }).waitFor()
  await isStillSignedIn(page)
})

test('requests whose Origin is odd are refused', async (stage) => {
  const { url } = stage.server
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ link: 'A'.repeat(43) })
  const statusFrom = async (origin: string) =>
    (await fetch(`${url}/console/api/sign-in`, { method: 'POST', body, headers: { ...headers, origin } })).status
  assert.is(await statusFrom(url), 401, 'its own page is only told that this is no link')
  const after = ['/', '.attacker.example', '@attacker.example', ':1'].map((each) => url + each)
  for (const origin of [...after, 'null', 'file://', 'http://[::1', ' ', `https${url.slice(4)}, ${url}`]) {
    assert.is(await statusFrom(origin), 403, origin)
  }
})

test('hostile review text is text in every view', async (stage) => {
  const name = 'hostile'
  await stage.operator.createProject({ name, plan: 'paid', similarity_floor: 0.2 })
  const evil =
    '<img src=x onerror="document.title=`owned`"><script>document.title="owned"</script> \u202egnitteb\u202c javascript:alert(1) {{7*7}} "\'` breakfast terrace'
  await stage.push(
    [1, 2, 3].map((n) => ({
      external_id: `evil-${n}`,
      source: 'custom',
      rating: 5,
      text: `${evil} ${n}`,
      author_name: '<b onmouseover=alert(1)>Eve</b>',
      author_avatar_url: 'https://attacker.example/pixel.png',
      occurred_at: '2026-01-05T10:00:00Z',
      url: 'javascript:alert(1)',
      metadata: { platform: '<i>x</i>' },
    })),
    name,
  )
  const { page, lines } = await stage.visit('search?q=breakfast%20terrace', { project: name })
  const outside: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(stage.server.url)) outside.push(request.url())
  })
  await page.locator('.results > li').first().waitFor()
  for (const path of [
    'search?q=<script>alert(1)</script>%20breakfast',
    'asked',
    'reviews',
    'settings',
    'tag',
    'health',
  ]) {
    await page.evaluate((hash) => {
      location.hash = hash
    }, `#/${path}`)
    await page.locator('main .view > *').first().waitFor()
    if (path === 'reviews') {
      await page.getByText('<img src=x').first().waitFor()
      await page.getByRole('button', { name: 'See sentences' }).first().click()
      await page.getByRole('dialog').getByText('<img src=x').first().waitFor()
      await page.keyboard.press('Escape')
    }
    assert.equal(await page.locator('main img, main script, main b[onmouseover]').count(), 0, path)
    assert.equal(await violations(page), [], path)
  }
  assert.not.match(await page.title(), /owned/)
  assert.equal(outside, [])
  assert.equal(lines, [])
})

test.run()
