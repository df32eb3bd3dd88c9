/** The console for those who type, listen or print: where the focus is, and what a screen reader is told. */
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { consoleSuite, violations } from './console-stage.ts'

const test = consoleSuite('the console with a keyboard and a screen reader')

const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: at } = document
    return at?.getAttribute('aria-label') ?? at?.textContent ?? ''
  })
const until = (page: Page, text: string) =>
  page.waitForFunction((wanted) => {
    const { activeElement: at } = document
    return (at?.getAttribute('aria-label') ?? at?.textContent ?? '').startsWith(wanted)
  }, text)
/** Presses a button as those do who do not point at it. */
async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).first().focus()
  await page.keyboard.press('Enter')
}
const csv = (...rows: string[]) => ({
  name: 'reviews.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(['text,date,author,rating', ...rows].join('\n')),
})

test('what a list of reviews found is said, and its buttons say whose review they are for', async (stage) => {
  const { page } = await stage.visit('reviews')
  const said = (text: string | RegExp) => page.locator('[aria-live=polite]').getByText(text).waitFor()
  await said('20 reviews, and there are more.')
  await press(page, 'More')
  await said('40 reviews, and there are more.')
  await page.getByLabel('Search reviews').fill('sauna')
  await said(/^\d reviews\.$/)
  const row = page.locator('.reviews > li').first()
  const name = (await row.locator('bdi').textContent()) ?? ''
  for (const label of ['Hide the review', 'See sentences']) {
    const description = await row.getByRole('button', { name: label }).getAttribute('aria-description')
    assert.match(description ?? '', new RegExp(`^${name}, \\d+ \\w+ 20\\d\\d$`))
  }
  await row.getByRole('button', { name: 'Hide the review' }).focus()
  await page.keyboard.press('Enter')
  await row.locator('.mark', { hasText: 'hidden' }).waitFor()
  assert.is(await focused(page), 'Show it again')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.querySelector('.reviews .mark')?.textContent === '')
  const stars = await page.getByLabel('Stars', { exact: true }).locator('option').allTextContents()
  assert.equal(stars, ['all', '5 stars', '4 stars', '3 stars', '2 stars', '1 star', 'none'], 'and not five glyphs')
  assert.equal(await violations(page), [])
})

test('an import leaves the focus at its outcome, not at the beginning of the page', async (stage) => {
  const { page } = await stage.visit('reviews')
  const file = page.locator('#import-file')
  await file.focus()
  await file.setInputFiles(csv('A quiet place.,2/25/2026,Ann,5', 'A lovely place.,25/4/2026,Cem,4'))
  await page.getByRole('button', { name: 'Read them with the day first' }).waitFor()
  await press(page, 'Read them with the day first')
  await until(page, 'What importing reviews.csv would do')
  await press(page, 'Import into live')
  await until(page, 'reviews.csv was imported')
  await page.keyboard.press('Tab')
  assert.is(await focused(page), 'Download errors.csv')
})

test('who hides a sentence in a dialog returns to the same review, although its search is repeated', async (stage) => {
  const { page } = await stage.visit('search')
  const row = page.locator('.results > li').nth(4)
  const look = row.getByRole('button', { name: 'See sentences' })
  const whose = (await look.getAttribute('aria-description')) ?? ''
  for (const isSlow of [false, true]) {
    let answer = () => {}
    const isAnswered = new Promise<void>((go) => {
      answer = go
    })
    await page.route('**/search', async (route) => {
      if (isSlow) await isAnswered
      await route.continue()
    })
    await page.getByText('The newest 10 reviews').waitFor()
    const old = await page.locator('.results').elementHandle()
    await page.locator(`[aria-description="${whose}"]`, { hasText: 'See sentences' }).focus()
    await page.keyboard.press('Enter')
    await page
      .locator('dialog')
      .getByRole('button', { name: isSlow ? 'Show again' : 'Hide this' })
      .first()
      .click()
    await page
      .locator('dialog')
      .getByText(isSlow ? 'It can appear again.' : 'Hidden from all searches.')
      .waitFor()
    const isNew = () => page.waitForFunction((list) => !list?.isConnected, old)
    if (!isSlow) await isNew()
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    answer()
    await isNew()
    const at = await page.evaluate(() => [document.activeElement?.textContent, document.activeElement?.ariaDescription])
    assert.equal(at, ['See sentences', whose], isSlow ? 'closed before the answer' : 'closed after it')
    await page.unroute('**/search')
  }
})

test('checking the health again says that it was done, and the button keeps the focus', async (stage) => {
  const { page } = await stage.visit('health')
  await press(page, 'Check again')
  await page.locator('[data-announce]').getByText('Checked again.').waitFor()
  await until(page, 'Check again')
  await page.route('**/health', (route) => route.abort())
  await page.keyboard.press('Enter')
  await page
    .getByRole('alert')
    .getByText(/server/)
    .first()
    .waitFor()
  assert.is(await page.locator('[data-announce]').textContent(), '')
  await until(page, 'Try again')
  await page.unroute('**/health')
  await page.keyboard.press('Enter')
  await until(page, 'Health')
})

test('a button that is disabled by its own work passes the focus on', async (stage) => {
  const { page } = await stage.visit('settings')
  const lowest = page.getByLabel('Lowest rating')
  await lowest.focus()
  await page.keyboard.press('ArrowLeft')
  await page.getByText('Not saved yet.').waitFor()
  await press(page, 'Undo changes')
  await page.waitForFunction(() => {
    const { activeElement: at } = document
    return at instanceof HTMLInputElement && at.labels?.[0]?.textContent === 'How close a match must be'
  })
  const isTwice = await page.locator('output').evaluateAll((all) => all.some((one) => one.ariaLive !== 'off'))
  assert.not.ok(isTwice, 'the value of a slider is not said a second time')
  await page.getByRole('link', { name: 'Tag' }).click()
  await page.getByRole('button', { name: 'Create a live key' }).waitFor()
  await press(page, 'Create a live key')
  await until(page, 'The tag')
})

test('a list that opens another view keeps the focus, so that the arrow keys go on', async (stage) => {
  const { page } = await stage.visit('asked')
  const isFocused = (label: string) =>
    page.waitForFunction((name) => {
      const { activeElement: at } = document
      return at instanceof HTMLSelectElement && (at.ariaLabel ?? at.labels?.[0]?.textContent) === name
    }, label)
  await page.getByLabel('Environment').focus()
  for (const [key, env] of [
    ['ArrowDown', 'test'],
    ['ArrowUp', 'live'],
  ] as const) {
    await page.keyboard.press(key)
    await page.waitForFunction((wanted) => location.hash.includes('env=test') === (wanted === 'test'), env)
    await page.getByText('No searches in the last 30 days').or(page.locator('figure')).first().waitFor()
    await isFocused('Environment')
  }
  await page.getByLabel('Period').focus()
  await page.keyboard.press('ArrowDown')
  await page.waitForFunction(() => location.hash.includes('days=90'))
  await isFocused('Period')
  assert.is(await page.getByLabel('Period').inputValue(), '90')
  await page.getByRole('link', { name: 'Health' }).click()
  await until(page, 'Health')
})

test('what has the focus does not lie below an announcement or a banner', async (stage) => {
  const { page } = await stage.visit('reviews', { viewport: { width: 320, height: 480 } })
  await page.locator('.reviews > li').nth(19).waitFor()
  const kept = await page.evaluate(() => getComputedStyle(document.documentElement).scrollPaddingBlock)
  assert.is(kept, 'auto', 'the page keys scroll the whole window')
  for (const [selector, key] of [
    ['[data-announce]', 'Tab'],
    ['[data-banner]', 'Shift+Tab'],
  ] as const) {
    await page.evaluate((name) => {
      for (const one of document.querySelectorAll('[data-announce], [data-banner]')) one.textContent = ''
      const long = 'The server is not responding. What you see may be out of date, and nothing you do now is saved.'
      document.querySelector(name)?.append(long)
    }, selector)
    if (key === 'Tab') await page.getByRole('button', { name: 'See sentences' }).first().focus()
    for (let at = 0; at < 24; at++) {
      await page.keyboard.press(key)
      const isBelow = await page.evaluate((name) => {
        const over = document.querySelector(name)?.getBoundingClientRect()
        const own = document.activeElement?.getBoundingClientRect()
        return over && own && own.height > 0 && own.top >= over.top && own.bottom <= over.bottom
      }, selector)
      assert.not.ok(isBelow, `${selector} hides "${await focused(page)}"`)
    }
  }
})

test('with a dark system the page is printed in dark ink, since the paper is white', async (stage) => {
  const { page } = await stage.visit('health', { colorScheme: 'dark' })
  const ink = (path: string) =>
    page.evaluate((at) => getComputedStyle(document.querySelector(at) ?? document.body).color, path)
  const screen = await ink('h1')
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  const brightness = (colour: string) => Math.max(...(colour.match(/\d+/g) ?? []).map(Number))
  assert.ok(brightness(screen) > 200 && brightness(await ink('h1')) < 80)
  await page.goto(`${stage.server.url}/docs`)
  assert.ok(brightness(await ink('h1')) < 80, 'the documentation as well')
})

test('a review is printed on one sheet, and what is fixed to the window not on each', async (stage) => {
  const { page } = await stage.visit('reviews')
  await page.locator('.reviews > li').first().waitFor()
  const styles = () =>
    page.evaluate(() => {
      const waiting = document.body.appendChild(document.createElement('p'))
      waiting.className = 'waiting'
      waiting.textContent = 'Waiting for the server …'
      const row = document.querySelector('.reviews > li') ?? document.body
      return [getComputedStyle(waiting).position, getComputedStyle(row).breakInside]
    })
  assert.equal(await styles(), ['fixed', 'auto'])
  await page.emulateMedia({ media: 'print' })
  assert.equal(await styles(), ['static', 'avoid'])
})

test('after signing out the focus is on the heading of the page that says so', async (stage) => {
  const { page } = await stage.visit('health')
  await press(page, 'Sign out')
  await page.getByText('You are signed out').waitFor()
  assert.is(await focused(page), 'Pullquote')
})

test.run()
