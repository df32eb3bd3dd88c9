import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { prepare, reviewsOf } from '../prepared.ts'

const warningsOf = async (content: string) => (await prepare(content)).warnings.map(({ message }) => message).join('\n')

const test = suite('which scale a rating is on')

test('a heading names its scale without brackets as well, but not by any number', async () => {
  const rating = async (heading: string, cell = '5') =>
    (await reviewsOf(`date,text,"${heading}"\n2026-01-05,Good,${cell}\n`, { map: { rating: heading } }))[0]?.rating
  for (const heading of [
    'Rating /10',
    'Rating out of 10',
    'Note sur 10',
    'Bewertung von 10',
    'Score 0-10',
    'Score 1 to 10?',
  ])
    assert.is(await rating(heading), 3, heading)
  for (const heading of ['Rating /5', 'Rating 1-5', 'Stars of 12', 'Rating 2010'])
    assert.is(await rating(heading), 5, heading)
})

test('points are out of 5 only where none is above, as bare numbers are', async () => {
  const file = (...cells: string[]) =>
    `date,text,rating\n${cells.map((cell, at) => `2026-01-0${at + 1},Good ${at},${cell}\n`).join('')}`
  const ratings = async (content: string, options = {}) =>
    (await reviewsOf(content, options)).map((review) => review.rating)
  for (const unit of ['점', '分', '点', ' points', ' Punkte', ' puntos', ' балла']) {
    assert.equal(await ratings(file(`4${unit}`, `1${unit}`)), [4, 1], unit)
    const ten = file(`4${unit}`, `8${unit}`, `10${unit}`)
    assert.equal(await ratings(ten), [], unit)
    assert.equal(await ratings(ten, { rating_scale: 10 }), [2, 4, 5], unit)
  }
  const [fault] = (await prepare(file('4점', '8점'))).skipped
  assert.match(
    fault?.message ?? '',
    /"4점" is on a scale other than 1 to 5, as "8점" in row 3 shows: use --rating-scale 10/,
  )
})

test('a line of totals below the reviews says nothing about their scale', async () => {
  const rows = 'date,text,rating\n2026-01-05,Warm bread,5\n2026-01-06,Cold tea,1\n'
  for (const total of ['Total,,6\n', ',,412.5\n', 'Sum,,9.5\n'])
    assert.is((await reviewsOf(rows + total)).length, 2, total)
  assert.equal(await reviewsOf(`${rows}2026-01-07,,9.5\n`), [])
  assert.equal(await reviewsOf(`${rows},Fine,9.5\n`), [])
})

test('where the scale begins with 0, as for recommendations, that is the worst answer and no missing one', async () => {
  const ratings = async (heading: string) =>
    (
      await reviewsOf(`date,text,${heading}\n2026-01-05,Good,10\n2026-01-05,Bad,0\n2026-01-05,So,\n`, {
        map: { rating: heading },
      })
    ).map((review) => review.rating)
  for (const heading of [
    'Score (0-10)',
    'Score 0 to 10',
    'NPS',
    'NPS Score',
    'Net Promoter Score',
    'Survey score (NPS)',
  ])
    assert.equal(await ratings(heading), [5, 1, null], heading)
  assert.equal(await ratings('Score (1-10)'), [5, null, null])
  assert.is((await reviewsOf('date,text,Rating (0-5)\n2026-01-05,So,0\n'))[0]?.rating, null)
})

test('0 is the worst answer to how likely one would recommend, once the answers are said to be out of ten', async () => {
  const ratings = async (heading: string, scale?: number) =>
    (
      await reviewsOf(`date,text,"${heading}"\n2026-01-05,Good,4\n2026-01-05,Bad,0\n2026-01-05,So,\n`, {
        map: { rating: heading },
        ...(scale === undefined ? {} : { rating_scale: scale }),
      })
    ).map((review) => review.rating)
  for (const heading of [
    'How likely are you to recommend us to a friend?',
    'Likelihood to Recommend',
    'Wie wahrscheinlich ist es, dass Sie uns weiterempfehlen?',
    'Quelle est la probabilité que vous nous recommandiez ?',
    '¿Qué probabilidad hay de que nos recomiende?',
    'Quanto è probabile che ci raccomandi a un amico?',
    'Hoe waarschijnlijk is het dat u ons aanbeveelt?',
  ]) {
    assert.equal(await ratings(heading, 10), [2, 1, null], heading)
    assert.equal(await ratings(heading), [4, null, null], heading)
  }
  assert.equal(await ratings('Rating', 10), [2, null, null])
})

test('answers to how likely one would recommend are not left out without a word', async () => {
  const csv = (heading: string, answer = '9') => `date,text,"${heading}"\n2026-01-05,Good,${answer}\n2026-01-05,Bad,0\n`
  for (const heading of ['NPS', 'How likely are you to recommend us? (0-10)', 'Likelihood to recommend /10'])
    assert.match(await warningsOf(csv(heading)), /may be the rating but is not used: .*--map rating="[^"]+" uses it\)/)
  assert.match(
    await warningsOf(csv('How likely are you to recommend us?')),
    /uses it, with --rating-scale 10 if the answers go from 0 to 10\)/,
  )
  assert.equal(await warningsOf(csv('How likely are you to recommend us?', 'Very likely').replace(',0', ',No')), '')
})

test('low recommendations are no stars if another column says what they are', async () => {
  const csv = (heading: string, said: string) =>
    `date,text,Score,${heading}\n2026-01-05,Bad,5,${said}\n2026-01-06,Worse,0,${said}\n`
  const ratings = async (content: string) => (await reviewsOf(content)).map((review) => review.rating)
  for (const [heading, said] of [
    ['NPS category', 'Detractor'],
    ['Group', 'detractors'],
    ['Survey Type', 'NPS'],
  ] as const) {
    assert.equal(await ratings(csv(heading, said)), [3, 1], heading)
    assert.match(await warningsOf(csv(heading, said)), /"Score" are answers from 0 to 10 .*--rating-scale 5/)
  }
  assert.equal(await ratings(csv('Survey Type', 'CSAT')), [5, null])
  const asStars = await reviewsOf(csv('Survey Type', 'NPS'), { rating_scale: 5 })
  assert.equal(
    asStars.map((review) => review.rating),
    [5, null],
  )
  // These are stars, and the answer stands beside them or was left out.
  assert.equal(await ratings('date,text,Rating,NPS,Group\n2026-01-05,Bad,2,4,Detractor\n'), [2])
  assert.equal(
    await ratings('date,text,Rating,Group\n2026-01-05,Bad,2,Detractor\n2026-01-05,Good,5,Promoter\n'),
    [2, 5],
  )
})

test('a bare "Scale" is believed if its numbers are scales', async () => {
  const ratings = async (csv: string) => (await reviewsOf(csv)).map((review) => review.rating)
  assert.equal(await ratings('date,text,rating,Scale\n2026-01-05,Good,4,10\n2026-01-05,Fine,4,5\n'), [2, 4])
  assert.equal(await ratings('date,text,rating,Scale\n2026-01-05,Good,4,87\n2026-01-05,Fine,4,10\n'), [4, 4])
})

test('a column of drawn stars is named, whatever it is called', async () => {
  const file = (heading: string, ...cells: string[]) =>
    [`date,text,${heading}`, ...cells.map((cell, index) => `2026-01-0${index + 1},Good ${index},${cell}`)].join('\n')
  const told = '"look" may be the rating but is not used'
  assert.match(await warningsOf(file('look', 'star5', 'rating star-4')), told)
  assert.match(await warningsOf(file('look', '力荐', '还行')), told)
  assert.not.match(await warningsOf(file('look', 'star5', 'dark')), told)
  assert.is((await reviewsOf(file('look', '力荐'), { map: { rating: 'look' } }))[0]?.rating, 5)
})

test('what was thought of the price, beside the rooms and the staff, is not named as the rating of the whole', async () => {
  const file = (headings: string) => `date,text,${headings}\n2026-01-05,Warm bread,4,5,3\n2026-01-06,Cold tea,2,5,4\n`
  assert.not.match(await warningsOf(file('Cleanliness,Service,Value')), /may be the rating/)
  assert.match(await warningsOf(file('Room,Location,Value')), /"Value" may be the rating/)
})

test('two verdicts in words become five stars and one, with a note; words of a longer scale are no ratings', async () => {
  const csv = (...words: string[]) =>
    `Date,Rating,Review\n${words.map((word, row) => `2026-01-05,${word},Warm bread ${row}\n`).join('')}`
  const of = async (...words: string[]) => (await reviewsOf(csv(...words))).map(({ rating }) => rating)
  assert.equal(await of('Good', 'bad', 'Offered'), [5, 1, null])
  assert.equal(await of('Thumbs up', 'thumbs_down'), [5, 1])
  assert.equal(await of('👎', '👍'), [1, 5])
  assert.equal(await of('4', 'Recommended', '', 'Not Recommended', "Doesn't recommend"), [4, 5, null, 1, 1])
  assert.equal(await of('Good', 'Bad', '3'), [3])
  for (const words of [
    ['Good', 'Good'],
    ['Good', 'Bad', 'Excellent'],
    ['Excellent', 'Poor'],
  ])
    assert.equal(await of(...words), [], words.join())
  assert.match(
    (await prepare(csv('Good', 'Bad'))).warnings[0]?.message ?? '',
    /the ratings in "Rating" are words: "good" as 5 stars and "bad" as 1 star/,
  )
})

test('a column that says of each row that it is a thumb makes stars of 1 and 0, however few', async () => {
  const csv = (kinds: string[], ...cells: string[]) =>
    `Created At,Survey Type,Score,Comment\n${cells.map((cell, row) => `2026-01-05,${kinds[row % kinds.length]},${cell},Warm bread ${row}\n`).join('')}`
  const of = async (...args: Parameters<typeof csv>) => (await reviewsOf(csv(...args))).map(({ rating }) => rating)
  assert.equal(await of(['thumbs'], '1', '0', ''), [5, 1, null])
  assert.equal(await of(['Thumbs'], '1', '1'), [5, 5])
  assert.equal(await of(['stars'], '1', '2'), [1, 2])
  assert.equal(await of(['thumbs', 'stars'], '1', '1'), [1, 1])
  assert.equal(await of(['thumbs'], '1', '3'), [1, 3])
  assert.match(await warningsOf(csv(['thumbs'], '1')), /"1" as 5 stars and "0" as 1 star/)
})

test('a list of ratings in each row leaves the reviews unrated, with a note', async () => {
  const votes = (percent: number) => [
    { rating_name: 'Taste', percent, value: 1 },
    { rating_name: 'Price', percent, value: 2 },
  ]
  const list = JSON.stringify([
    { id: 1, date: '2026-01-05', text: 'Warm bread', ratings: votes(80) },
    { id: 2, date: '2026-01-06', text: 'Cold tea', ratings: [] },
  ])
  assert.equal(
    (await reviewsOf(list)).map(({ rating }) => rating),
    [null, null],
  )
  assert.match(await warningsOf(list), /"ratings" has a list of ratings in each row: all rows are imported unrated/)
  const magento = JSON.stringify([
    {
      id: 1,
      created_at: '2026-01-05 10:00:00',
      detail: 'Warm bread',
      nickname: 'Ann',
      review_status: 1,
      ratings: votes(80),
    },
  ])
  assert.is((await reviewsOf(magento))[0]?.rating, null)
  assert.match(await warningsOf(magento), /"ratings" has a list of ratings/)
  assert.not.match(await warningsOf(magento), /another table/)
})

test('ones beside a single zero are no stars if there are many', async () => {
  const csv = (ones: number) => `date,text,rating\n${'2026-01-05,Warm bread,1\n'.repeat(ones)}2026-01-06,Cold tea,0\n`
  const { skipped } = await prepare(csv(10))
  assert.is(skipped.length, 10)
  assert.is((await prepare(csv(3))).skipped.length, 0)
})

test('reviews of the shop beside those of the product are not left out without a word', async () => {
  const csv = (service: string) =>
    `Date,Product Review,Product Rating,Service Review\n2026-01-05,A sturdy kettle,5,${service}\n`
  const notes = async (service: string) => (await prepare(csv(service))).warnings.map(({ message }) => message).join()
  assert.match(await notes('Packed in a day'), /"Service Review" has other reviews, which are left out/)
  assert.not.match(await notes(''), /other reviews/)
})

test.run()
