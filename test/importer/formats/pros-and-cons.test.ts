import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { prepare, reviewsOf } from '../prepared.ts'

const textsOf = async (content: string) => (await reviewsOf(content)).map((review) => review.text)
const warningsOf = async (content: string) => (await prepare(content)).warnings.map(({ message }) => message).join('\n')

const test = suite('reviews in two halves')

test('a review in two halves is one text', async () => {
  for (const [good, bad] of [
    ['Pros', 'Cons'],
    ['What do you like best?', 'What do you dislike?'],
    ['Vorteile', 'Nachteile'],
    ['likedText', 'dislikedText'],
    ['Достоинства', 'Недостатки'],
    ['장점', '단점'],
    ['メリット', 'デメリット'],
    ['満足', '不満'],
    ['Points forts', 'Points faibles'],
    ['Positive Bewertung', 'Negative Bewertung'],
    ['Commentaire positif', 'Commentaire négatif'],
    ['comentario_positivo', 'comentario_negativo'],
    ['Giudizio positivo', 'Giudizio negativo'],
    ['reviewPositive', 'reviewNegative'],
    ['Положительный отзыв', 'Отрицательный отзыв'],
    ['avantageAvis', 'inconvenientAvis'],
    ['pros_text', 'cons_text'],
    ['Ventaja', 'Desventaja'],
  ])
    assert.equal(
      await textsOf(`date,${good},${bad}\n2026-01-05,Easy to set up.,Slow reports.\n2026-01-06,,Nothing works.\n`),
      ['Easy to set up.\n\nSlow reports.', 'Nothing works.'],
    )
})

test("Yandex's feedback has its halves and its comment in an object", async () => {
  const feedback = (id: number, advantages: string, comment: string) => ({
    feedbackId: id,
    createdAt: '2026-01-05T10:00:00Z',
    description: { advantages, disadvantages: 'Too loud', comment },
    statistics: { rating: 4, commentsCount: 1 },
  })
  const { rows } = await prepare(
    JSON.stringify([feedback(1, 'Soft bread', 'I will come again'), feedback(2, 'Warm', '')]),
  )
  assert.equal(
    rows.map(({ review: { text, rating } }) => [text, rating]),
    [
      ['I will come again', 4],
      ['Warm\n\nToo loud', 4],
    ],
  )
})

test('beside a text of its own the halves are the text of the rows that have no other', async () => {
  const beside =
    'date,rating,review,pros,cons\n2026-01-05,4,A fine tool.,Easy.,Slow.\n2026-01-06,2,,Cheap.,Breaks.\n2026-01-07,3,,,\n'
  const prepared = await prepare(beside)
  assert.equal(
    prepared.rows.map(({ review }) => review.text),
    ['A fine tool.', 'Cheap.\n\nBreaks.'],
  )
  assert.equal(
    prepared.skipped.map(({ reason }) => reason),
    ['rating_only'],
  )
  assert.match(
    await warningsOf(beside),
    /"pros" and "cons" also have words of the review, which are used only where "review" is empty/,
  )
})

test('who names one half as the text is told of the other', async () => {
  const csv = 'date,Pros,Cons\n2026-01-05,Easy to set up.,Slow reports.\n2026-01-06,,Nothing works.\n'
  const { rows, warnings } = await prepare(csv, { map: { text: 'Pros' } })
  assert.equal(
    rows.map(({ review }) => review.text),
    ['Easy to set up.'],
  )
  assert.match(
    warnings.map(({ message }) => message).join(),
    /"Cons" has the other half of the review, which is left out/,
  )
})

test('numbers of positive and negative reviews are no halves', async () => {
  const counts = 'date,review,Positive reviews,Negative reviews\n2026-01-05,,30,2\n2026-01-06,A fine tool.,3,20\n'
  assert.equal(await textsOf(counts), ['A fine tool.'])
  const shares = 'date,review,positive,negative\n2026-01-05,,0.93,0.02\n2026-01-06,A fine tool.,80%,20 %\n'
  assert.equal(await textsOf(shares), ['A fine tool.'])
})

test.run()
