/** What takes its time: slow connections, reviews that are still being indexed. */
import * as assert from 'uvu/assert'
import { PROJECT } from '../sample-home.ts'
import { consoleSuite, violations } from './console-stage.ts'

const test = consoleSuite('the console, waiting')
const WAITING = 'Waiting for the server …'

test('a view that comes slowly says that it is on its way', async (stage) => {
  const { page } = await stage.visit('health', { project: PROJECT })
  await page.locator('.facts').waitFor()
  let letGo = () => {}
  const free = new Promise<void>((go) => {
    letGo = go
  })
  await page.route('**/console/api/**', async (route) => {
    await free
    await route.continue()
  })
  await page.getByRole('link', { name: 'Asked' }).click()
  await page.getByText(WAITING).waitFor()
  assert.equal(await violations(page), [])
  letGo()
  await page.getByLabel('Period').waitFor()
  await page.getByText(WAITING).waitFor({ state: 'detached' })
})

test('a search that was given up for the next letter is not waited for', async (stage) => {
  const { page } = await stage.visit('search', { project: PROJECT })
  await page.locator('.results > li').first().waitFor()
  await page.route('**/search', (route) => {
    if (!route.request().postData()?.includes('breakfast')) return
    return route.continue()
  })
  const field = page.getByLabel('What a visitor searches for')
  await field.fill('sauna')
  await page.getByText(WAITING).waitFor()
  await field.fill('breakfast')
  await page.getByText(WAITING).waitFor({ state: 'detached' })
  await page.getByText('as visitors see them').waitFor()
})

test('the mark "not indexed yet" leaves by itself, and hidden sentences stay marked', async (stage) => {
  const { page } = await stage.visit('health', { project: PROJECT })
  await page.locator('.facts').waitFor()
  let asked = 0
  await page.route('**/live/reviews*', async (route) => {
    const json = await (await route.fetch()).json()
    const [first] = json.reviews
    first.hidden_excerpts = 1
    if (asked++ < 2) first.status = 'indexing'
    await route.fulfill({ json })
  })
  await page.getByRole('link', { name: 'Reviews' }).click()
  await page.getByText('not indexed yet, hidden sentences: 1').waitFor()
  await page.getByText('hidden sentences: 1', { exact: true }).waitFor()
  assert.is(asked, 3)
  assert.is(await page.locator('.mark', { hasText: 'not indexed yet' }).count(), 0)
})

test('in forced colours only the open view is underlined in the list of views', async (stage) => {
  const { page } = await stage.visit('health', { project: PROJECT, forcedColors: 'active' })
  await page.locator('.facts').waitFor()
  const visible = await page.locator('nav a').evaluateAll((links) =>
    links
      .filter((link) => getComputedStyle(link).borderBottomColor !== getComputedStyle(document.body).backgroundColor)
      .filter((link) => getComputedStyle(link).borderBottomColor !== 'rgb(255, 255, 255)')
      .map((link) => link.textContent),
  )
  assert.equal(visible, ['Health'])
})

test.run()
