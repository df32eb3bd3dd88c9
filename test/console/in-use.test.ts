/** The console as somebody uses it who knows nothing of it: by keyboard, in two tabs, back and forth, before there is anything. */
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { type ConsoleStage, consoleSuite, PROJECT, picture, violations } from './console-stage.ts'

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
  await page.getByLabel('Or the address of a page of yours').fill('nothing')
  await page.getByRole('button', { name: 'See what this page would ask' }).focus()
  await page.keyboard.press('Enter')
  await page.locator('.problem').waitFor()
  assert.is(await focused(page), 'See what this page would ask')
  await page.waitForFunction(() => document.querySelector('[data-announce]')?.textContent === '')
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
  await page.getByLabel('Look for').fill('sauna')
  await page.getByLabel('Stars', { exact: true }).selectOption('5')
  await page.waitForURL(/#\/reviews\?q=sauna&stars=5$/)
  await page.reload()
  const kept = async () => [
    await page.getByLabel('Look for').inputValue(),
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

test('a project without reviews says in each view what to do', async (stage) => {
  const empty = await withEmptyProject(stage)
  const { page, lines } = await stage.visit('search', { project: empty })
  await page.getByText('There are no reviews to show here yet. A file of them is imported under Reviews.').waitFor()
  await page.getByRole('link', { name: 'Reviews' }).click()
  await page.getByText('There are no reviews here yet. Drop an export into the box above.').waitFor()
  await page.getByRole('link', { name: 'Asked' }).click()
  await page.getByText('Nobody has searched yet. What visitors ask appears here').waitFor()
  await page.getByRole('link', { name: 'What appears' }).click()
  await page.getByText('Visitors have asked nothing yet.').waitFor()
  await page.getByRole('link', { name: 'Tag' }).click()
  await page.getByText('None yet, so the tag shows nothing anywhere. Add your site below.').waitFor()
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
  await owner.page.getByText(/signed in no longer|project of your link is gone/).waitFor()

  await page.goto(await stage.link())
  await page.getByRole('heading', { name: 'No project yet' }).waitFor()
  await picture(page, 'no-project-375')
  assert.equal(await violations(page), [])
  assert.is(await page.locator('nav').count(), 0)
  await page.getByLabel('Name of the project').fill('.')
  await page.getByRole('button', { name: 'Make the project' }).click()
  await page.locator('.problem').waitFor()
  await page.getByLabel('Name of the project').fill('Ferry House')
  await page.getByLabel('Leave out sentences that read as complaints').check()
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
