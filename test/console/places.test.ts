/** Which project a tab shows: by its address, by the link that signed in, and when another tab signs in or out. */
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { PROJECT } from '../sample-home.ts'
import { type ConsoleStage, consoleSuite, violations } from './console-stage.ts'

const test = consoleSuite('the console: projects in tabs')

const OTHER = 'Haus "Möwe" & <b>Söhne</b>'
const ELSEWHERE = 'This is the address of another project'

async function withOther(stage: ConsoleStage): Promise<void> {
  const known = await stage.operator.projects()
  if (!known.some(({ name }) => name === OTHER)) await stage.operator.createProject({ name: OTHER, plan: 'paid' })
}

const chooses = (page: Page, name: string) => page.getByLabel('Project').selectOption({ label: name })
const titled = (page: Page, name: string) => page.waitForFunction((part) => document.title.includes(part), name)

/** Signs in by a link in a further tab of the same browser, which has a session already. */
async function signsInBeside(page: Page, link: string): Promise<Page> {
  const beside = await page.context().newPage()
  await beside.goto(link)
  await beside.getByRole('button', { name: 'Sign in with this link' }).click()
  await beside.locator('nav a').first().waitFor()
  return beside
}

test('a bookmark opens the project and the environment in which it was made, and so does the way back', async (stage) => {
  await withOther(stage)
  const { page, lines } = await stage.visit('reviews?stars=5')
  await chooses(page, PROJECT)
  await titled(page, PROJECT)
  await page.getByLabel('Environment').selectOption('test')
  await page.getByText('No reviews match these filters.').waitFor()
  const bookmark = page.url()
  await chooses(page, OTHER)
  await titled(page, OTHER)
  const later = await page.context().newPage()
  await later.goto(bookmark)
  await titled(later, PROJECT)
  assert.is(await later.getByLabel('Environment').inputValue(), 'test')
  assert.is(await later.getByLabel('Stars', { exact: true }).inputValue(), '5')
  const views = await later.locator('nav a').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  assert.ok(
    views.every((href) => href?.includes('project=') && href.endsWith('&env=test')),
    'opened in a new tab',
  )
  await page.goBack()
  await titled(page, PROJECT)
  assert.is(await page.getByLabel('Project').locator('option:checked').textContent(), PROJECT)
  assert.equal(lines, [])
})

test('at the address of a project that is not theirs an owner is told so, and not shown their own instead', async (stage) => {
  await withOther(stage)
  const theirs = await stage.visit('health', { project: OTHER })
  await theirs.page.locator('.facts').waitFor()
  const { page } = await stage.visit('health', { project: PROJECT })
  await page.goto(theirs.page.url())
  await page.getByRole('heading', { name: ELSEWHERE }).waitFor()
  assert.equal(await violations(page), [])
  assert.is(await page.locator('nav [aria-current]').count(), 0)
  await page.getByRole('link', { name: `Open ${PROJECT}` }).click()
  await page.getByText('as on a page without a query').waitFor()
})

test('a project that was made after the page was opened is found by its address', async (stage) => {
  const { page } = await stage.visit('health')
  await page.locator('.facts').waitFor()
  const { id } = await stage.operator.createProject({ name: 'made-later', plan: 'paid' })
  await page.evaluate((project) => {
    location.hash = `#/health?project=${project}`
  }, id)
  await titled(page, 'made-later')
})

test('a tab whose session another tab has replaced says so', async (stage) => {
  await withOther(stage)
  const { page } = await stage.visit('tag', { project: PROJECT })
  await page.getByRole('button', { name: 'Create a live key' }).click()
  await page.locator('pre').getByText('svc_pk_live_').waitFor()
  const beside = await signsInBeside(page, await stage.link({ project: OTHER }))
  await titled(beside, OTHER)
  await page.getByRole('heading', { name: ELSEWHERE }).waitFor()
  await page.getByRole('link', { name: `Open ${OTHER}` }).click()
  await page.getByText('There are no reviews to show yet.').waitFor()
})

test('signing in again to the same project leaves the other tabs as they are', async (stage) => {
  const { page } = await stage.visit('tag', { project: PROJECT })
  await page.getByLabel('Add a site').fill('https://half-typed')
  const sent = page.waitForResponse('**/console/api/session')
  await signsInBeside(page, await stage.link({ project: PROJECT }))
  await sent
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('https://half-typed', { exact: true }).waitFor()
  await stage.operator.setProject(PROJECT, { origins: [] })
})

test('a link that is refused signs nobody out', async (stage) => {
  const used = await stage.link()
  const first = await stage.stranger()
  await first.page.goto(used)
  await first.page.locator('nav a').first().waitFor()
  const { page } = await stage.visit('health')
  await page.locator('.facts').waitFor()
  const beside = await page.context().newPage()
  await beside.goto(used)
  await beside.getByRole('button', { name: 'Sign in with this link' }).click()
  await beside.getByText('This link no longer works').waitFor()
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.locator('.facts').waitFor()
  await beside.getByRole('button', { name: 'Stay signed in as before' }).click()
  await beside.locator('nav a').first().waitFor()
})

test('whose session has ended opens the link again without a question, and what was not saved is still there', async (stage) => {
  const { page } = await stage.visit('settings', { project: PROJECT })
  await page.getByLabel('Lowest rating').fill('2')
  await page.getByText('Not saved yet.').waitFor()
  await page.getByRole('link', { name: 'Health' }).click()
  await page.locator('.facts').waitFor()
  // To the server that is a session that has ended.
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('Open your link again.').waitFor()
  const beside = await page.context().newPage()
  await beside.goto(await stage.link({ project: PROJECT }))
  await beside.locator('nav a').first().waitFor()
  // Of itself: the other tab has signed in.
  await page.locator('.facts').waitFor()
  await page.getByRole('link', { name: 'What appears' }).click()
  await page.getByText('Not saved yet.').waitFor()
  assert.is(await page.getByLabel('Lowest rating').inputValue(), '2')

  // Closed before the session ended, so that the browser still has its token.
  await page.context().clearCookies()
  const next = await page.context().newPage()
  await page.close()
  await beside.close()
  await next.goto(await stage.link({ project: PROJECT }))
  await next.locator('nav a').first().waitFor()
})

test('the days of searches stand where they belong, whatever the clock of the browser says', async (stage) => {
  const { page } = await stage.visit('health', { project: PROJECT })
  await page.locator('.facts').waitFor()
  await page.clock.setFixedTime(new Date(Date.now() - 86_400_000))
  await page.route('**/asked?*', async (route) => {
    const json = await (await route.fetch()).json()
    const totals = { searches: 3, empty: 0, fallbacks: 0, queries: 1 }
    const day = new Date().toISOString().slice(0, 10)
    await route.fulfill({ json: { ...json, totals, by_day: [{ day, days_ago: 0, searches: 3, unanswered: 0 }] } })
  })
  await page.getByRole('link', { name: 'Asked' }).click()
  const bar = page.locator('rect.bar')
  await bar.waitFor({ state: 'attached' })
  const end = Number(await bar.getAttribute('x')) + Number(await bar.getAttribute('width'))
  assert.ok(end > 95 && end < 100, `${end} of 100`)
})

test.run()
