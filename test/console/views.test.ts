/** The console's views as an owner uses them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { listen } from '../snippet/fake-service.ts'
import { type ConsoleStage, consoleSuite, PROJECT, picture, violations } from './console-stage.ts'

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
  await page.getByLabel('What a visitor asks').fill('sauna with a view of the lake')
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
  assert.match((await first.locator('.why').textContent()) ?? '', /Matched|Near enough/)
  assert.match(page.url(), /#\/search\?q=sauna/)
  assert.equal(lines, [])
})

test('what is near and not shown says why, and what fits nothing says so', async (stage) => {
  const { page } = await stage.visit('search?q=breakfast%20on%20the%20terrace')
  await page.getByRole('heading', { name: 'Near, and not shown' }).waitFor()
  await page.getByRole('button', { name: 'Why not?' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Its excerpts, nearest first').waitFor()
  assert.match((await dialog.textContent()) ?? '', /floor|stars|place|negative/)
  assert.equal(await violations(page), [])
  await picture(page, 'explain-1280-light')
  await page.keyboard.press('Escape')
  assert.is(await page.evaluate(() => document.activeElement?.textContent), 'Why not?')
  await page.getByLabel('What a visitor asks').fill('income tax return')
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
  await announced(page, 'Hidden: no search shows it any more.')
  assert.not.ok((await visible()).includes(JSON.stringify(hidden).slice(1, -1)))
  await results(page).first().getByRole('button', { name: 'Show it again' }).click()
  await announced(page, 'It may appear again.')
  assert.ok((await visible()).includes(JSON.stringify(hidden).slice(1, -1)))
})

test('the address of a page becomes its query and its cards', async (stage) => {
  const site = await listen((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        '<title>Spa – Lake Hotel</title><meta property="og:site_name" content="Lake Hotel"><h1>Sauna and steam bath</h1>',
      )
  })
  try {
    const { page } = await stage.visit('search')
    await page.getByLabel('Or the address of a page of yours').fill(site.origin)
    await page.getByRole('button', { name: 'See what this page would ask' }).click()
    await page.getByText('The page would ask what stands in the field above.').waitFor()
    assert.is(await page.getByLabel('What a visitor asks').inputValue(), 'Sauna and steam bath – Spa')
    await page.getByText('as visitors see them').waitFor()
    const owner = await stage.visit('search', { project: PROJECT })
    await owner.page.getByLabel('Or the address of a page of yours').fill(site.origin)
    await owner.page.getByRole('button', { name: 'See what this page would ask' }).click()
    await owner.page.getByText('inside the network of the server').waitFor()
  } finally {
    await site.close()
  }
})

test('what visitors asked, with those in vain, leads into the search; sliders show what would change', async (stage) => {
  await ask(stage, 'breakfast', 'breakfast', 'sauna', 'dogs', 'quiet room', 'charging station', 'income tax return')
  const { page, lines } = await stage.visit('asked')
  await page.getByText(/Nobody has searched yet|Most asked/).waitFor()
  // Counts are written every ten seconds.
  for (let tries = 0; tries < 40 && (await page.getByText('income tax return').count()) === 0; tries++) {
    await page.waitForTimeout(500)
    await page.reload()
    await page.getByText(/Nobody has searched yet|Most asked/).waitFor()
  }
  await page.locator('rect.vain').first().waitFor({ state: 'attached' })
  assert.equal(await violations(page), [])
  await page.getByRole('link', { name: 'breakfast' }).click()
  await page.getByText('as visitors see them').waitFor()
  assert.is(await page.getByLabel('What a visitor asks').inputValue(), 'breakfast')

  await page.getByRole('link', { name: 'What appears' }).click()
  await page.getByText(/^Move something to try the .* most asked queries with it\.$/).waitFor()
  await page.getByLabel('How near a sentence must be').fill('0.9')
  await page.getByText('drops out').first().waitFor()
  await page.getByLabel('How near a sentence must be').fill('0.45')
  await page.getByText('comes in').first().waitFor()
  assert.equal(await violations(page), [])
  await picture(page, 'settings-1280-light')
  assert.is((await stage.operator.project(PROJECT)).similarity_floor, 0.66, 'nothing was saved')
  assert.equal(lines, [])
})

test('two who change the settings hear of each other, and nothing is lost', async (stage) => {
  const { page } = await stage.visit('settings')
  await page.getByRole('button', { name: 'Save' }).waitFor()
  await stage.operator.setProject(PROJECT, { min_rating: 3 })
  await page.getByLabel('Leave out sentences that read as complaints').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Somebody else changed the settings meanwhile').waitFor()
  assert.is((await stage.operator.project(PROJECT)).excerpts, 'all')
  assert.equal(await violations(page), [])
  // What was not touched here is as the other set it, so that the second click takes nothing back.
  assert.is(await page.getByLabel('Lowest rating').inputValue(), '3')
  assert.ok(await page.getByLabel('Leave out sentences that read as complaints').isChecked())
  await page.getByRole('button', { name: 'Save' }).click()
  await announced(page, 'Saved.')
  const saved = await stage.operator.project(PROJECT)
  assert.equal([saved.excerpts, saved.min_rating], ['no_complaints', 3])
  await stage.operator.setProject(PROJECT, { min_rating: 4, excerpts: 'all' })
})

test('reviews are found by text, stars and state, hidden and shown again, one sentence as well', async (stage) => {
  const { page, lines } = await stage.visit('reviews')
  await page.locator('.reviews > li').nth(19).waitFor()
  await page.getByRole('button', { name: 'More' }).click()
  await page.locator('.reviews > li').nth(39).waitFor()
  await page.getByLabel('Look for').fill('sauna')
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
  await announced(page, 'It may appear again')
  await page.getByLabel('State').selectOption('')
  await first.getByRole('button', { name: 'Its sentences' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Hide this' }).first().click()
  await announced(page, 'Hidden')
  await page.getByRole('dialog').getByRole('button', { name: 'Show again' }).first().click()
  await announced(page, 'It may appear again')
  assert.equal(await violations(page), [])
  await page.keyboard.press('Escape')
  await page.getByLabel('Look for').fill('no review says this')
  await page.getByText('No review fits these filters.').waitFor()
  assert.equal(lines, [])
})

test('a file is tried first, then imported, and what was left out can be had', async (stage) => {
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-console-import-'))
  const file = join(folder, 'reviews.csv')
  writeFileSync(
    file,
    'text,date,rating,author\n"The rowing boats are freshly painted.",2026-11-01,5,Ida\n"No date here",,4,Jo\n',
  )
  const { page } = await stage.visit('reviews')
  await page.getByLabel('Import reviews').setInputFiles(file)
  await page.getByText('What importing reviews.csv would do').waitFor()
  await page.getByText('text from text').waitFor()
  await picture(page, 'import-1280-light')
  assert.equal(await violations(page), [])
  await page.getByRole('button', { name: 'Import into live' }).click()
  await page.getByText('reviews.csv was imported').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download errors.csv' }).click()
  assert.is((await download).suggestedFilename(), 'errors.csv')
  await page.getByText('The rowing boats are freshly painted.').first().waitFor()
  const broken = join(folder, 'broken.json')
  writeFileSync(broken, '[{"text": ')
  await page.getByLabel('Import reviews').setInputFiles(broken)
  await page.locator('.drop .problem').waitFor()
  rmSync(folder, { recursive: true })
})

test('a file that does not say how it is read can be told, and is tried again', async (stage) => {
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-console-mapping-'))
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const { page, lines } = await stage.visit('reviews')
  const offer = page.getByLabel('Import reviews')
  await offer.setInputFiles(file('slashes.csv', 'text,date,rating\n"The jetty was swept.",3/11/2026,5\n'))
  const order = page.getByLabel('Dates such as 1/2/2026')
  await order.waitFor()
  assert.is(await order.inputValue(), 'month_first')
  await order.selectOption('day_first')
  await page.locator('dd', { hasText: 'day before month' }).waitFor()
  await page.getByLabel('The text is in').waitFor()
  await picture(page, 'import-choices-1280-light')
  assert.equal(await violations(page), [])
  await page.getByRole('button', { name: 'Import into live' }).click()
  await page.getByText('slashes.csv was imported').waitFor()
  await page.getByText('3 Nov 2026').first().waitFor()

  await offer.setInputFiles(file('odd.csv', 'wann,wie,was\n2026-02-03,5,"The ferry waited for us."\n'))
  await page.getByLabel('Column of the text').fill('wass')
  await page.getByLabel('Column of the date').fill('wann')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('.drop .problem', { hasText: 'wass' }).waitFor()
  assert.is(await page.getByLabel('Column of the text').inputValue(), 'wass', 'a slip is mended where it was made')
  assert.is(await page.getByLabel('Column of the date').inputValue(), 'wann')
  await page.getByLabel('Column of the text').fill('was')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('text from was').waitFor()
  await page.getByLabel('The rating is in').selectOption('wie')
  await page.getByText('rating from wie').waitFor()
  const busy = { error: { code: 'service_unavailable', message: 'Busy.' } }
  await page.route('**/imports?*', (route) => route.fulfill({ status: 503, json: busy }), { times: 1 })
  await page.getByLabel('The author is in').selectOption('wann')
  await page.locator('.drop .problem', { hasText: 'Busy.' }).waitFor()
  assert.is(await page.getByLabel('The rating is in').inputValue(), 'wie', 'the choices stay where one is refused')
  assert.is(await page.getByLabel('The author is in').inputValue(), 'wann')

  await offer.setInputFiles(
    file('mixed.csv', 'date,rating,text\n13/01/2026,5,"Warm bread &amp; jam"\n01/13/2026,5,"The cafÃ© by the pier"\n'),
  )
  await page.getByText('or choose below how they are meant').waitFor()
  await page.getByRole('button', { name: 'Read them with the day first' }).click()
  await page.getByText('those of this file are read with the day first').waitFor()
  assert.not.match((await page.locator('.drop').textContent()) ?? '', /--[a-z]/)
  await page.getByLabel('Dates such as').focus()
  await page.getByLabel('Dates such as').selectOption('month_first')
  await page.getByText('those of this file are read with the month first').waitFor()
  await page.waitForFunction(() => document.activeElement instanceof HTMLSelectElement)
  assert.is(await page.getByLabel('Dates such as').inputValue(), 'month_first')
  await page.getByText('unless that is chosen below').waitFor()
  await page.getByLabel('Mend letters that were encoded twice').check()
  await page.getByText('which was mended').waitFor()
  assert.ok(await page.getByLabel('Mend letters that were encoded twice').isChecked())
  await picture(page, 'import-texts-1280-light')
  assert.equal(await violations(page), [])
  assert.equal(
    lines.filter((line) => !/422|503/.test(line)),
    [],
  )
  rmSync(folder, { recursive: true })
})

test('while a file is stored nothing else about it can be chosen, and of two files tried the later counts', async (stage) => {
  const { page } = await stage.visit('reviews')
  const drop = (name: string, text: string) =>
    page.evaluate(
      ({ name, text }) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([`text,date,rating\n"${text}",2026-02-04,5\n`], name))
        document.querySelector('.drop')?.dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }))
      },
      { name, text },
    )
  const held: (() => void)[] = []
  await page.route('**/imports?*', async (route) => {
    const url = route.request().url()
    const isHeld = url.includes('slow.csv') || url.includes('dry_run=false')
    if (isHeld) await new Promise<void>((go) => held.push(go))
    await route.continue().catch(() => {})
  })
  await drop('slow.csv', 'The slow one.')
  await page.getByText('Trying slow.csv').waitFor()
  await drop('quick.csv', 'The sauna was lit at dusk.')
  await page.getByText('What importing quick.csv would do').waitFor()
  for (const go of held.splice(0)) go()
  await page.getByRole('button', { name: 'Import into live' }).click()
  for (const control of await page.locator('.drop button, .drop select, .drop input').all())
    assert.ok(await control.isDisabled(), (await control.textContent()) ?? '')
  await drop('third.csv', 'The third one.')
  assert.is(await page.getByText('What importing quick.csv would do').count(), 1, 'nothing else is tried meanwhile')
  while (!held[0]) await page.waitForTimeout(20)
  for (const go of held.splice(0)) go()
  await page.getByText('quick.csv was imported').waitFor()
  assert.ok(await page.getByLabel('Import reviews').isEnabled())
})

test('the tag says what was chosen, gets a key and an origin', async (stage) => {
  const { page, lines } = await stage.visit('tag', { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.locator('.preview .cards').waitFor()
  await page.getByLabel('Query').fill('sauna')
  await page.getByLabel('Look').selectOption('list')
  await page.getByLabel('Language').selectOption('de')
  await page.getByLabel('Cards').fill('2')
  await page.getByRole('button', { name: 'Make a live key for this tag' }).click()
  await page.getByText('The key is in the tag.').waitFor()
  await page.getByLabel('Add a site').fill('https://www.lake.example/rooms')
  await page.getByRole('button', { name: 'Add' }).click()
  await announced(page, 'Pages of https://www.lake.example may show the reviews now.')
  await page.getByRole('button', { name: 'Copy' }).click()
  await announced(page, 'Copied.')
  const tag = await page.evaluate(() => navigator.clipboard.readText())
  assert.match(tag, /data-key="svc_pk_live_\w{32}"/)
  assert.match(tag, /data-query="sauna"/)
  assert.match(tag, /data-limit="2"/)
  assert.match(tag, /data-layout="list"/)
  assert.match(tag, /data-lang="de"/)
  assert.match(tag, new RegExp(`src="${stage.server.url}/snippet.js"`))
  assert.equal((await stage.operator.project(PROJECT)).origins, ['https://www.lake.example'])
  await page.waitForFunction(
    () => document.querySelector('.preview .cards')?.shadowRoot?.querySelectorAll('li').length === 2,
  )
  assert.match((await page.getByText('The note must say').textContent()) ?? '', /Sternen/)
  assert.equal(await violations(page), [])
  assert.equal(lines, [])
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
  await results(page).first().waitFor()
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
      await page.getByRole('button', { name: 'Its sentences' }).first().click()
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

const SIZES = [
  [375, 'light'],
  [375, 'dark'],
  [1280, 'light'],
  [1280, 'dark'],
] as const
for (const [width, colorScheme] of SIZES) {
  test(`every view at ${width} pixels, ${colorScheme}: nothing for axe, nothing beside the window`, async (stage) => {
    const { page, lines } = await stage.visit('search?q=breakfast', { viewport: { width, height: 800 }, colorScheme })
    for (const [path, ready] of [
      ['search?q=breakfast', '.results > li'],
      ['asked', 'main .view > *'],
      ['reviews', '.reviews > li'],
      ['settings', '.settings'],
      ['tag', '.preview .cards'],
    ] as const) {
      await page.evaluate((hash) => {
        location.hash = hash
      }, `#/${path}`)
      await page.locator(ready).first().waitFor()
      assert.equal(await violations(page), [], path)
      const beside = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.ok(beside <= 0, `${path}: ${beside} pixels beside the window`)
      await picture(page, `${path.split('?')[0]}-${width}-${colorScheme}`)
    }
    assert.equal(lines, [])
  })
}

test.run()
