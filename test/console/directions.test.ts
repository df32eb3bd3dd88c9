/** Reviews in Hebrew and Arabic in the console, whose own words are English. */
import type { Locator } from 'playwright-core'
import * as assert from 'uvu/assert'
import { consoleSuite } from './console-stage.ts'

const test = consoleSuite('the console with texts from right to left')

const HEBREW = 'ארוחת הבוקר (במרפסת) הייתה מצוינת!'
const NAME = 'דנה כהן'

/** Horizontal positions of the characters of `text`, which is somewhere in the element. */
function positions(place: Locator, text: string): Promise<number[]> {
  return place.evaluate((element, wanted) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const node = walker.currentNode
      const at = node.textContent?.indexOf(wanted) ?? -1
      if (at === -1) continue
      return Array.from(wanted, (_, index) => {
        const range = document.createRange()
        range.setStart(node, at + index)
        range.setEnd(node, at + index + 1)
        return range.getBoundingClientRect().left
      })
    }
    throw new Error(`no "${wanted}" in "${element.textContent}"`)
  }, text)
}

test('a sentence from right to left ends at the left, and the date behind a name stays behind it', async (stage) => {
  await stage.push([
    {
      external_id: 'hebrew-1',
      source: 'google',
      rating: 5,
      text: HEBREW,
      author_name: NAME,
      occurred_at: '2026-07-02T10:00:00Z',
    },
  ])
  const { page } = await stage.visit()
  // The built-in model knows no Hebrew, and names no sentence.
  await page.route('**/search', async (route) => {
    const response = await route.fetch()
    const found = await response.json()
    for (const one of found.explained) one.sentence = HEBREW
    await route.fulfill({ response, json: found })
  })
  await page.getByLabel('What a visitor searches for').fill('ארוחת בוקר')
  const why = page.locator('.why', { hasText: 'Matched' }).first()
  await why.waitFor()
  const matched = await positions(why, HEBREW)
  assert.is(Math.min(...matched), matched.at(-1), 'the exclamation mark is the leftmost')

  await page.getByRole('link', { name: 'Reviews' }).click()
  await page.getByLabel('Search reviews').fill(NAME)
  const row = page.locator('.reviews > li', { hasText: NAME })
  await row.waitFor()
  const said = await positions(row.locator('.text'), HEBREW)
  assert.is(Math.min(...said), said.at(-1))
  const [name, date] = [await positions(row, NAME), await positions(row, '2 Jul 2026')]
  assert.ok(Math.max(...name) < Math.min(...date))
})

test('an import names a missing review with its date behind its author', async (stage) => {
  const { page } = await stage.visit('reviews')
  const dated = (days: number[]) =>
    [
      'id,text,date,author,rating,source',
      ...days.map((day) => `m${day},שקט ונעים ${day},2026-05-0${day},${NAME},5,google`),
    ].join('\n')
  const choose = (days: number[]) =>
    page
      .locator('#import-file')
      .setInputFiles({ name: 'month.csv', mimeType: 'text/csv', buffer: Buffer.from(dated(days)) })
  await choose([1, 2, 3, 4, 5])
  await page.getByRole('button', { name: 'Import into live' }).click()
  await page.getByRole('heading', { name: 'month.csv was imported' }).waitFor()
  await choose([1, 2, 4, 5])
  const missing = page.locator('dt', { hasText: 'Missing' }).locator('+ dd').first()
  await missing.waitFor()
  const [name, date] = [await positions(missing, NAME), await positions(missing, '2026-05-03')]
  assert.ok(Math.max(...name) < Math.min(...date))
})

test.run()
