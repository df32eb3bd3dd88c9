import * as assert from 'uvu/assert'
import { bodyBudgets } from '../../../server/http/byte-budget.ts'
import { createRequestContext } from '../../../server/http/request-context.ts'
import { handleRequest } from '../../../server/http/request-pipeline.ts'
import { respond } from '../../../server/http/respond.ts'
import { snippetLabels } from '../../../server/routes/service/snippet-labels.ts'
import { translations } from '../../../snippet/translations.ts'
import { silent } from '../../database.ts'
import { suite } from '../../suite.ts'

const test = suite('the words of the snippet over HTTP')

async function get(query: string): Promise<Response> {
  const context = createRequestContext(new Request(`http://service.test/snippet/labels${query}`))
  const sql = undefined as never
  const deps = { log: silent, docsUrl: 'http://service.test/docs', operatorToken: 'x', sql, bodies: bodyBudgets() }
  return respond(context, deps, () => handleRequest(snippetLabels, context, {}, deps))
}

test('those of a language, for any origin and a day in any cache', async () => {
  const response = await get('?lang=de')
  assert.is(response.status, 200)
  assert.is(response.headers.get('access-control-allow-origin'), '*')
  assert.is(response.headers.get('cache-control'), 'public, max-age=86400')
  assert.equal(await response.json(), { labels: '# von 5 Sternen|Mehr lesen|öffnet einen neuen Tab' })
})

test('each has all three, the first with a place for the number of stars', () => {
  for (const [lang, labels] of Object.entries(translations)) {
    const words = labels.split('|')
    assert.is(words.length, 3, lang)
    assert.is(words[0]?.split('#').length, 2, lang)
    assert.ok(
      words.every((each) => each.trim() !== ''),
      lang,
    )
    assert.is(new Intl.Locale(lang).language, lang)
  }
})

test('none where there are none, so that the English ones are taken', async () => {
  for (const query of ['', '?lang=', '?lang=en', '?lang=hr', '?lang=__proto__', '?lang=toString', '?lang=%F0%9F%98%80'])
    assert.equal(await (await get(query)).json(), { labels: '' }, query)
})

test.run()
