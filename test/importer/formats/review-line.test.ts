import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { prepare, refusalOf, reviewsOf } from '../prepared.ts'

const test = suite('tables without headings')

const refusal = (csv: string) => prepare(csv).catch((error: Error) => error.message)

test('a table without headings is refused, since a review named as the text would be missing', async () => {
  for (const first of [
    'Leek pie,4,So warm,Ann',
    'ann@mail.example,Leek pie was warm',
    'The pie was warm and the waiter brought us a second one before we had asked',
    'So warm and friendly!',
    '"","Warm pie, cold tea.",4.5',
    'Ani,bintang 5,pai hangat sekali',
    'Ann,4 stars,so warm',
  ])
    assert.match(String(await refusal(`${first}\n${first.replace('warm', 'cold')}\n`)), /looks like a review/, first)
})

test('the advice fits the number of columns', async () => {
  const alone = 'The pie was warm and the waiter was friendly.\nThe tea was cold and we waited for an hour.\n'
  const said = /above it that says: (\S+)/.exec(String(await refusal(alone)))?.[1]
  const reviews = await reviewsOf(`${said}\n${alone}`, { date: '2026-01-31' })
  assert.equal(
    reviews.map(({ text }) => text),
    alone.trim().split('\n'),
  )
  assert.match(String(await refusal('Leek pie,4,So warm,Ann\nSoup,2,Cold,Ben\n')), /one for each of its 4 columns/)
})

test('unknown headings, questions and numbers of columns are no reviews', async () => {
  for (const header of [
    'Wording,Points',
    'What our guests say about us,Points',
    'What did you like about your stay with us in the house by the lake this summer?,Points',
    '0,1',
    'Wording,5 stars,4 stars',
  ])
    assert.is(
      await refusalOf(() => prepare(`${header}\nThe pie was warm.,4,1\nThe tea was cold.,2,1\n`)),
      'mapping_needed',
      header,
    )
})

test('a column beside numbers without a heading keeps its heading', async () => {
  const numbered = ',review\n0,The pie was warm.\n1,The tea was cold.\n'
  const texts = (await reviewsOf(numbered, { date: '2026-01-31' })).map(({ text }) => text)
  assert.equal(texts, ['The pie was warm.', 'The tea was cold.'])
})

test.run()
