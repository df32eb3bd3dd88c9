import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { answer, HOTEL } from './reviews.ts'
import { stageSuite } from './stage.ts'

const test = stageSuite('credit badge')

const TEXT = 'Reviews by Pullquote'

/** Whether a reader sees the badge: its middle is on the page, of the block, and its text has a colour of its own. */
async function isSeen(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const host = document.querySelector('pullquote-reviews')
    const badge = host?.shadowRoot?.querySelector('.badge')
    if (!host?.shadowRoot || !badge) return false
    badge.scrollIntoView({ block: 'center' })
    const { left, top, width, height } = badge.getBoundingClientRect()
    const style = getComputedStyle(badge)
    const top1 = document.elementFromPoint(left + width / 2, top + height / 2)
    const top2 = host.shadowRoot.elementFromPoint(left + width / 2, top + height / 2)
    return (
      width > 60 &&
      height > 12 &&
      top1 === host &&
      top2 === badge &&
      style.visibility === 'visible' &&
      style.opacity === '1' &&
      style.color !== style.backgroundColor &&
      !style.color.startsWith('rgba') &&
      Number.parseFloat(style.fontSize) >= 11
    )
  })
}

test('it is rendered when the response says badge: true', async (stage) => {
  stage.service.plan = { response: answer(HOTEL, { badge: true }) }
  const { page, lines } = await stage.settle(stage.tag())
  assert.ok(await page.getByText(TEXT).isVisible())
  assert.ok(await isSeen(page))
  assert.equal(lines, [])
  await page.context().close()
})

test('it is rendered then only: not with false, and not with what merely looks true', async (stage) => {
  for (const badge of [false, 'true', 1, null, undefined]) {
    stage.service.plan = { response: answer(HOTEL, { badge: badge as boolean }) }
    const { page } = await stage.settle(stage.tag())
    assert.is(await page.getByText(TEXT).count(), 0)
    await page.context().close()
  }
})

test('it is rendered with fallback rows as well', async (stage) => {
  stage.service.plan = { response: answer(HOTEL, { badge: true, match: 'fallback' }) }
  const { page } = await stage.settle(stage.tag())
  assert.ok(await isSeen(page))
  await page.context().close()
})

for (const css of [
  '.badge, p, [part] { display: none !important }',
  'pullquote-reviews::part(badge) { display: none !important }',
  'pullquote-reviews { font-size: 0 !important; color: transparent !important; line-height: 0 !important }',
  'pullquote-reviews { height: 60px !important; overflow: hidden !important }',
  'pullquote-reviews { max-height: 60px !important; overflow: clip !important }',
  'pullquote-reviews { clip-path: inset(0 0 60px 0) !important }',
  'pullquote-reviews { display: block !important; text-indent: -9999px !important; word-spacing: 900px }',
  'pullquote-reviews::part(list) { margin-bottom: -60px !important; position: relative; z-index: 99 }',
  'pullquote-reviews { --i: #fff; --soft: #fff; --p: #fff; --line: #fff; --pullquote-muted: #fff }',
  'pullquote-reviews { pointer-events: auto; cursor: none; letter-spacing: 5em; writing-mode: vertical-rl }',
]) {
  test(`page CSS does not take it away: ${css.slice(0, 90)}`, async (stage) => {
    stage.service.plan = { response: answer(HOTEL, { badge: true }) }
    const { page } = await stage.settle(`<style>${css}</style>${stage.tag()}`)
    assert.ok(await isSeen(page))
    await page.context().close()
  })
}

test('a page that hides the block and shows its cards hides both', async (stage) => {
  stage.service.plan = { response: answer(HOTEL, { badge: true }) }
  const css =
    'pullquote-reviews { visibility: hidden } pullquote-reviews::part(card) { visibility: visible !important }'
  const { page } = await stage.settle(`<style>${css}</style>${stage.tag()}`)
  for (const seen of [page.locator('[part=card]').first(), page.getByText(TEXT)]) assert.not.ok(await seen.isVisible())
  await page.context().close()
})

test('in a narrow column the note has a line of its own, not the few letters that the badge leaves', async (stage) => {
  stage.service.plan = { response: answer(HOTEL, { badge: true }) }
  const note = 'data-note="Showing reviews of 4 stars and more"'
  const { page } = await stage.settle(`<div style="width: 200px">${stage.tag(note)}</div>`)
  const width = await page.locator('[part=note]').evaluate((each) => each.getBoundingClientRect().width)
  assert.is(Math.round(width), 200)
  await page.context().close()
})

test.run()
