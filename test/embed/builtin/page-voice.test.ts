import * as assert from 'uvu/assert'
import { createBuiltinEmbedder } from '../../../server/embed/builtin/embedder.ts'
import { cosineOf } from '../../../server/embed/calibrate.ts'
import { suite } from '../../suite.ts'

const test = suite('how a page speaks of itself')
const embedder = await createBuiltinEmbedder()

async function embed(text: string): Promise<Float32Array> {
  const [vector] = await embedder.embed([text], 'query')
  if (!vector) throw new Error('no vector')
  return vector
}

const covered = (query: string, text: string) =>
  embedder.coverage?.ask(query).coverage([embedder.coverage.read(text)])[0] ?? 0

test('a heading that invites to something of ours asks for the thing alone, in all languages', async () => {
  for (const [heading, thing] of [
    ['Discover our wine list', 'wine list'],
    ['Welcome to our garden', 'garden'],
    ['Meet the team', 'the team'],
    ['Entdecken Sie unsere Weinkarte', 'Weinkarte'],
    ['Descubre nuestras habitaciones', 'habitaciones'],
    ['Scopri la nostra cucina', 'la cucina'],
    ['Ontdek onze wijnkaart', 'wijnkaart'],
    ['Conheça nossos quartos', 'quartos'],
  ] as const) {
    assert.ok(cosineOf(await embed(heading), await embed(thing)) > 0.93, heading)
  }
})

test('a review that says the thing says all of such a heading, and one that says "our" of something else nothing', () => {
  assert.ok(covered('Our dishes', 'The dishes were good') > 0.9)
  assert.ok(covered('Our dishes', 'Our evening was nice') < 0.2)
  assert.ok(covered('Nos plats', 'Les plats étaient bons') > 0.9)
})

test('the same words stay where they are the topic, in a question, and where nothing else is left', async () => {
  for (const [one, other] of [
    ['Welcome drink', 'drink'],
    ['View to the sea', 'to the sea'],
    ['Shop in the lobby', 'in the lobby'],
    ['Visita a la bodega', 'a la bodega'],
    ['Visita guiada', 'guiada'],
    ['Can our dog come along?', 'Can dog come along?'],
    ['Discover our', 'the'],
  ] as const) {
    assert.not.equal(await embed(one), await embed(other), one)
  }
})

test.run()
