/** The console as somebody uses it who knows nothing of it: by keyboard, in two tabs, back and forth, before there is anything. */
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { PROJECT } from '../sample-home.ts'
import { type ConsoleStage, consoleSuite, picture, violations } from './console-stage.ts'

const test = consoleSuite('the console in use')

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)
const chooses = (page: Page, name: string) => page.getByLabel('Project').selectOption({ label: name })

async function withEmptyProject(stage: ConsoleStage): Promise<string> {
  const name = 'empty-house'
  const known = await stage.operator.projects()
  if (!known.some((project) => project.name === name)) await stage.operator.createProject({ name, plan: 'paid' })
  return name
}

test('who hides by keyboard stays at the button, and the message leaves by itself', async (stage) => {
  const { page } = await stage.visit('search?q=sauna')
  const hide = page.locator('.results > li').first().getByRole('button').first()
  await hide.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Show it again' }).waitFor()
  await page.waitForFunction(() => document.activeElement?.textContent === 'Show it again')
  assert.equal(await violations(page), [])
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.activeElement?.textContent === 'Hide this sentence')
  await page.getByLabel('Or the address of one of your pages').fill('nothing')
  await page.getByRole('button', { name: 'Preview this page' }).focus()
  await page.keyboard.press('Enter')
  await page.locator('.problem').waitFor()
  assert.is(await focused(page), 'Preview this page')
  await page.waitForFunction(() => document.querySelector('[data-announce]')?.textContent === '')
})

test('a page that is open while the server is updated says so, keeps what was typed and offers the new one', async (stage) => {
  const { page } = await stage.visit('search')
  const notice = page.getByText('The server has been updated')
  const named: (string | undefined)[] = []
  const field = page.getByLabel('What a visitor searches for')
  const search = async (words: string) => {
    await field.fill(words)
    await field.press('Enter')
    await page.getByText('as visitors see them').waitFor()
  }
  await search('sauna')
  assert.is(await notice.count(), 0)
  await page.route('**/console/api/**', async (route) => {
    const response = await route.fetch()
    named.push(response.headers()['x-pullquote-page'])
    await route.fulfill({ response, headers: { ...response.headers(), 'x-pullquote-page': '0123456789abcdef' } })
  })
  for (const words of ['quiet rooms', 'breakfast']) await search(words)
  await notice.waitFor()
  assert.is(await notice.count(), 1)
  assert.match(String(named[0]), /^\w{8,}$/)
  assert.is(await field.inputValue(), 'breakfast')
  assert.equal(await violations(page), [])
  await page.unroute('**/console/api/**')
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.getByText('as visitors see them').waitFor()
  assert.is(await notice.count(), 0)
})

test('a tab shows the project that its head names, whatever another tab chooses', async (stage) => {
  const empty = await withEmptyProject(stage)
  const { page } = await stage.visit()
  await chooses(page, PROJECT)
  const other = await page.context().newPage()
  await other.goto(`${stage.server.url}/console`)
  await other.getByLabel('Project').waitFor()
  assert.match(await other.title(), new RegExp(PROJECT), 'a new tab begins with what was chosen last')
  await chooses(other, empty)
  await other.waitForFunction((name) => document.title.includes(name), empty)
  await page.getByRole('link', { name: 'Health' }).click()
  await page.getByText('170 reviews of').waitFor()
  assert.match(await page.title(), new RegExp(PROJECT))
  await page.reload()
  await page.getByText('170 reviews of').waitFor()
})

test('filters of reviews last through a reload and a way back', async (stage) => {
  const { page } = await stage.visit('reviews')
  await chooses(page, PROJECT)
  await page.getByLabel('Search reviews').fill('sauna')
  await page.getByLabel('Stars', { exact: true }).selectOption('5')
  await page.waitForURL(/#\/reviews\?q=sauna&stars=5&project=/)
  await page.reload()
  const kept = async () => [
    await page.getByLabel('Search reviews').inputValue(),
    await page.getByLabel('Stars', { exact: true }).inputValue(),
  ]
  await page.locator('.reviews > li').first().waitFor()
  assert.equal(await kept(), ['sauna', '5'])
  await page.getByRole('link', { name: 'Health' }).click()
  await page.locator('.facts').waitFor()
  await page.goBack()
  await page.locator('.reviews > li').first().waitFor()
  assert.equal(await kept(), ['sauna', '5'])
})

test('a view that is chosen while a search is still due is shown', async (stage) => {
  const { page } = await stage.visit('search')
  await page.locator('.results > li').first().waitFor()
  await page.evaluate(() => {
    // The event comes later, and a busy page searches before it.
    location.hash = '#/reviews'
    document.querySelector<HTMLFormElement>('form[role=search]')?.requestSubmit()
  })
  await page.locator('input[type=file]').waitFor()
  assert.match(page.url(), /#\/reviews\?project=/)
})

/** Has an answer wait until the test lets it go. */
async function hold(page: Page, url: string, method = 'GET', outcome?: { status: number; json: unknown }) {
  let letGo = () => {}
  const isAsked = new Promise<void>((asked) => {
    const free = new Promise<void>((go) => {
      letGo = go
    })
    void page.route(url, async (route) => {
      if (route.request().method() !== method) return route.fallback()
      asked()
      await free
      await (outcome ? route.fulfill(outcome) : route.continue()).catch(() => {})
    })
  })
  return { isAsked, letGo: () => letGo() }
}
const BUSY = { status: 503, json: { error: { code: 'service_unavailable', message: 'Busy for a moment.' } } }

test('what was found for other words or filters does not stand below those that were refused, nor goes on there', async (stage) => {
  const { page } = await stage.visit('reviews')
  await chooses(page, PROJECT)
  await page.getByRole('button', { name: 'More' }).waitFor()
  const answer = await hold(page, '**/reviews?stars=2', 'GET', BUSY)
  await page.getByLabel('Stars', { exact: true }).selectOption('2')
  await answer.isAsked
  assert.is(await page.getByRole('button', { name: 'More' }).count(), 0)
  answer.letGo()
  await page.getByText('Busy for a moment.').waitFor()
  assert.is(await page.locator('.reviews > li').count(), 0)

  await page.getByRole('link', { name: 'Search' }).click()
  await page.locator('.results > li').first().waitFor()
  await page.route('**/search', (route) => route.fulfill(BUSY))
  await page.getByLabel('What a visitor searches for').fill('breakfast')
  await page.getByText('Busy for a moment.').waitFor()
  assert.is(await page.locator('.results > li').count(), 0)
})

test('a slider that is moved while the settings are saved stays where it is, to be saved as well', async (stage) => {
  const { page } = await stage.visit('settings')
  await chooses(page, PROJECT)
  const floor = page.getByLabel('How close a match must be')
  const save = page.getByRole('button', { name: 'Save' })
  await floor.fill('0.7')
  const answer = await hold(page, '**/console/api/projects/*', 'PATCH')
  await save.click()
  await answer.isAsked
  await floor.fill('0.8')
  assert.ok(await save.isDisabled(), 'a second one would be told that somebody else was faster')
  answer.letGo()
  await page.getByText('Saved.').waitFor()
  assert.is(await floor.inputValue(), '0.8')
  await save.click()
  for (const until = Date.now() + 30_000; (await stage.operator.project(PROJECT)).similarity_floor !== 0.8; )
    assert.ok(Date.now() < until)
  await stage.operator.setProject(PROJECT, { similarity_floor: 0.66 })
})

test('settings that were not saved are still there after a look elsewhere, and said not to be saved', async (stage) => {
  const { page } = await stage.visit('settings')
  await chooses(page, PROJECT)
  await page.getByLabel('Lowest rating').fill('2')
  await page.getByText('Not saved yet.').waitFor()
  await page.getByRole('link', { name: 'Health' }).click()
  await page.locator('.facts').waitFor()
  await page.goBack()
  await page.getByText('Not saved yet.').waitFor()
  assert.is(await page.getByLabel('Lowest rating').inputValue(), '2')
  await page.getByRole('button', { name: 'Undo changes' }).click()
  assert.is(await page.getByText('Not saved yet.').count(), 1, 'in the page, for the next change')
  assert.not.ok(await page.getByText('Not saved yet.').isVisible())
  await page.reload()
  assert.is(await page.getByLabel('Lowest rating').inputValue(), '4')
})

test('an import that fails after its view was left is told all the same', async (stage) => {
  const empty = await withEmptyProject(stage)
  const { page } = await stage.visit('reviews')
  await chooses(page, PROJECT)
  const buffer = Buffer.from('text,date\n"The ferry was on time.",2026-11-03\n')
  await page.locator('input[type=file]').setInputFiles({ name: 'ferry.csv', mimeType: 'text/csv', buffer })
  const go = page.getByRole('button', { name: 'Import into live' })
  await go.waitFor()
  // Not before it was tried.
  const answer = await hold(page, '**/imports?*', 'POST', BUSY)
  await go.click()
  await answer.isAsked
  await page.getByText('Keep this page open until it is done.').waitFor()
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const leaving = await asked
  assert.is(leaving.type(), 'beforeunload')
  await leaving.dismiss()
  await chooses(page, empty)
  answer.letGo()
  const told = page.getByRole('dialog', { name: `ferry.csv, into ${PROJECT}, live` })
  await told.getByText('Busy for a moment.').waitFor()
})

test('a review that could not be hidden is named when its view was left meanwhile', async (stage) => {
  const { page } = await stage.visit('reviews')
  await chooses(page, PROJECT)
  const answer = await hold(page, '**/reviews/*', 'PATCH', BUSY)
  const hide = page.getByRole('button', { name: 'Hide the review' }).first()
  const whose = await hide.getAttribute('aria-description')
  await hide.click()
  await answer.isAsked
  await page.getByRole('link', { name: 'Health' }).click()
  await page.locator('.facts').waitFor()
  answer.letGo()
  await page.getByText(`Hide the review: ${whose}. Busy for a moment.`).waitFor()
})

test('there is one dialog at a time, and none over another view; who closes it is back on the page', async (stage) => {
  const { page } = await stage.visit('health')
  await chooses(page, PROJECT)
  await page.getByRole('link', { name: 'Search' }).click()
  await page.getByRole('button', { name: 'See sentences' }).first().dblclick()
  await page.getByRole('dialog').getByRole('button', { name: 'Hide this' }).first().click()
  // Beside an open dialog it would be dimmed, and screen readers would not say it.
  await page.getByRole('dialog').getByText('Hidden from all searches.').waitFor()
  assert.is(await page.locator('dialog').count(), 1)
  await page.getByRole('dialog').getByRole('button', { name: 'Show again' }).first().click()
  await page.getByText('It can appear again.').waitFor()
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => document.activeElement !== document.body)
  await page.getByRole('button', { name: 'See sentences' }).first().click()
  await page.getByRole('dialog').waitFor()
  await page.goBack()
  await page.locator('.facts').waitFor()
  assert.is(await page.locator('dialog').count(), 0)
})

test('a project without reviews says in each view what to do', async (stage) => {
  const empty = await withEmptyProject(stage)
  const { page, lines } = await stage.visit('search', { project: empty })
  await page.getByText('There are no reviews to show yet. Import a file of them under Reviews.').waitFor()
  await page.getByRole('link', { name: 'Reviews' }).click()
  await page.getByText('There are no reviews here yet. Drop an export into the box above.').waitFor()
  await page.getByRole('link', { name: 'Asked' }).click()
  await page
    .getByText('No searches in the last 30 days. Once the tag is on a page, what visitors search for appears here')
    .waitFor()
  await page.getByRole('link', { name: 'What appears' }).click()
  await page.getByText('No visitor searches have been counted yet.').waitFor()
  await page.getByRole('link', { name: 'Tag' }).click()
  await page.getByText('None yet, so no site can show the reviews. Add yours below.').waitFor()
  assert.equal(lines, [])
})

test('the longest name of a project leaves room on a phone, and every view is in sight', async (stage) => {
  const name = 'the-longest-name-'.repeat(6).slice(0, 100).replace(/-$/, 'x')
  await stage.operator.createProject({ name, plan: 'paid' })
  for (const project of [name, undefined]) {
    const { page } = await stage.visit('reviews', {
      viewport: { width: 375, height: 800 },
      ...(project ? { project } : {}),
    })
    if (!project) await chooses(page, name)
    const { height, beside, cut } = await page.evaluate(() => ({
      height: document.querySelector('.top')?.getBoundingClientRect().height ?? 0,
      beside: document.documentElement.scrollWidth - innerWidth,
      cut: [...document.querySelectorAll('nav a')].filter((link) => link.getBoundingClientRect().right > innerWidth)
        .length,
    }))
    assert.ok(height < 150, `${height} pixels high`)
    assert.equal([beside, cut], [0, 0])
  }
})

test('without a project the operator makes one, and an owner is told that theirs is gone', async (stage) => {
  const { page, lines } = await stage.stranger({ viewport: { width: 375, height: 800 } })
  const owner = await stage.stranger()
  await owner.page.goto(await stage.link({ project: PROJECT }))
  await owner.page.locator('nav a').first().waitFor()
  for (const { name } of await stage.operator.projects()) await stage.operator.deleteProject(name)
  await owner.page.reload()
  await owner.page.getByText(/session has ended|project no longer exists/).waitFor()

  await page.goto(await stage.link())
  await page.getByRole('heading', { name: 'No project yet' }).waitFor()
  await picture(page, 'no-project-375')
  assert.equal(await violations(page), [])
  assert.is(await page.locator('nav').count(), 0)
  await page.getByLabel('Project name').fill('.')
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.locator('.problem').waitFor()
  await page.getByLabel('Project name').fill('Ferry House')
  await page.getByLabel('Leave out sentences that sound like complaints').check()
  await page.keyboard.press('Enter')
  await page.getByText('Drop an export into the box above').waitFor()
  assert.match(await page.title(), /Ferry House/)
  const [made] = await stage.operator.projects()
  assert.equal([made?.name, made?.excerpts], ['Ferry House', 'no_complaints'])
  assert.equal(
    lines.filter((line) => !/422/.test(line)),
    [],
  )
})

test.run()
