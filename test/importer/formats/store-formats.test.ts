import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { prepare } from '../prepared.ts'

const test = suite('formats of shop systems and app stores')

/** Format, and of each row whether it is hidden, text, rating, author, id and minute. */
async function read(content: string) {
  const prepared = await prepare(content)
  const rows = prepared.rows.map(({ hidden, review }) => [
    hidden,
    review.text,
    review.rating,
    review.author_name,
    review.external_id,
    review.occurred_at.toISOString().slice(0, 16),
  ])
  return { format: prepared.tables[0]?.plan.format.name, rows, skipped: prepared.skipped, warnings: prepared.warnings }
}

const COMMENTS =
  'comment_ID,comment_post_ID,comment_author,comment_author_email,comment_date,comment_date_gmt,comment_content,comment_approved,comment_type,comment_parent\n'

test('WordPress: neither answers nor notes on orders are reviews, and only what is approved is public', async () => {
  const { format, rows, skipped } = await read(
    `${COMMENTS}1,9,Ann,a@b.example,2026-01-05 11:00:00,2026-01-05 10:00:00,Warm bread.,1,review,0
2,9,The shop,s@b.example,2026-01-06 11:00:00,2026-01-06 10:00:00,Thank you Ann.,1,comment,1
3,8,WooCommerce,w@b.example,2026-01-06 11:00:00,2026-01-06 10:00:00,Customer asked for another address.,1,order_note,0
4,9,Ben,b@b.example,2026-01-06 11:00:00,2026-01-06 10:00:00,Pills.,spam,review,0
5,9,Cy,c@b.example,2026-01-06 11:00:00,2026-01-06 10:00:00,Cold bread.,0,,0
6,9,Di,d@b.example,2026-01-06 11:00:00,2026-01-06 10:00:00,Stale bread.,post-trashed,comment,0
`,
  )
  assert.is(format, 'wordpress')
  assert.equal(rows, [
    [false, 'Warm bread.', null, 'Ann', 'wordpress-1', '2026-01-05T10:00'],
    [true, 'Pills.', null, 'Ben', 'wordpress-4', '2026-01-06T10:00'],
    [true, 'Cold bread.', null, 'Cy', 'wordpress-5', '2026-01-06T10:00'],
    [true, 'Stale bread.', null, 'Di', 'wordpress-6', '2026-01-06T10:00'],
  ])
  assert.equal(
    skipped.map(({ line, reason }) => [line, reason]),
    [
      [3, 'not_a_review'],
      [4, 'not_a_review'],
    ],
  )
  assert.match(skipped[1]?.message ?? '', /comment_type=order_note/)
})

test('WordPress by its API', async () => {
  const comment = (id: number, parent: number, status: string) => ({
    id,
    post: 9,
    parent,
    author_name: 'Ann',
    date: '2026-01-05T11:00:00',
    date_gmt: '2026-01-05T10:00:00',
    content: { rendered: 'Warm bread.' },
    link: 'https://shop.example/#comment-1',
    status,
    type: 'comment',
  })
  const { format, rows, skipped } = await read(
    JSON.stringify([comment(1, 0, 'approved'), comment(2, 1, 'approved'), comment(3, 0, 'hold')]),
  )
  assert.is(format, 'wordpress-api')
  assert.equal(
    rows.map(([hidden, text, , , id]) => [hidden, text, id]),
    [
      [false, 'Warm bread.', 'wordpress-1'],
      [true, 'Warm bread.', 'wordpress-3'],
    ],
  )
  assert.is(skipped[0]?.reason, 'not_a_review')
})

test('Magento: of its states only 1 is public', async () => {
  const { format, rows } = await read(
    'review_id,created_at,entity_pk_value,status_id,title,detail,nickname\n' +
      [1, 2, 3].map((state) => `${state},2026-01-05 10:00:00,7,${state},Good,Warm bread.,Ann\n`).join(''),
  )
  assert.is(format, 'magento')
  assert.equal(
    rows.map(([hidden]) => hidden),
    [false, true, true],
  )
})

test("Shopware: the comment is the shop's, in each row", async () => {
  const { format, rows } = await read(
    'id;product_id;customer_id;external_user;external_email;title;content;points;status;comment;created_at\n' +
      'a1;7;;Ann;a@b.example;Good;Warm bread.;5;1;Thank you Ann;2026-01-05 10:00:00\n' +
      'a2;7;;Ben;b@b.example;Bad;Cold bread.;1;0;So sorry Ben;2026-01-06 10:00:00\n',
  )
  assert.is(format, 'shopware')
  assert.equal(rows, [
    [false, 'Warm bread.', 5, 'Ann', 'a1', '2026-01-05T10:00'],
    [true, 'Cold bread.', 1, 'Ben', 'a2', '2026-01-06T10:00'],
  ])
})

test("Google Play's API: the user's comment, never the developer's", async () => {
  const lastModified = { seconds: '1767607200', nanos: 0 }
  const review = {
    reviewId: 'gp:1',
    authorName: 'Ann',
    comments: [
      { userComment: { text: 'Works.', lastModified, starRating: 4, reviewerLanguage: 'en' } },
      { developerComment: { text: 'Thank you', lastModified: { seconds: '1767780000' } } },
    ],
  }
  const { format, rows } = await read(JSON.stringify({ reviews: [review] }))
  assert.is(format, 'google-play-api')
  assert.equal(rows, [[false, 'Works.', 4, 'Ann', 'gp:1', '2026-01-05T10:00']])
})

test("Kiyoh: scores of ten, the customer's two answers, and not the owner's", async () => {
  const review = {
    reviewId: 'k1',
    reviewAuthor: 'Ann',
    rating: 4,
    reviewContent: [
      { questionGroup: 'DEFAULT_OVERALL', questionType: 'INT', rating: 4 },
      { questionGroup: 'DEFAULT_ONELINER', questionType: 'TEXT', rating: 'Cold bread' },
      { questionGroup: 'DEFAULT_OPINION', questionType: 'TEXT', rating: 'And late.' },
    ],
    reviewComments: 'Sorry, call us',
    dateSince: '2026-01-06T10:00:00.000+01:00',
    updatedSince: '2026-01-09T10:00:00.000+01:00',
  }
  const { format, rows } = await read(JSON.stringify({ locationId: '1', reviews: [review] }))
  assert.is(format, 'kiyoh')
  assert.equal(rows, [[false, 'Cold bread\n\nAnd late.', 2, 'Ann', 'k1', '2026-01-06T09:00']])
})

test('Feefo: the review of the service, its state, and a word about those of products', async () => {
  const review = (id: string, state: string) => ({
    url: 'https://www.feefo.com/reviews/x',
    customer: { display_name: 'Ann' },
    service: {
      id,
      rating: { min: 1, max: 5, rating: 5 },
      review: 'Quick.',
      created_at: '2026-01-05T10:00:00.000Z',
      moderation_status: state,
    },
    products: [{ id: 'p', rating: { rating: 1 }, review: 'Stale.', moderation_status: 'published' }],
  })
  const { format, rows, warnings } = await read(
    JSON.stringify({ summary: {}, reviews: [review('s1', 'published'), review('s2', 'unpublished')] }),
  )
  assert.is(format, 'feefo')
  assert.equal(rows, [
    [false, 'Quick.', 5, 'Ann', 's1', '2026-01-05T10:00'],
    [true, 'Quick.', 5, 'Ann', 's2', '2026-01-05T10:00'],
  ])
  assert.ok(warnings.some(({ message }) => /single products .* left out/.test(message)))
})

test('Reviews.io: those of the shop and of products, each with its own text', async () => {
  const date = { date_created: '2026-01-05 10:00:00' }
  const shop = { ...date, type: 'store_review', store_review_id: 1, rating: 5, comments: 'Quick.', author: 'Ann' }
  const product = { ...date, type: 'product_review', product_review_id: 2, rating: 2, review: 'Small.' }
  const { format, rows } = await read(
    JSON.stringify({ reviews: [shop, { ...product, reviewer: { first_name: 'Ben' } }] }),
  )
  assert.is(format, 'reviews-io')
  assert.equal(rows, [
    [false, 'Quick.', 5, 'Ann', '1', '2026-01-05T10:00'],
    [false, 'Small.', 2, 'Ben', '2', '2026-01-05T10:00'],
  ])
})

test("Judge.me's API: hidden and spam as in its export, and the source is no platform", async () => {
  const review = (id: number, curated: string, hidden: boolean) => ({
    id,
    title: 'T',
    body: 'Warm bread.',
    rating: 5,
    reviewer: { id: 3, email: 'a@b.example', name: 'Ann' },
    source: 'email',
    curated,
    published: !hidden,
    hidden,
    created_at: '2026-01-05T10:00:00+00:00',
  })
  const { format, rows, skipped, warnings } = await read(
    JSON.stringify({ reviews: [review(1, 'ok', false), review(2, 'spam', true), review(3, 'not-yet', true)] }),
  )
  assert.is(format, 'judgeme-api')
  assert.equal(
    rows.map(([hidden, , , author, id]) => [hidden, author, id]),
    [
      [false, 'Ann', '1'],
      [true, 'Ann', '3'],
    ],
  )
  assert.is(skipped[0]?.reason, 'spam')
  assert.not.ok(warnings.some(({ code }) => code === 'unknown_source'))
})

test('questions and answers among reviews are skipped by what a column calls them', async () => {
  const kinds =
    'id,date,type,message\n1,2026-01-05,review,Warm bread.\n2,2026-01-05,question,Is it rye?\n3,2026-01-05,reply,It is.\n'
  const threads = 'id,date,parent_id,message\n1,2026-01-05,,Warm bread.\n2,2026-01-05,1,Thank you.\n'
  const sides = 'id,date,role,message\n1,2026-01-05,customer,Warm bread.\n2,2026-01-05,supplier,A kind customer.\n'
  for (const csv of [kinds, threads, sides]) {
    const { rows, skipped } = await read(csv)
    assert.equal(
      rows.map(([, text]) => text),
      ['Warm bread.'],
    )
    assert.ok(skipped.every(({ reason }) => reason === 'not_a_review'))
  }
  const { rows } = await read('id,date,parent_id,message\n1,2026-01-05,p7,Warm bread.\n2,2026-01-05,p8,Cold bread.\n')
  assert.is(rows.length, 2, 'where each row has a parent it is the product')
})

test('feedback that came to the owner alone is hidden, whatever the other sources', async () => {
  const { rows } = await read(
    'Date,Source,Review\n2026-01-05,Google,Warm bread.\n2026-01-05,Private Feedback,My name is in your files.\n',
  )
  assert.equal(
    rows.map(([hidden]) => hidden),
    [false, true],
  )
})

test.run()
