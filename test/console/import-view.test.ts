import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { consoleSuite, picture, violations } from './console-stage.ts'

const test = consoleSuite('the console: import of a file')

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
  writeFileSync(broken, '')
  await page.getByLabel('Import reviews').setInputFiles(broken)
  await page.getByText('broken.json is empty.').waitFor()
  rmSync(folder, { recursive: true })
})

test('a file that is changed after it was tried is imported as it was tried; one that cannot be read says so', async (stage) => {
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-console-changed-'))
  const file = join(folder, 'changed.csv')
  writeFileSync(file, 'text,date\n"The kettle sings.",2026-11-01\n')
  const { page } = await stage.visit('reviews')
  const go = page.getByRole('button', { name: 'Import into live' })
  await page.getByLabel('Import reviews').setInputFiles(file)
  await go.waitFor()
  writeFileSync(file, 'text,date\n"The kettle sings.",2026-11-01\n"The lamp hums.",2026-11-02\n')
  await go.click()
  await page.getByText('changed.csv was imported').waitFor()
  await page.locator('dd', { hasText: /^1 review$/ }).waitFor()

  await page.evaluate(() => {
    const gone = new File(['text,date'], 'gone.csv')
    gone.arrayBuffer = () => Promise.reject(new DOMException('', 'NotReadableError'))
    Object.defineProperty(document.querySelector('input[type=file]'), 'files', { value: [gone] })
    document.querySelector('input[type=file]')?.dispatchEvent(new Event('change'))
  })
  await page.getByText('gone.csv cannot be read.').waitFor()
  rmSync(folder, { recursive: true })
})

test('a file that misses the box does not take the place of the page', async (stage) => {
  const { page } = await stage.visit('reviews')
  await page.locator('.drop').waitFor()
  const over = (selector: string) =>
    page.evaluate((selector) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['x'], 'x.csv'))
      const event = new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true })
      document.querySelector(selector)?.dispatchEvent(event)
      return [event.defaultPrevented, dataTransfer.dropEffect]
    }, selector)
  assert.equal(await over('h1'), [true, 'none'])
  assert.is((await over('.drop'))[0], true)
})

test('a file that does not say how it is read can be told, and is tried again', async (stage) => {
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-console-mapping-'))
  const file = (name: string, content: string | Buffer) => {
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

  await offer.setInputFiles(file('dos.csv', Buffer.from('text,date\nLa ma\xa4ana,2026-02-03\n', 'latin1')))
  await page.locator('.drop .problem', { hasText: 'Choose the encoding' }).waitFor()
  await page.getByLabel('The encoding is').selectOption('cp850')
  await page.getByRole('button', { name: 'Import into live' }).click()
  await page.getByText('dos.csv was imported').waitFor()

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
  await page.getByText('or choose one order below').waitFor()
  await page.getByRole('button', { name: 'Read them with the day first' }).click()
  await page.getByText('this file is read with the day first').waitFor()
  assert.not.match((await page.locator('.drop').textContent()) ?? '', /--[a-z]/)
  await page.getByLabel('Dates such as').focus()
  await page.getByLabel('Dates such as').selectOption('month_first')
  await page.getByText('this file is read with the month first').waitFor()
  await page.waitForFunction(() => document.activeElement instanceof HTMLSelectElement)
  assert.is(await page.getByLabel('Dates such as').inputValue(), 'month_first')
  await page.getByText('it can be repaired below').waitFor()
  await page.getByLabel('Repair letters that were encoded twice').check()
  await page.getByText('which was repaired').waitFor()
  assert.ok(await page.getByLabel('Repair letters that were encoded twice').isChecked())
  await picture(page, 'import-texts-1280-light')
  assert.equal(await violations(page), [])
  assert.equal(
    lines.filter((line) => !/422|503/.test(line)),
    [],
  )
  rmSync(folder, { recursive: true })
})

test('ratings are read on the scale that is chosen, of three or of five', async (stage) => {
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-console-scales-'))
  const file = (name: string, ratings: readonly (number | string)[]) => {
    const rows = ratings.map((rating, at) => `"The rowing boat number ${at} was dry.",2026-02-03,${rating}\n`)
    writeFileSync(join(folder, name), `text,date,rating\n${rows.join('')}`)
    return join(folder, name)
  }
  const { page, lines } = await stage.visit('reviews')
  const offer = page.getByLabel('Import reviews')
  await offer.setInputFiles(
    file(
      'smileys.csv',
      Array.from({ length: 40 }, (_, at) => (at < 4 ? 1 : 3)),
    ),
  )
  await page.getByText('if it is the best possible, choose it below').waitFor()
  await page.getByText('Change how columns, ratings, dates or texts are read').click()
  await page.getByLabel('The best rating is').selectOption('3')
  await page.getByText('if it is the best possible').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Import into live' }).click()
  await page.getByText('smileys.csv was imported').waitFor()
  await page.getByLabel('Search reviews').fill('boat number 39')
  const first = page.locator('.reviews > li', { hasText: 'The rowing boat number 39' })
  await first.getByRole('img', { name: '5 out of 5 stars' }).waitFor()

  await offer.setInputFiles(file('mixed.csv', ['8/10', 4]))
  await page.getByText('may be out of 10').waitFor()
  await page.getByLabel('The best rating is').selectOption('5')
  await page.getByText('2 reviews').first().waitFor()
  assert.equal(lines, [])
  rmSync(folder, { recursive: true })
})

test('a file whose dates name no day, or that has none, is read by the day that is given', async (stage) => {
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-console-days-'))
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const { page } = await stage.visit('reviews')
  const offer = page.getByLabel('Import reviews')
  await offer.setInputFiles(file('ago.csv', 'text,date,author\n"The locks were oiled.",3 months ago,Ida\n'))
  await page.getByText('give the day on which the file was made below').waitFor()
  assert.not.match((await page.locator('.drop').textContent()) ?? '', /--[a-z]/)
  await page.getByLabel('The file was made on').fill('2026-10-31')
  await page.getByText('counted back from 2026-10-31').waitFor()
  assert.is(await page.getByLabel('The file was made on').inputValue(), '2026-10-31')

  await offer.setInputFiles(file('bare.csv', 'text,author\n"The lamps along the pier were lit.",Jo\n'))
  await page.getByText('or give all of them one day below').waitFor()
  await page.getByLabel('The day of all reviews').fill('2026-10-30')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('the day 2026-10-30 that was given').waitFor()
  assert.equal(await violations(page), [])
  await page.getByRole('button', { name: 'Import into live' }).click()
  await page.getByText('bare.csv was imported').waitFor()
  await page.getByText('30 Oct 2026').first().waitFor()
  rmSync(folder, { recursive: true })
})

test('a file whose ids are those of other reviews is added without them, or replaces those', async (stage) => {
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-console-ids-'))
  const [first, second] = ['first.csv', 'second.csv'].map((name) => join(folder, name)) as [string, string]
  writeFileSync(first, 'id,text,date,author\n1,The moor was misty.,2026-11-04,Ida\n2,Otters at dawn.,2026-11-05,Jo\n')
  writeFileSync(second, 'id,text,date,author\n1,Bread at six.,2026-11-06,Kim\n2,A warm oven room.,2026-11-07,Lea\n')
  const { page } = await stage.visit('reviews')
  const offer = page.getByLabel('Import reviews')
  await offer.setInputFiles(first)
  await page.getByRole('button', { name: 'Import into live' }).click()
  await page.getByText('first.csv was imported').waitFor()
  await offer.setInputFiles(second)
  await page.locator('.drop .problem', { hasText: 'would replace those reviews' }).waitFor()
  assert.not.match((await page.locator('.drop').textContent()) ?? '', /--[a-z]/)
  await page.getByRole('button', { name: 'Replace the stored ones' }).waitFor()
  await picture(page, 'import-ids-1280-light')
  await page.getByRole('button', { name: "Add them, without the file's ids" }).click()
  await page.getByRole('button', { name: 'Import into live' }).click()
  await page.getByText('second.csv was imported').waitFor()
  for (const text of ['The moor was misty.', 'Bread at six.']) await page.getByText(text).first().waitFor()
  rmSync(folder, { recursive: true })
})

test('reviews that a newer export has no more are named, and hidden when that is chosen', async (stage) => {
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-console-newer-'))
  const month = (...days: number[]) => {
    const rows = days.map((day) => `n${day},2026-10-0${day},5,Ada ${day},"The pier had ${day} lamps."\n`)
    writeFileSync(join(folder, 'month.csv'), `id,date,rating,author,text\n${rows.join('')}`)
    return join(folder, 'month.csv')
  }
  const { page } = await stage.visit('reviews')
  const offer = page.getByLabel('Import reviews')
  await offer.setInputFiles(month(1, 2, 3, 4, 5, 6))
  await page.getByRole('button', { name: 'Import into live' }).click()
  await page.getByText('month.csv was imported').waitFor()
  await offer.setInputFiles(month(1, 2, 3, 5, 6))
  await page.locator('dd', { hasText: 'Ada 4, 2026-10-04: “The pier had 4 lamps.”' }).waitFor()
  await page.locator('dd', { hasText: 'still shown; hiding can be chosen below' }).waitFor()
  await page.getByText('There is nothing new in it.').waitFor()
  await page.getByLabel('Hide what the vendor has removed').check()
  await page.locator('dd', { hasText: 'would be hidden' }).waitFor()
  assert.equal(await violations(page), [])
  await page.getByRole('button', { name: 'Import into live' }).click()
  await page.locator('dd', { hasText: 'was hidden' }).waitFor()
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

test('when the connection is lost while a file is stored, the page says that it may be there, and how to find out', async (stage) => {
  const { page } = await stage.visit('reviews')
  const file = {
    name: 'cut.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('text,date\n"The pier is lit.",2026-10-02\n'),
  }
  await page.locator('input[type=file]').setInputFiles(file)
  const go = page.getByRole('button', { name: 'Import into live' })
  await go.waitFor()
  await page.route('**/imports?*dry_run=false*', async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await go.click()
  await page.getByText('The file may have been stored all the same').waitFor()
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByText('There is nothing new in it.').waitFor()
})

test('what was imported while its view was left is in the list of whoever has come back', async (stage) => {
  const { page } = await stage.visit('reviews')
  const buffer = Buffer.from('text,date\n"The heron stands on the jetty.",2026-11-20\n')
  await page.locator('input[type=file]').setInputFiles({ name: 'heron.csv', mimeType: 'text/csv', buffer })
  let letGo = () => {}
  const free = new Promise<void>((go) => {
    letGo = go
  })
  await page.getByRole('button', { name: 'Import into live' }).waitFor()
  await page.route('**/imports?*dry_run=false*', async (route) => {
    await free
    await route.continue()
  })
  await page.getByRole('button', { name: 'Import into live' }).click()
  await page.getByRole('link', { name: 'Health' }).click()
  await page.locator('.facts').waitFor()
  await page.getByRole('link', { name: 'Reviews' }).click()
  await page.locator('.reviews > li').first().waitFor()
  letGo()
  await page.locator('.reviews').getByText('The heron stands on the jetty.').waitFor()
})

test.run()
