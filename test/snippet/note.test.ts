/** `data-note="auto"`: the line that says which reviews are shown, composed for each page. */
import * as assert from 'uvu/assert'
import { answer, HOTEL, result } from './reviews.ts'
import { stageSuite } from './stage.ts'

const test = stageSuite('the note that says which reviews are shown')

const NOTE = { note: 'Showing reviews of 4 stars and more', lang: 'en', min_rating: 4 }
const AUTO = 'data-note="auto" data-min-rating="4"'

test('is asked for beside the query, with the key, the language and what the page asks for', async (stage) => {
  stage.service.plan = { response: answer(HOTEL), note: { ...NOTE, note: 'Ab 4 Sternen', lang: 'de' } }
  const { page, lines } = await stage.settle(
    `<html lang="de-AT"><head><title>x</title></head><body>${stage.tag(AUTO)}</body></html>`,
  )
  const note = page.locator('[part=note]')
  assert.is(await note.textContent(), 'Ab 4 Sternen')
  assert.is(await note.getAttribute('lang'), 'de')
  const [asked] = stage.service.notes
  assert.equal([...(asked?.searchParams.keys() ?? [])], ['key', 'lang', 'min_rating'])
  assert.is(asked?.searchParams.get('lang'), 'de-AT')
  assert.equal(lines, [])
  await page.context().close()
})

test('is not asked for otherwise', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page } = await stage.settle(stage.tag('data-note="Our own words"'))
  assert.is(await page.locator('[part=note]').textContent(), 'Our own words')
  assert.is(stage.service.notes.length, 0)
  // Its colours are the page's: fainter than that it might not be readable.
  assert.is(await page.locator('[part=note]').evaluate((node) => getComputedStyle(node).opacity), '1')
  await page.context().close()
})

test('is left out where it would not be true of what is shown, and stays with unrated reviews', async (stage) => {
  stage.service.plan = { response: answer([...HOTEL, result({ text: 'Old answer.', rating: 3 })]), note: NOTE }
  const stale = await stage.settle(stage.tag(AUTO))
  assert.is(await stale.page.locator('li').count(), HOTEL.length + 1)
  assert.is(await stale.page.locator('[part=note]').count(), 0)
  await stale.page.context().close()
  stage.service.plan = { response: answer([result({ text: 'No stars.', rating: null })]), note: NOTE }
  const unrated = await stage.settle(stage.tag(AUTO))
  assert.is(await unrated.page.locator('[part=note]').textContent(), NOTE.note)
  await unrated.page.context().close()
})

test('a server that cannot say costs the note only, and a line in the console', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const { page, lines } = await stage.settle(stage.tag(AUTO))
  assert.is(await page.locator('li').count(), HOTEL.length)
  assert.is(await page.locator('[part=note]').count(), 0)
  assert.is(lines.filter((line) => /^\[pullquote\] no note of http/.test(line)).length, 1)
  await page.context().close()
})

test('changes with the settings, on the next view', async (stage) => {
  stage.service.plan = { response: answer(HOTEL), note: NOTE }
  const { page } = await stage.settle(stage.tag(AUTO))
  assert.is(await page.locator('[part=note]').textContent(), NOTE.note)
  stage.service.plan.note = { ...NOTE, note: 'Showing reviews of 3 stars and more', min_rating: 3 }
  await page.reload()
  await page.getByText('3 stars and more').waitFor()
  await page.context().close()
})

test.run()
