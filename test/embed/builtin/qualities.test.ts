import * as assert from 'uvu/assert'
import { createBuiltinEmbedder } from '../../../server/embed/builtin/embedder.ts'
import { cosineOf } from '../../../server/embed/calibrate.ts'
import { suite } from '../../suite.ts'

const test = suite('qualities in headings')
const embedder = await createBuiltinEmbedder()

async function between(query: string, text: string): Promise<number> {
  const [asked] = await embedder.embed([query], 'query')
  const [said] = await embedder.embed([text], 'document')
  if (!asked || !said) throw new Error('no vector')
  return cosineOf(asked, said)
}

test('a heading that names a quality finds what is said by the adjective, in all languages', async () => {
  for (const [heading, text] of [
    ['Affordability', 'They have affordable prices'],
    ['Punctuality and reliability', 'The driver was punctual and reliable'],
    ['Authenticity of our dishes', 'Authentic dishes like at home'],
    ['Zuverlässigkeit', 'Ein zuverlässiger Betrieb'],
    ['Puntualità', 'Il tecnico è stato puntuale'],
    ['Fiabilité', 'Un atelier fiable'],
  ] as const) {
    assert.ok((await between(heading, text)) >= 0.66, `${heading}: ${text}`)
  }
})

test('a noun that only says of what kind another is is no quality', async () => {
  const said = 'The bed was very comfortable'
  assert.ok((await between('comfort of the beds', said)) > (await between('comfort food', said)) + 0.1)
  assert.ok((await between('Sicherheitsgurt', 'Hier ist es sicher')) < 0.6)
})

test('only queries are read so: a review that names a quality does not say the adjective', async () => {
  const [named, said] = await embedder.embed(['affordability', 'affordable'], 'document')
  if (!named || !said) throw new Error('no vectors')
  assert.ok(cosineOf(named, said) < (await between('affordability', 'affordable')) - 0.1)
})

test.run()
