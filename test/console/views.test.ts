import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { PROJECT } from '../sample-home.ts'
import { listen } from '../snippet/fake-service.ts'
import { type ConsoleStage, consoleSuite, picture, violations } from './console-stage.ts'

const test = consoleSuite('the console: views')

/** What visitors ask, so that there is something to tell. */
async function ask(stage: ConsoleStage, ...queries: string[]): Promise<void> {
  const { key } = await stage.operator.createKey({ project: PROJECT, kind: 'secret', env: 'live' })
  for (const q of queries) {
    const response = await fetch(`${stage.server.url}/v1/query?q=${encodeURIComponent(q)}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    assert.is(response.status, 200)
  }
}

const results = (page: Page) => page.locator('.results > li')
const announced = (page: Page, text: string) => page.locator('[data-announce]', { hasText: text }).waitFor()

test('a search shows the cards of the snippet, the score and the sentence that spoke', async (stage) => {
  const { page, lines } = await stage.visit('search')
  await page.getByLabel('What a visitor searches for').fill('sauna with a view of the lake')
  await page.getByText('as visitors see them').waitFor()
  const first = results(page).first()
  const texts = await results(page)
    .locator('.cards')
    .evaluateAll((hosts) => hosts.map((host) => host.shadowRoot?.textContent ?? ''))
  assert.ok(
    texts.slice(0, 3).some((text) => /sauna/i.test(text)),
    texts.join('\n'),
  )
  assert.ok(Number(await first.locator('.score').textContent()) > 0.6)
  assert.match((await first.locator('.why').textContent()) ?? '', /Matched|Matches by/)
  assert.match(page.url(), /#\/search\?q=sauna/)
  assert.equal(lines, [])
})

test('what is near and not shown says why, and what fits nothing says so', async (stage) => {
  const { page } = await stage.visit('search?q=breakfast%20on%20the%20terrace')
  await page.getByRole('heading', { name: 'Close, but not shown' }).waitFor()
  const near = page.locator('.near > li').first()
  assert.is(
    await near.getByRole('button', { name: 'Why not?' }).getAttribute('aria-description'),
    await near.locator('span').first().textContent(),
    'for screen readers, which list buttons without what is beside them',
  )
  await page.getByRole('button', { name: 'Why not?' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Its excerpts, closest first').waitFor()
  assert.match((await dialog.textContent()) ?? '', /floor|stars|place|negative/)
  assert.equal(await violations(page), [])
  await picture(page, 'explain-1280-light')
  await page.keyboard.press('Escape')
  assert.is(await page.evaluate(() => document.activeElement?.textContent), 'Why not?')
  await page.getByLabel('What a visitor searches for').fill('income tax return')
  await page.getByText('Nothing fits, so nothing is shown.').waitFor()
})

test('a hidden sentence leaves every search, and comes back', async (stage) => {
  const { page } = await stage.visit('search?q=sauna')
  await results(page).first().waitFor()
  const text = await results(page)
    .first()
    .locator('.cards')
    .evaluate((host) => host.shadowRoot?.querySelector('q')?.textContent ?? '')
  const visible = async () => {
    const { key } = await stage.operator.createKey({ project: PROJECT, kind: 'secret', env: 'live' })
    const url = `${stage.server.url}/v1/query?q=sauna&limit=20&include=text&mode=reviews`
    return (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).text()
  }
  const excerpt = await results(page)
    .first()
    .locator('.cards')
    .evaluate((host) => host.shadowRoot?.querySelector('mark')?.textContent ?? '')
  const hidden = (excerpt || text).replace(/…/g, '').trim()
  assert.ok((await visible()).includes(JSON.stringify(hidden).slice(1, -1)))
  await results(page).first().getByRole('button', { name: 'Hide this sentence' }).click()
  await announced(page, 'Hidden from all searches.')
  assert.not.ok((await visible()).includes(JSON.stringify(hidden).slice(1, -1)))
  await results(page).first().getByRole('button', { name: 'Show it again' }).click()
  await announced(page, 'It can appear again.')
  assert.ok((await visible()).includes(JSON.stringify(hidden).slice(1, -1)))
})

test('the address of a page becomes its query and its cards', async (stage) => {
  const pages: Record<string, string> = {
    '/': '<title>Spa – Lake Hotel</title><meta property="og:site_name" content="Lake Hotel"><h1>Sauna and steam bath</h1>',
    '/wellness': '<title>Wellness</title><meta name="description" content="A sauna with a view of the lake.">',
  }
  const site = await listen((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(pages[request.url ?? ''])
  })
  try {
    const { page } = await stage.visit('search')
    await page.getByLabel('Or the address of one of your pages').fill(site.origin)
    await page.getByRole('button', { name: 'Preview this page' }).click()
    await page.getByText('The page would search for the text in the field above.').waitFor()
    assert.is(await page.getByLabel('What a visitor searches for').inputValue(), 'Sauna and steam bath')
    await page.getByText('as visitors see them').waitFor()
    await page.getByLabel('Or the address of one of your pages').fill(`${site.origin}/wellness`)
    await page.getByRole('button', { name: 'Preview this page' }).click()
    await page.getByText('so it would search a second time, with its description as well').waitFor()
    const field = page.getByLabel('What a visitor searches for')
    assert.is(await field.inputValue(), 'A sauna with a view of the lake. – Wellness')
    await page.getByText('as visitors see them').waitFor()
    const owner = await stage.visit('search', { project: PROJECT })
    await owner.page.getByLabel('Or the address of one of your pages').fill(site.origin)
    await owner.page.getByRole('button', { name: 'Preview this page' }).click()
    await owner.page.getByText('inside the server’s own network').waitFor()
  } finally {
    await site.close()
  }
})

test('what visitors asked, with those in vain, leads into the search; sliders show what would change', async (stage) => {
  await ask(stage, 'breakfast', 'breakfast', 'sauna', 'dogs', 'quiet room', 'charging station', 'income tax return')
  const { page, lines } = await stage.visit('asked')
  await page.getByText(/No searches in the last|Top searches/).waitFor()
  // Counts are written every ten seconds, which may be between two of the page's reads.
  const isListed = async (query: string) => (await page.getByRole('row', { name: query }).count()) > 0
  const isAll = async () => (await isListed('income tax return')) && (await isListed('breakfast'))
  for (let tries = 0; tries < 40 && !(await isAll()); tries++) {
    await page.waitForTimeout(500)
    await page.reload()
    await page.getByText(/No searches in the last|Top searches/).waitFor()
  }
  await page.locator('rect.vain').first().waitFor({ state: 'attached' })
  assert.is(await page.getByRole('img', { name: /^Searches per day/ }).count(), 0, 'its caption is not said twice')
  await page.getByText('As a table').click()
  const day = page.getByRole('table', { name: 'Searches per day' }).locator('tbody tr').last()
  assert.match((await day.textContent()) ?? '', /^20\d\d-\d\d-\d\d\d+$/, 'for those who cannot point at a bar')
  assert.equal(await violations(page), [])
  await page.getByRole('link', { name: 'breakfast' }).click()
  await page.getByText('as visitors see them').waitFor()
  assert.is(await page.getByLabel('What a visitor searches for').inputValue(), 'breakfast')

  await page.getByRole('link', { name: 'What appears' }).click()
  await page.getByText(/^Change a setting to try it on the .* most frequent searches\.$/).waitFor()
  await page.getByLabel('How close a match must be').fill('0.9')
  await page.getByText('leaves').first().waitFor()
  await page.getByLabel('How close a match must be').fill('0.45')
  await page.getByText('enters').first().waitFor()
  const aloud = await page.locator('main [aria-live=polite]').allTextContents()
  assert.match(
    aloud.join(' | '),
    /^Of the \d+ most frequent searches, [^|]* would leave\.$/,
    'and no review is read aloud',
  )
  assert.equal(await violations(page), [])
  await picture(page, 'settings-1280-light')
  assert.is((await stage.operator.project(PROJECT)).similarity_floor, 0.66, 'nothing was saved')
  assert.equal(lines, [])
})

test('a floor between two steps of the slider is shown as it is, and stays when another setting is saved', async (stage) => {
  await stage.operator.setProject(PROJECT, { similarity_floor: 0.655 })
  try {
    const { page } = await stage.visit('settings')
    await page.getByText('0.655', { exact: true }).waitFor()
    const save = page.getByRole('button', { name: 'Save' })
    assert.ok(await save.isDisabled())
    await page.getByLabel('Lowest rating').fill('3')
    await save.click()
    await page.getByText('Saved. New searches use these settings.').waitFor({ state: 'attached' })
    const { similarity_floor, min_rating } = await stage.operator.project(PROJECT)
    assert.equal([similarity_floor, min_rating], [0.655, 3])
  } finally {
    await stage.operator.setProject(PROJECT, { similarity_floor: 0.66, min_rating: 4 })
  }
})

test('two who change the settings hear of each other, and nothing is lost', async (stage) => {
  const { page } = await stage.visit('settings')
  await page.getByRole('button', { name: 'Save' }).waitFor()
  await stage.operator.setProject(PROJECT, { min_rating: 3 })
  await page.getByLabel('Leave out sentences that sound like complaints').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Someone else has changed the settings').waitFor()
  assert.is((await stage.operator.project(PROJECT)).excerpts, 'all')
  assert.equal(await violations(page), [])
  // What was not touched here is as the other set it, so that the second click takes nothing back.
  assert.is(await page.getByLabel('Lowest rating').inputValue(), '3')
  assert.ok(await page.getByLabel('Leave out sentences that sound like complaints').isChecked())
  await page.getByRole('button', { name: 'Save' }).click()
  await announced(page, 'Saved.')
  const saved = await stage.operator.project(PROJECT)
  assert.equal([saved.excerpts, saved.min_rating], ['no_complaints', 3])
  await stage.operator.setProject(PROJECT, { min_rating: 4, excerpts: 'all' })
})

test('a list that was read before something in it was hidden is read again', async (stage) => {
  const { page } = await stage.visit('reviews')
  await page.locator('.reviews > li').nth(19).waitFor()
  // Held in the page: held by the browser's interception, this test timed out in four of fifty runs, for no cause found.
  await page.evaluate(() => {
    const { fetch } = window
    window.fetch = async (input, init) => {
      const response = await fetch(input, init)
      if (!String(input).includes('/reviews?')) return response
      window.fetch = fetch
      const isHidden = () =>
        [...document.querySelectorAll('dialog button')].some((one) => one.textContent === 'Show again')
      while (!isHidden()) await new Promise((resume) => setTimeout(resume, 20))
      return response
    }
  })
  await page.getByLabel('Stars', { exact: true }).selectOption('5')
  await page.locator('.reviews > li').first().getByRole('button', { name: 'See sentences' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Hide this' }).first().click()
  await page.waitForFunction(() => /hidden sentences: 1/.test(document.querySelector('.reviews')?.textContent ?? ''))
  await page.waitForTimeout(300)
  assert.match((await page.locator('.reviews').textContent()) ?? '', /hidden sentences: 1/)
  await page.getByRole('dialog').getByRole('button', { name: 'Show again' }).first().click()
  await announced(page, 'It can appear again')
})

test('reviews are found by text, stars and state, hidden and shown again, one sentence as well', async (stage) => {
  const { page, lines } = await stage.visit('reviews')
  await page.locator('.reviews > li').nth(19).waitFor()
  await page.getByRole('button', { name: 'More' }).click()
  await page.locator('.reviews > li').nth(39).waitFor()
  await page.getByLabel('Search reviews').fill('sauna')
  await page.waitForFunction(() => {
    const items = [...document.querySelectorAll('.reviews > li')]
    return items.length > 0 && items.every((item) => /sauna/i.test(item.textContent ?? ''))
  })
  const first = page.locator('.reviews > li').first()
  await first.getByRole('button', { name: 'Hide the review' }).click()
  await announced(page, 'Hidden')
  await page.getByLabel('State').selectOption('hidden')
  await page.waitForFunction(() => document.querySelectorAll('.reviews > li').length === 1)
  await first.getByRole('button', { name: 'Show it again' }).click()
  await announced(page, 'It can appear again')
  await page.getByLabel('State').selectOption('')
  await first.getByRole('button', { name: 'See sentences' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Hide this' }).first().click()
  await announced(page, 'Hidden')
  // The list of all states may be on its way still.
  await page.waitForFunction(() => document.querySelector('.reviews .mark')?.textContent === 'hidden sentences: 1')
  await page.getByRole('dialog').getByRole('button', { name: 'Show again' }).first().click()
  await announced(page, 'It can appear again')
  await page.waitForFunction(() => document.querySelector('.reviews .mark')?.textContent === '')
  assert.equal(await violations(page), [])
  await page.keyboard.press('Escape')
  await page.getByLabel('Search reviews').fill('no review says this')
  await page.getByText('No reviews match these filters.').waitFor()
  assert.equal(lines, [])
})

test('the tag says what was chosen, gets a key and an origin', async (stage) => {
  const { page, lines } = await stage.visit('tag', { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.locator('.preview .cards').waitFor()
  await page.getByLabel('Query').fill('sauna')
  await page.getByLabel('Layout').selectOption('list')
  await page.getByLabel('Language').selectOption('de')
  await page.getByLabel('Cards').fill('2')
  await page.getByRole('button', { name: 'Copy' }).click()
  await announced(page, 'Copied, without a key')
  await page.getByRole('button', { name: 'Create a live key' }).click()
  await page.getByText('The key is in the tag.').waitFor()
  await page.getByLabel('Add a site').fill('https://www.lake.example/rooms')
  await page.getByRole('button', { name: 'Add' }).click()
  await announced(page, 'Pages on https://www.lake.example can now show the reviews.')
  await page.getByRole('button', { name: 'Copy' }).click()
  await announced(page, 'Copied.')
  const tag = await page.evaluate(() => navigator.clipboard.readText())
  assert.match(tag, /data-key="svc_pk_live_\w{32}"/)
  assert.match(tag, /data-query="sauna"/)
  assert.match(tag, /data-limit="2"/)
  assert.match(tag, /data-layout="list"/)
  assert.match(tag, /data-lang="de"/)
  assert.match(tag, new RegExp(`src="${stage.server.url}/snippet.js"`))
  assert.match(tag, new RegExp(`data-host="${stage.server.url}/"`), 'also in a file of an optimizer')
  assert.match(tag, /onerror="for\(let e of document[^"]+minHeight=0"/, 'a server that is down leaves no gap')
  assert.equal((await stage.operator.project(PROJECT)).origins, ['https://www.lake.example'])
  await page.waitForFunction(
    () => document.querySelector('.preview .cards')?.shadowRoot?.querySelectorAll('li').length === 2,
  )
  assert.match((await page.getByText('The note has to say').textContent()) ?? '', /Sternen/)
  // A look elsewhere costs neither the key nor what was chosen.
  await page.getByRole('link', { name: 'Health' }).click()
  await page.goBack()
  await page.getByText('The key is in the tag.').waitFor()
  assert.is(await page.locator('pre').textContent(), tag)
  assert.equal(await violations(page), [])
  assert.equal(lines, [])
})

test('an address counts without its "https://", and a number of cards that cannot be had is not left standing', async (stage) => {
  const { page } = await stage.visit('search')
  await page.getByLabel('Or the address of one of your pages').fill('lake.example/rooms')
  const asked = page.waitForRequest('**/page')
  await page.getByRole('button', { name: 'Preview this page' }).click()
  assert.equal((await asked).postDataJSON(), { url: 'https://lake.example/rooms' })

  await page.getByRole('link', { name: 'Tag' }).click()
  const site = page.getByLabel('Add a site')
  await site.fill('localhost:3000')
  await site.press('Enter')
  await page.getByText('This is not the address of a site.').waitFor()
  await site.fill('shop.lake.example/rooms')
  await site.press('Enter')
  await announced(page, 'Pages on https://shop.lake.example can now show the reviews.')
  assert.ok((await stage.operator.project(PROJECT)).origins.includes('https://shop.lake.example'))
  const limit = page.getByLabel('Cards')
  for (const [typed, taken] of [
    ['500', '20'],
    ['1e1', '10'],
    ['0', '1'],
    ['', '3'],
  ] as const) {
    await limit.fill(typed)
    await limit.blur()
    assert.is(await limit.inputValue(), taken)
    assert.ok((await page.locator('pre').textContent())?.includes(`data-limit="${taken}"`))
  }
})

test('a tag asks only for the reviews with some metadata, as its preview does, if its key can be in a tag', async (stage) => {
  const { page } = await stage.visit('tag')
  const tag = page.locator('pre')
  await page.getByLabel('Only with metadata').fill('location')
  const asked = page.waitForRequest((request) => request.postData()?.includes('Not here') ?? false)
  await page.getByLabel('Value', { exact: true }).fill('Not here')
  assert.equal((await asked).postDataJSON().filters, { metadata: { location: 'Not here' } })
  await page.getByText('Nothing fits, so the tag would show nothing.').waitFor()
  assert.match((await tag.textContent()) ?? '', 'data-meta-location="Not here"')
  await page.getByLabel('Only with metadata').fill('Room type')
  await page.getByText('cannot be in a tag').waitFor()
  assert.not.match((await tag.textContent()) ?? '', 'data-meta')
})

test.run()
