/** What optimizers, consent managers and editors of content systems make of the tag, and what is left of the reviews then. */

import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { tagHtml } from '../../snippet/tag-html.ts'
import { KEY } from './fake-service.ts'
import { answer, HOTEL } from './reviews.ts'
import { type Stage, stageSuite, untilLine } from './stage.ts'

const test = stageSuite('tags that a content system has changed')

const printed = (stage: Stage) => tagHtml([['data-key', KEY]], `${stage.service.origin}/snippet.js`)
const withoutScript = (html: string) => html.replace(/<script.*/s, '')
const file = async (stage: Stage) => (await fetch(`${stage.service.origin}/snippet.js`)).text()

/** The page's long timers end at once. */
const hurried = (page: Page) =>
  page.addInitScript(
    `{ const patient = setTimeout; setTimeout = (work, after) => patient(work, after > 5000 ? 300 : after) }`,
  )

for (const [name, script] of [
  ['combined with others into a file of the site', '<script defer src="/cache/all.js?ver=1"></script>'],
  ['copied to the site under another name', '<script src="/cache/all.js"></script>'],
  ['written into the page', 'INLINE'],
] as const) {
  test(`the printed tag shows reviews when its file was ${name}`, async (stage) => {
    stage.service.plan = { response: answer(HOTEL) }
    const code = `window.before = 1;\n${await file(stage)}\n;window.after = 1`
    stage.put('/cache/all.js', code)
    const added = script.replace('INLINE', () => `<script>${code.replaceAll('</', '<\\/')}</script>`)
    const { page, lines } = await stage.settle(`${withoutScript(printed(stage))}${added}`)
    assert.is(await page.locator('li').count(), 3)
    assert.equal(lines, [])
    await page.context().close()
  })
}

test('a tag without any attribute of its own says so where nothing on the page could be filled', async (stage) => {
  const bare = `<script async src="${stage.service.origin}/snippet.js"></script>`
  const { page, lines } = await stage.visit(bare, { before: hurried })
  await untilLine(lines, /data-key must be svc_pk_…/)
  assert.is(lines.length, 1)
  await page.context().close()
})

test('a tag in the head, with a key or for elements that have one, and one for the JavaScript interface, are silent', async (stage) => {
  stage.service.plan = { response: answer(HOTEL) }
  const bare = `<script src="${stage.service.origin}/snippet.js"></script>`
  const pages = [
    `<html lang="en"><head><title>x</title>${stage.tag()}</head><body><h1>x</h1></body></html>`,
    `<html lang="en"><head><title>x</title>${bare}</head><body><h1>x</h1></body></html>`,
    `<h1>x</h1><div id="here"></div>${bare}<script>pullquote.render('#here', { key: '${KEY}' })</script>`,
  ]
  for (const html of pages) {
    const { page, lines } = await stage.visit(html, { before: hurried })
    await page.waitForTimeout(600)
    assert.equal(lines, [])
    await page.context().close()
  }
})

test.run()
