import * as assert from 'uvu/assert'
import { createBuiltinEmbedder } from '../../server/embed/builtin/embedder.ts'
import { createEmbedder } from '../../server/embed/create.ts'
import type { WordComparison } from '../../server/embed/embedder.ts'
import { silent } from '../database.ts'
import { suite } from '../suite.ts'

const test = suite("another provider's candidates, compared word by word")

function defined(coverage: WordComparison | undefined): WordComparison {
  if (!coverage) throw new Error('the model compares no words')
  return coverage
}

const service = async () =>
  Response.json({ data: [{ index: 0, embedding: [1, 0, 0, 0] }], model: 'made-up', object: 'list' })
const embedder = await createEmbedder(
  { provider: 'openai', url: 'http://service.example/v1', model: 'made-up' },
  { fetch: service, log: silent },
)
const other = defined(embedder.coverage)
const builtin = defined((await createBuiltinEmbedder()).coverage)
const covered = (by: WordComparison, query: string, texts: string[]) => by.ask(query).coverage(texts.map(by.read))

const KNOWN = ['Lunch is cheap here.', 'A nice place if you are around for lunch', 'Das Mittagessen war günstig.']

test('texts and queries in languages that the built-in model knows, as that model compares them', () => {
  for (const query of ['cheap lunch', 'is lunch cheap?', 'günstiges Mittagessen'])
    assert.equal(covered(other, query, KNOWN), covered(builtin, query, KNOWN), query)
})

test('a text in a language that it does not know is neither raised nor lowered', () => {
  const [first = 0, unknown, second = 0] = covered(other, 'cheap lunch', [
    KNOWN[0] ?? '',
    'Обед здесь стоит недорого, и всё очень вкусно.',
    KNOWN[1] ?? '',
  ])
  assert.equal([first, second], covered(builtin, 'cheap lunch', KNOWN.slice(0, 2)))
  assert.ok(first > second + 0.05)
  assert.is(unknown, (first + second) / 2)
})

test('a query in such a language raises no text', () => {
  const texts = ['Обед здесь недорогой.', 'Долго ждали стол.', ...KNOWN]
  assert.equal(covered(other, 'недорогой обед', texts), [0, 0, 0, 0, 0])
})

test("the other model's cosines are never doubted", () => {
  const texts = ['The fish was fresh.', 'Warm bread and good soup.']
  const query = 'deep sea drilling revolution'
  assert.ok(builtin.ask(query).doubt(texts.map(builtin.read)))
  assert.is(other.ask(query).doubt(texts.map(other.read)), undefined)
})

test.run()
