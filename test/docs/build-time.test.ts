/** The code of docs/snippet.md for site generators, run as Eleventy would. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { fencedBlocks } from './markdown.ts'

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'snippet.md'), 'utf8')
const code = fencedBlocks(page).find(({ text }) => text.startsWith('// eleventy.config.js'))?.text ?? ''

type Shortcode = (q: string) => Promise<string>

/** The shortcode of the page, whose requests get these answers in turn. */
async function shortcode(...answers: Response[]) {
  const requests: Request[] = []
  const name = `answers${Math.random()}`
  const give = async (url: string, init: RequestInit) => {
    requests.push(new Request(url, init))
    return answers[requests.length - 1]
  }
  Object.assign(globalThis, { [name]: give })
  const source = code.replace('await fetch(', `await globalThis[${JSON.stringify(name)}](`)
  const module = await import(`data:text/javascript,${encodeURIComponent(source)}`)
  const found = new Map<string, Shortcode>()
  module.default({ addAsyncShortcode: (key: string, run: Shortcode) => found.set(key, run) })
  return { reviews: found.get('reviews') as Shortcode, requests }
}

const answer = (badge: boolean) => ({
  results: [{ excerpt: 'Warm <b>bread</b> & "butter".', review: { author_name: null } }],
  badge,
})

const test = suite('reviews at build time')

test('what reviewers wrote is text, and the credit is shown where the answer asks for it', async () => {
  const { reviews, requests } = await shortcode(Response.json(answer(true)), Response.json(answer(false)))
  const html = await reviews('bread')
  assert.match(html, 'Warm &#60;b&#62;bread&#60;/b&#62; &#38; &#34;butter&#34;.')
  assert.match(html, '<p>Reviews by Pullquote</p>')
  assert.not.match(await reviews('bread'), 'Pullquote')
  assert.equal(await requests[0]?.json(), { q: 'bread', limit: 3 })
})

test('a used-up minute is waited for, a used-up month and other errors end the build', async () => {
  const refused = (code: string, headers = {}) =>
    Response.json({ error: { code, message: 'No.' } }, { status: 429, headers })
  const minute = await shortcode(refused('rate_limited', { 'retry-after': '1' }), Response.json(answer(false)))
  assert.match(await minute.reviews('bread'), 'bread')
  for (const [error, headers] of [
    ['query_quota_exceeded', { 'retry-after': '86400' }],
    ['unauthorized', {}],
  ] as const) {
    const { reviews } = await shortcode(refused(error, headers))
    assert.match(await reviews('bread').catch(String), `${error}: No.`)
  }
})

test.run()
