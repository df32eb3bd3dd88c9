import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { prepare, refusalOf, reviewOf, reviewsOf } from '../prepared.ts'

const test = suite('reviews that lie within other things')

const textsOf = async (content: string) => (await reviewsOf(content)).map((review) => review.text)

test('reviews of several places or products come in together, but not without a word', async () => {
  const reviews = (text: string) => [{ text, date: '2026-01-05', rating: 5 }]
  const [warm, cold] = [reviews('Warm bread.'), reviews('Cold tea.')]
  const places = [
    { name: 'Leeds', reviews: warm },
    { name: 'York', reviews: cold },
  ]
  const noteOf = async (value: unknown) =>
    (await prepare(typeof value === 'string' ? value : JSON.stringify(value))).warnings.map(({ message }) => message)
  for (const value of [
    places,
    { places },
    places.map((place) => JSON.stringify(place)).join('\n'),
    { Leeds: warm, York: cold },
    { Leeds: { reviews: warm }, York: { reviews: cold } },
  ])
    assert.equal(
      await noteOf(value),
      [
        'file: it has lists of several ("Leeds", "York"): the reviews of all come into this project, without these names',
      ],
      JSON.stringify(value),
    )
  const pages = [
    { page: 1, reviews: warm },
    { page: 2, reviews: cold },
  ]
  for (const value of [pages, { page1: warm, page2: cold }, { '0': warm, '1': cold }, { reviews: [...warm, ...cold] }])
    assert.equal(await noteOf(value), [], JSON.stringify(value))
})

test('lines with a list of reviews each, and the moments of Yelp', async () => {
  const line = (text: string) => ({ productreview: [{ title: 'Loaf', review: text, date: '2026-01-05' }] })
  const lines = [line('Warm bread.'), line('Cold tea.')].map((one) => JSON.stringify(one))
  assert.equal(await textsOf(`${lines.join('\n')}\n`), ['Warm bread.', 'Cold tea.'])
  for (const name of ['localDateTimeForBusiness', 'utcDateTime']) {
    const review = await reviewOf(
      JSON.stringify([{ text: 'Warm bread.', createdAt: { [name]: '2026-01-05T10:00:00Z' } }]),
    )
    assert.is(review.occurred_at.toISOString(), '2026-01-05T10:00:00.000Z', name)
  }
})

test('what APIs wrap a review in is looked through', async () => {
  const appStore = {
    data: [
      {
        type: 'customerReviews',
        id: '0001-a',
        attributes: {
          rating: 4,
          title: 'Nice',
          body: 'Works well.',
          reviewerNickname: 'fan',
          createdDate: '2026-01-05T07:59:35-07:00',
        },
      },
    ],
  }
  const review = await reviewOf(JSON.stringify(appStore))
  assert.equal(
    [review.text, review.rating, review.author_name, review.external_id, review.occurred_at.toISOString()],
    ['Works well.', 4, 'fan', '0001-a', '2026-01-05T14:59:35.000Z'],
  )
  const wix = (published: boolean) => ({
    id: `w-${published}`,
    reviewDate: '2026-01-05T10:00:00Z',
    author: { authorName: 'Ann' },
    content: { title: 'Good', body: 'Warm bread.', rating: 5 },
    moderation: { moderationStatus: published ? 'APPROVED' : 'REJECTED' },
    reply: { message: 'Thanks' },
  })
  const { rows } = await prepare(JSON.stringify({ reviews: [wix(true), wix(false)] }))
  assert.equal(
    rows.map(({ hidden, review: { text, author_name: author } }) => [hidden, text, author]),
    [
      [false, 'Warm bread.', 'Ann'],
      [true, 'Warm bread.', 'Ann'],
    ],
  )
})

test('reviews that lie deep, or below each of several places, are found', async () => {
  const row = { comment: 'Warm bread.', mark: '4.00', creationDate: '2026-01-05T10:00:00+01:00' }
  const deep = await reviewOf(
    JSON.stringify({ response: { code: 200, data: { shop: { tsId: 'X', reviews: [row] } } } }),
  )
  assert.is(deep.rating, 4)
  const places = [
    { name: 'Leeds', description: 'A bakery in the old mill', created_at: '2020-01-01', reviews: [row] },
    { name: 'York', description: 'A bakery by the river', created_at: '2020-01-01', reviews: [] },
  ]
  assert.equal(await textsOf(JSON.stringify(places)), ['Warm bread.'])
})

test('a list that stays JSON is never the text, and the refusal says so', async () => {
  const json = JSON.stringify([
    {
      date: '2026-01-05',
      comments: [
        { by: 'Ann', says: 'Warm' },
        { by: 'Ben', says: 'Cold' },
      ],
    },
  ])
  try {
    await prepare(json)
    assert.unreachable()
  } catch (error) {
    assert.match(error instanceof Error ? error.message : '', /"comments" contains a list in each item/)
  }
})

test('beside the reviews of a thing, its own id, name and date are none of theirs', async () => {
  const csv =
    'id,dateAdded,name,reviews.id,reviews.date,reviews.rating,reviews.text,reviews.username\n' +
    'p7,2015-10-30,Lantern,,2026-01-05,5,Warm light.,Ann\np7,2015-10-30,Lantern,,2026-01-06,1,Broke soon.,Ben\n'
  assert.equal(
    (await reviewsOf(csv)).map(({ author_name: name, occurred_at: at, rating, text }) => [
      name,
      at.toISOString().slice(0, 10),
      rating,
      text,
    ]),
    [
      ['Ann', '2026-01-05', 5, 'Warm light.'],
      ['Ben', '2026-01-06', 1, 'Broke soon.'],
    ],
  )
})

test('of the two lists of JSON:API the records are read, and a feed of the App Store is', async () => {
  const row = { id: 'a', attributes: { body: 'Warm bread.', createdDate: '2026-01-05', rating: 4 } }
  const included = [
    { id: 'r', type: 'customerReviewResponses', attributes: { responseBody: 'Thanks', createdDate: '2026-01-06' } },
  ]
  assert.equal(await textsOf(JSON.stringify({ data: [row], included })), ['Warm bread.'])
  const label = (value: string) => ({ label: value })
  const entry = {
    author: { name: label('fan'), uri: label('https://itunes.example/1') },
    updated: label('2026-01-05T03:00:00-07:00'),
    'im:rating': label('4'),
    id: label('900'),
    title: label('Nice'),
    content: { label: 'Warm bread.', attributes: { type: 'text' } },
  }
  const review = await reviewOf(JSON.stringify({ feed: { entry: [entry], link: [{ attributes: { rel: 'next' } }] } }))
  assert.equal(
    [review.text, review.rating, review.author_name, review.external_id, review.occurred_at.toISOString()],
    ['Warm bread.', 4, 'fan', '900', '2026-01-05T10:00:00.000Z'],
  )
})

test('reviews below products, by their ids, or under a name like testimonials are found', async () => {
  const row = (text: string) => ({ created_at: '2026-01-05', comment: text })
  for (const document of [
    { products: [{ title: 'Bread', reviews: [row('A')] }, { title: 'Cake' }, { title: 'Tea', reviews: [row('B')] }] },
    { _meta: { count: 2 }, reviews: { r1: { ...row('A'), tags: [{ name: 'x' }] }, r2: row('B') } },
    { r1: row('A'), r2: row('B') },
    [[row('A')], [], [row('B')]],
    { reviews: [row('A'), row('B')], comments: [row('C')] },
    { 'rye-loaf': [row('A')], 'oat-cake': [row('B')] },
    { at: '2026', leeds: { reviews: [row('A')], hours: [{ day: 1 }] }, york: { reviews: [row('B')] } },
    { 'Leeds bakery': { reviews: [row('A')] }, 'York bakery': { reviews: [row('B')] } },
    { team: [{ name: 'Ann' }], testimonials: [row('A'), row('B')] },
    { place: 'Leeds', reviews: [], user_reviews: [row('A'), row('B')] },
    [
      { title: 'Leeds', reviews_data: [row('A')] },
      { title: 'York', reviews_data: [row('B')] },
    ],
  ])
    assert.equal(await textsOf(JSON.stringify(document)), ['A', 'B'], JSON.stringify(document))
})

test('what is approved and what waits for it is not thrown together', async () => {
  const reviews = [{ created_at: '2026-01-05', comment: 'Warm bread' }]
  const refused = (part: object) => refusalOf(() => prepare(JSON.stringify({ approved: part, pending: part })))
  assert.is(await refused({ reviews }), 'no_rows')
  assert.is(await refused(reviews), 'no_rows')
  assert.is(await refused({ r1: reviews[0], r2: reviews[0] }), 'mapping_needed')
})

test('a review by itself that is an object of objects is none of several', async () => {
  const review = { id: 7, text: 'Warm bread', date: '2026-01-05', author: { name: 'Ann' }, place: { name: 'Leeds' } }
  assert.is((await reviewOf(JSON.stringify(review))).author_name, 'Ann')
})

test('what a host wrote about a guest, and a row that is a reply, is no review', async () => {
  const csv =
    'date,text,type,is_reply\n2026-01-05,Kind guests,host-to-guest,no\n2026-01-06,Thank you,,TRUE\n2026-01-07,Warm,guest-to-host,FALSE\n'
  const { rows, skipped } = await prepare(csv)
  assert.equal(
    rows.map(({ review }) => review.text),
    ['Warm'],
  )
  assert.equal(
    skipped.map(({ reason }) => reason),
    ['not_a_review', 'not_a_review'],
  )
})

test('beside coordinates a bare name is that of the place', async () => {
  const cells = '5,2026-01-05,Warm bread,Ann\n'
  const place = await reviewOf(`Latitude,Longitude,rating,date,text,name\n53.8,-1.5,${cells}`)
  assert.is(place.author_name, 'Anonymous')
  const person = await reviewOf(`Latitude,Longitude,rating,date,text,reviewer name\n53.8,-1.5,${cells}`)
  assert.is(person.author_name, 'Ann')
})

test('the types that data bases write around values are looked past', async () => {
  const kinds = [
    {
      _id: { $oid: 'a1' },
      createdAt: { $date: { $numberLong: '1767571200000' } },
      rating: { $numberInt: '4' },
      text: 'Warm bread.',
      name: 'Ida',
    },
    {
      id: 'a1',
      createdAt: { _seconds: 1_767_571_200, _nanoseconds: 0 },
      rating: 4,
      text: 'Warm bread.',
      name: 'Ida',
    },
    {
      fields: {
        id: { stringValue: 'a1' },
        createdAt: { timestampValue: '2026-01-05T00:00:00Z' },
        rating: { integerValue: '4' },
        text: { stringValue: 'Warm bread.' },
        name: { stringValue: 'Ida' },
      },
    },
  ]
  for (const kind of kinds) {
    const review = await reviewOf(JSON.stringify([kind]))
    assert.equal(
      [review.external_id, review.occurred_at.toISOString(), review.rating, review.text, review.author_name],
      ['a1', '2026-01-05T00:00:00.000Z', 4, 'Warm bread.', 'Ida'],
    )
  }
})

test('a list of nothing but texts is a review each, but ids and the paragraphs of one are not', async () => {
  const texts = ['Warm bread and tea', 'We waited for an hour']
  const textsOfDay = async (content: unknown) =>
    (await reviewsOf(JSON.stringify(content), { date: '2026-01-31' })).map(({ text }) => text)
  assert.equal(await textsOfDay({ reviews: texts }), texts)
  assert.equal(
    await textsOfDay([
      { name: 'Inn', reseñas: texts },
      { name: 'Pub', reseñas: ['Cold tea here'] },
    ]),
    [...texts, 'Cold tea here'],
  )
  assert.equal(await textsOfDay({ comentarios: texts }), texts)
  assert.equal(await textsOfDay({ feedback: texts }), texts)
  assert.equal(await textsOfDay([{ name: 'Ann', feedback: texts }]), [texts.join(', ')])
  const { warnings } = await prepare(JSON.stringify([{ name: 'Ann', date: '2026-01-05', avis: texts }]))
  assert.match(warnings.map(({ message }) => message).join(), 'each list in "avis" becomes one review')
  assert.equal(await textsOfDay([{ comment: 'A long walk by the lake', reviews: ['65f0a1', '65f0a2'] }]), [
    'A long walk by the lake',
  ])
})

test('what lies below days has their dates, unless it has its own', async () => {
  const daysOf = async (content: unknown) =>
    (await reviewsOf(JSON.stringify(content))).map((review) => [review.occurred_at.getUTCDate(), review.text])
  const ann = { author: 'Ann', text: 'Warm bread and tea' }
  const bob = { author: 'Bob', text: 'We waited for an hour' }
  const both = [
    [5, ann.text],
    [17, bob.text],
  ]
  assert.equal(await daysOf({ '2026-01-05': ann, '2026-01-17': bob }), both)
  assert.equal(await daysOf({ hotel: 'Inn', reviews: { '2026/1/5': [ann], '2026/1/17': [bob] } }), both)
  assert.equal(await daysOf({ '5.1.2026': ann.text, '17.1.2026': [bob.text] }), both)
  assert.equal(await daysOf({ '2026-01-05': ann }), [[5, ann.text]])
  assert.equal(await daysOf({ '2026-01-05': { ...ann, time: '2026-01-04T22:00:00Z' } }), [[4, ann.text]])
})

test('reviews below ids are found also if there is one, deep, and by places; parts of one review are none', async () => {
  const ann = { date: '2026-01-05', author: 'Ann', text: 'Warm bread and tea' }
  const bob = { date: '2026-01-06', author: 'Bob', text: 'We waited for an hour' }
  assert.equal(await textsOf(JSON.stringify({ id1: ann })), [ann.text])
  assert.equal(await textsOf(JSON.stringify({ reviews: { id1: ann } })), [ann.text])
  assert.equal(await textsOf(JSON.stringify({ hotel: 'Inn', data: { id1: ann, id2: bob } })), [ann.text, bob.text])
  assert.equal(await textsOf(JSON.stringify({ place7: { r1: ann }, place9: { r2: bob } })), [ann.text, bob.text])
  assert.equal(await textsOf(JSON.stringify({ p7: { r1: { ...ann, tags: ['tea'] } } })), [ann.text])
  assert.equal(await textsOf(JSON.stringify({ reviewsV2: { total: 1, items: [ann] } })), [ann.text])
  assert.equal(await textsOf(JSON.stringify({ reviews: { v2: { data: { items: [ann, bob] } } } })), [
    ann.text,
    bob.text,
  ])
  assert.equal(await textsOf(JSON.stringify({ '2026-01-31': { items: [ann, bob] } })), [ann.text, bob.text])
  assert.equal(await textsOf(JSON.stringify({ id: 'r1', author: { name: 'Ann' }, review: ann })), [ann.text])
})

test('a place with one review, below a key that a person chose, is not left out beside places with several', async () => {
  const ann = { date: '2026-01-05', author: 'Ann', text: 'Warm bread and tea' }
  const bob = { date: '2026-01-06', author: 'Bob', text: 'We waited for an hour' }
  const cid = { date: '2026-01-07', author: 'Cid', text: 'A quiet room above the yard' }
  const all = [ann.text, bob.text, cid.text]
  const places = { inn: { name: 'Inn', reviews: { ann, bob } }, mill: { name: 'Mill', reviews: { cid } } }
  assert.equal(await textsOf(JSON.stringify({ places })), all)
  assert.equal(await textsOf(JSON.stringify(Object.values(places))), all)
  // As Firestore's collections are exported.
  const nested = (reviews: object) => ({ name: 'Inn', __collections__: { reviews } })
  const collections = { places: { inn: nested({ ann, bob }), mill: nested({ cid }) } }
  assert.equal(await textsOf(JSON.stringify({ __collections__: collections })), all)
  const summed = { ...places, hut: { name: 'Hut', reviews: { count: 0 } }, dam: { name: 'Dam', reviews: {} } }
  assert.equal(await textsOf(JSON.stringify({ places: summed })), all)
})

test('the keys that Firebase gives records are their ids; other keys may be users or positions, and are none', async () => {
  const ann = { date: '2026-01-05', author: 'Ann', text: 'Warm bread and tea' }
  const bob = { date: '2026-01-06', author: 'Bob', text: 'We waited for an hour' }
  const [first, second] = ['-OgT3mVq8Z_kLw2RbYxA', '-OgT3mVq8Z_kLw2RbYxB']
  const idsOf = async (content: unknown) =>
    (await reviewsOf(JSON.stringify(content))).map(({ external_id: id }) =>
      id === first || id === second ? id : 'made',
    )
  assert.equal(await idsOf({ [first]: ann, [second]: bob }), [first, second])
  assert.equal(await idsOf({ reviews: { [first]: ann } }), [first])
  assert.equal(await idsOf({ room1: { [first]: ann }, room2: { [second]: bob } }), [first, second])
  assert.equal(await idsOf({ [first]: { ...ann, id: second }, [second]: { ...bob, id: first } }), [second, first])
  assert.equal(await idsOf({ reviews: { 0: ann, 1: bob } }), ['made', 'made'])
  assert.equal(await idsOf({ reviews: { Xy3kTbQ9aLmN0pRsUvWx: ann, Xy3kTbQ9aLmN0pRsUvWz: bob } }), ['made', 'made'])
})

test("the parts of PowerReviews' reviews, and the records that Airbyte keeps in one cell", async () => {
  const details = { comments: 'Warm bread.', headline: 'Good', nickname: 'Ann', created_date: 1_767_607_200_000 }
  const [shown] = await reviewsOf(
    JSON.stringify({ results: [{ page_id: 'P1', reviews: [{ review_id: 7, details, metrics: { rating: 4 } }] }] }),
  )
  assert.equal([shown?.external_id, shown?.author_name, shown?.rating, shown?.metadata?.title], ['7', 'Ann', 4, 'Good'])
  const cell = JSON.stringify({ id: 7, content: 'Warm bread.', score: 4, created_at: '2026-01-05', name: 'Ann' })
  const [kept] = await reviewsOf(
    `_airbyte_raw_id,_airbyte_extracted_at,_airbyte_data\na1,2026-02-01 10:00:00,"${cell.replaceAll('"', '""')}"\n`,
  )
  assert.equal(
    [kept?.external_id, kept?.author_name, kept?.rating, kept?.occurred_at.toISOString().slice(0, 10)],
    ['7', 'Ann', 4, '2026-01-05'],
  )
})

test.run()
