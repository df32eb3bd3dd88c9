import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { prepare, reviewsOf } from '../prepared.ts'

const test = suite('headings of several words, and files without dates')

const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => '',
    (error) => String(error.message),
  )

for (const [date, rating, text] of [
  ['data_avaliacao', 'nota_geral', 'comentario'],
  ['Tanggal publish', 'Rating bintang', 'Teks Review'],
  ['postDate', 'starRating', 'postReview'],
  ['date of creation of the review', 'Rating out of 5', 'text of the review'],
  ['dates.publishedDate', 'overall_review_rating', 'review_body_text'],
  ['tstamp_created', 'nb_etoiles', 'original_review'],
  ['createdAt', 'User_Rating_Out_Of_5', 'content_en_GB'],
  ['times', 'ratings', 'contents'],
])
  test(`"${date}", "${rating}" and "${text}" are known by the words in them`, async () => {
    const csv = `${date},${rating},${text}\n2026-01-05,4,Warm bread and butter\n2026-01-06,5,Good soup and tea\n`
    const [first] = await reviewsOf(csv)
    assert.equal(
      [first?.occurred_at.toISOString().slice(0, 10), first?.rating, first?.text],
      ['2026-01-05', 4, 'Warm bread and butter'],
    )
  })

test('what is taken by the words in its name is told', async () => {
  const { warnings } = await prepare('date,original_review\n2026-01-05,Warm bread and butter\n')
  assert.match(
    warnings[0]?.message ?? '',
    /the text is taken from "original_review" because of the words in its name \(--map text=…\)/,
  )
})

test('a name that is known goes before one that is put together', async () => {
  const [review] = await reviewsOf('date,original_review,text\n2026-01-05,Warm bread and butter,Good soup\n')
  assert.is(review?.text, 'Good soup')
})

test('the last review of a place, a count of stars, a description and an answer are none of a review', async () => {
  const csv = (headings: string) => `${headings}\n2026-01-05,4,Warm bread and butter\n`
  assert.match(await messageOf(prepare(csv('date_of_last_review,rating,text'))), /the review's date/)
  assert.match(await messageOf(prepare(csv('date,rating,full_description'))), /the review's text/)
  assert.match(await messageOf(prepare(csv('date,rating,review_response_text'))), /the review's text/)
  for (const heading of ['5 stars', 'number of ratings', 'service_rating'])
    assert.is((await reviewsOf(csv(`date,${heading},text`)))[0]?.rating, null)
})

test('two tables below each other fill different columns: each row is read by those that it fills', async () => {
  const rows = [
    { reviewId: 'a', content: 'Warm bread', score: 4, at: '2026-01-05' },
    { review: 'Cold tea', rating: 2, date: '2026-01-06' },
  ]
  const reviews = await reviewsOf(JSON.stringify(rows))
  assert.equal(
    reviews.map(({ text, rating, occurred_at }) => [text, rating, occurred_at.toISOString().slice(0, 10)]),
    [
      ['Warm bread', 4, '2026-01-05'],
      ['Cold tea', 2, '2026-01-06'],
    ],
  )
})

test('a draft stays one where another date is filled', async () => {
  const { rows } = await prepare('text,published_at,created_at\nWarm bread,2026-01-06,\nCold tea,,2026-01-05\n')
  assert.equal(
    rows.map(({ hidden, review }) => [review.text, hidden]),
    [['Cold tea', true]],
  )
})

test('the day beside "3 months ago" is the date', async () => {
  const csv = 'date,rating,text,date_parsed\n3 months ago,4,Warm bread and butter,2026-01-05 08:03:10.694782\n'
  assert.is((await reviewsOf(csv))[0]?.occurred_at.toISOString().slice(0, 10), '2026-01-05')
})

test('a file that holds no dates is not told to name one of its columns', async () => {
  const without = await messageOf(prepare('rating,text\n4,Warm bread and butter\n'))
  assert.match(without, /None of the columns has readable dates, and each review needs the day/)
  assert.not.match(without, /--map/)
  const relative = await messageOf(prepare('rating,Relative time,text\n4,2 weeks ago,Warm bread and butter\n'))
  assert.match(relative, /"Relative time" only says how long ago \("2 weeks ago"\).* --as-of/)
  const months = await messageOf(prepare('rating,trip,text\n4,March 2024,Warm bread and butter\n'))
  assert.match(months, /"trip" does not name days \("March 2024"\).* --as-of/)
})

test('of texts in two languages each row has its own', async () => {
  const csv =
    'date,author,text_en,text_de\n2026-01-05,Ann,Warm bread and butter.,\n2026-01-06,Ben,,Warmes Brot und Butter.\n'
  const { rows } = await prepare(csv)
  assert.equal(
    rows.map(({ review }) => review.text),
    ['Warm bread and butter.', 'Warmes Brot und Butter.'],
  )
})

test("a product's description is no text where another column is called a review's", async () => {
  const csv =
    'date,author,description,opinion_text\n2026-01-05,Ann,A tin of tea from the hills.,Fresh and strong tea.\n'
  assert.equal(
    (await reviewsOf(csv)).map((review) => review.text),
    ['Fresh and strong tea.'],
  )
  const alone = 'date,author,description\n2026-01-05,Ann,Fresh and strong tea.\n'
  assert.is((await reviewsOf(alone)).length, 1)
})

test.run()
