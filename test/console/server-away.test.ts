/** A server that goes away while somebody works: each view says so, keeps what was typed, and goes on when it is back. */
import type { Page, Route } from 'playwright-core'
import * as assert from 'uvu/assert'
import { PROJECT } from '../sample-home.ts'
import { until } from '../waiting.ts'
import { consoleSuite, violations } from './console-stage.ts'

const test = consoleSuite('the console while its server is away')
const API = '**/console/api/**'
const PROXY = { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }

/** Does something while nothing answers, and waits until the page says so and until it is over. */
async function whileAway(page: Page, act: () => Promise<unknown>, away: (route: Route) => Promise<void>) {
  await page.route(API, away)
  await act()
  await page
    .getByText('The server is not responding. What you see may be out of date, and nothing you do now is saved.')
    .waitFor()
  assert.equal(await violations(page), [])
  await page.unroute(API)
  await page.getByText('The server is back.').waitFor()
}

for (const [name, away] of [
  ['no connection', (route: Route) => route.abort()],
  ['a proxy that has nothing behind it', (route: Route) => route.fulfill(PROXY)],
] as const) {
  test(`a search is asked again, and its words stay: ${name}`, async (stage) => {
    const { page } = await stage.visit('search')
    const field = page.getByLabel('What a visitor searches for')
    await field.fill('sauna')
    await whileAway(page, () => field.press('Enter'), away)
    assert.is(await field.inputValue(), 'sauna')
    await field.press('Enter')
    await page.getByText('as visitors see them').waitFor()
  })

  test(`settings that were not saved stay as they were moved, and are saved then: ${name}`, async (stage) => {
    const { page } = await stage.visit('settings')
    const floor = page.getByLabel('How close a match must be')
    await floor.fill('0.7')
    await page.getByLabel('Leave out sentences that sound like complaints').check()
    await whileAway(page, () => page.getByRole('button', { name: 'Save' }).click(), away)
    assert.is(await floor.inputValue(), '0.7')
    assert.ok(await page.getByLabel('Leave out sentences that sound like complaints').isChecked())
    assert.is((await stage.operator.project(PROJECT)).similarity_floor, 0.66)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await stage.operator.setProject(PROJECT, { similarity_floor: 0.66, excerpts: 'all' })
  })

  test(`a review that could not be hidden says so and is hidden then: ${name}`, async (stage) => {
    const { page } = await stage.visit('reviews?q=sauna')
    const first = page.locator('.reviews > li').first()
    await first.waitFor()
    const hide = first.getByRole('button', { name: 'Hide the review' })
    await whileAway(page, () => hide.click(), away)
    assert.is(await page.getByLabel('Search reviews').inputValue(), 'sauna')
    await hide.click()
    await first.getByRole('button', { name: 'Show it again' }).click()
    await hide.waitFor()
  })

  test(`what was written into the tag stays, and a site is added then: ${name}`, async (stage) => {
    const { page } = await stage.visit('tag')
    await page.getByLabel('Heading').fill('What guests say')
    const site = page.getByLabel('Add a site')
    await site.fill('https://www.example.com')
    await whileAway(page, () => page.getByRole('button', { name: 'Add', exact: true }).click(), away)
    assert.equal(
      [await site.inputValue(), await page.getByLabel('Heading').inputValue()],
      ['https://www.example.com', 'What guests say'],
    )
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('https://www.example.com', { exact: true }).waitFor()
    await stage.operator.setProject(PROJECT, { origins: [] })
  })

  test(`a file that could not be tried is tried again: ${name}`, async (stage) => {
    const { page } = await stage.visit('reviews')
    const file = {
      name: 'reviews.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('date,text\n2026-01-05,A calm house.\n'),
    }
    const choose = () => page.locator('input[type=file]').setInputFiles(file)
    await page.locator('input[type=file]').waitFor({ state: 'attached' })
    await whileAway(page, choose, away)
    await choose()
    await page.getByRole('button', { name: /^Import into/ }).waitFor()
  })

  test(`a view that could not be opened opens when the server is back: ${name}`, async (stage) => {
    const { page } = await stage.visit('health')
    await page.getByText('Indexing').waitFor()
    for (const view of ['Asked', 'Reviews', 'What appears', 'Tag', 'Health']) {
      await whileAway(page, () => page.getByRole('link', { name: view, exact: true }).click(), away)
      if (view === 'Reviews') await page.getByLabel('Search reviews').press('Enter')
      await page
        .locator(VIEW_IS_FULL[view] ?? 'main')
        .first()
        .waitFor()
      assert.is(await page.getByRole('button', { name: 'Try again' }).count(), 0)
    }
  })
}

test('a view that could not be opened because the database was away opens when that is back', async (stage) => {
  const { page } = await stage.visit('health')
  await page.getByText('Indexing').waitFor()
  const error = { code: 'service_unavailable', message: 'The database does not answer just now.' }
  let asked = 0
  await page.route(API, (route) => {
    asked++
    return route.fulfill({ status: 503, json: { error } })
  })
  await page.getByRole('link', { name: 'What appears', exact: true }).click()
  await page.getByText(`${error.message} If this stays, tell whoever runs the server.`).waitFor()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await until('it has been asked twice whether the database is back', async () => asked > 2)
  await page.unroute(API)
  await page.getByLabel('How close a match must be').waitFor()
})

test('a view that fails by itself is not asked for again and again', async (stage) => {
  const { page } = await stage.visit('health')
  await page.getByText('Indexing').waitFor()
  const error = { code: 'service_unavailable', message: 'This took too long.' }
  let asked = 0
  await page.route('**/console/api/projects/**', (route) => {
    asked++
    return route.fulfill({ status: 503, json: { error } })
  })
  await page.getByRole('link', { name: 'What appears', exact: true }).click()
  await page.getByText(error.message).waitFor()
  await page.waitForTimeout(4_000)
  assert.is(asked, 1)
  await page.unroute('**/console/api/projects/**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByLabel('How close a match must be').waitFor()
})

test('an answer that was on its way when the server went away does not pass for its return', async (stage) => {
  const { page } = await stage.visit('reviews')
  await page.locator('.reviews > li').first().waitFor()
  let held: Route | undefined
  await page.route(API, async (route) => {
    if (held) await route.abort()
    else held = route
  })
  // Without Enter, whose search the one after the pause would cancel on a slow machine.
  await page.getByLabel('Search reviews').fill('sauna')
  await until('the search is on its way', async () => held !== undefined)
  const file = {
    name: 'reviews.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('date,text\n2026-01-05,A calm house.\n'),
  }
  await page.locator('input[type=file]').setInputFiles(file)
  const banner = page.getByText('What you see may be out of date')
  await banner.waitFor()
  const answer = page.waitForResponse(API)
  await held?.continue()
  await (await answer).finished()
  await page.locator('.reviews mark, .reviews > li').first().waitFor()
  assert.ok(await banner.isVisible())
  await page.unroute(API)
  await page.getByText('The server is back.').waitFor()
})

test('a server that is back and knows nobody is asked no more, and one sentence says so', async (stage) => {
  const { page } = await stage.visit('health')
  await page.getByText('Indexing').waitFor()
  await page.route(API, (route) => route.abort())
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('What you see may be out of date').waitFor()
  await page.unroute(API)
  await page.clock.install()
  let asked = 0
  await page.route(API, (route) => {
    asked++
    return route.fulfill({ status: 401, json: { error: { code: 'unauthorized', message: 'Signed in no longer.' } } })
  })
  await page.getByText('Signed in no longer.').waitFor()
  await page.clock.runFor(20_000)
  // Whatever was asked before this one has been asked.
  await page.evaluate(() => fetch('console/api/session'))
  assert.is(asked, 2)
})

const VIEW_IS_FULL: Record<string, string> = {
  Asked: 'text=Period',
  Reviews: '.reviews > li',
  'What appears': 'text=What would change',
  Tag: 'text=Sites that can show it',
  Health: '.facts',
}

test.run()
