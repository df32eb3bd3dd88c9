import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { prepare, reviewsOf } from '../prepared.ts'
import { read } from './read-rows.ts'

const test = suite('formats of marketplaces and of platforms that compare')

test("Heureka: the summary, pluses and minuses are one review, and the shop's reaction is not", async () => {
  const review = (id: number, rest: string) =>
    `<review><rating_id>${id}</rating_id><source>regular</source><ordered>1767000000</ordered>` +
    `<unix_timestamp>1767607200</unix_timestamp><recommends>1</recommends>${rest}<order_id>77${id}</order_id></review>`
  const answers = '<delivery_time>5</delivery_time><transport_quality>1</transport_quality>'
  const shop = await read(
    `<?xml version="1.0" encoding="UTF-8"?><reviews>${[
      review(1, `<total_rating>4.5</total_rating>${answers}<pros><![CDATA[Rychlost\nCeny]]></pros><name>Iva</name>`),
      review(
        2,
        `<total_rating>2</total_rating><summary>Bez odpovědi.</summary><cons>Balení</cons><reaction>Omluva</reaction>`,
      ),
      review(3, '<total_rating>5</total_rating>'),
    ].join('')}</reviews>`,
  )
  assert.is(shop.format, 'heureka')
  assert.equal(shop.rows, [
    [false, 'Rychlost\nCeny', 5, 'Iva', '1', '2026-01-05T10:00'],
    [false, 'Bez odpovědi.\n\nBalení', 2, 'Anonymous', '2', '2026-01-05T10:00'],
  ])
  assert.equal(
    shop.skipped.map(({ reason }) => reason),
    ['rating_only'],
  )
  const old = await read(
    `<reviews>${review(5, '<total_rating>3</total_rating><summary>Dobré.</summary>').replace(/<recommends>1<.recommends>/, '')}</reviews>`,
  )
  assert.equal([old.format, old.rows.length], ['heureka', 1], 'without the question of later years')
  const product = `<products><product><product_name>Lampa</product_name><reviews>${review(4, '<rating>3</rating><summary>Svítí.</summary>')}</reviews></product></products>`
  assert.equal((await read(product)).rows, [[false, 'Svítí.', 3, 'Anonymous', '4', '2026-01-05T10:00']])
})

test("AliExpress: scores from 20 to 100, the buyer's own words, and the id that keeps equal reviews apart", async () => {
  const review = (id: string, more: object) => ({
    anonymous: false,
    buyerCountry: 'FR',
    buyerEval: 80,
    buyerFeedback: 'Très bien.',
    buyerTranslationFeedback: 'Very good.',
    buyerName: 'A***n',
    evalDate: '05 Jan 2026',
    evaluationId: id,
    ...more,
  })
  const content = JSON.stringify({
    data: {
      totalNum: 3,
      evaViewList: [review('1', {}), review('2', { buyerEval: 20 }), review('3', { anonymous: true })],
    },
  })
  const { format, rows } = await read(content)
  assert.is(format, 'aliexpress')
  assert.equal(rows, [
    [false, 'Très bien.', 4, 'A***n', '1', '2026-01-05T00:00'],
    [false, 'Très bien.', 1, 'A***n', '2', '2026-01-05T00:00'],
    [false, 'Très bien.', 4, 'Anonymous', '3', '2026-01-05T00:00'],
  ])
  assert.is((await reviewsOf(content))[0]?.metadata?.translation, 'Very good.')
})

test('Shopee: the stars, not the 1 that every review has, and the id that keeps equal reviews apart', async () => {
  const review = (id: number, more: object) => ({
    cmtid: id,
    orderid: id,
    ctime: 1767607200,
    rating: 1,
    rating_star: 4,
    comment: 'Sedap.',
    author_username: 'ann',
    status: 2,
    is_hidden: false,
    ItemRatingReply: { comment: 'Terima kasih', ctime: 1767780000 },
    ...more,
  })
  const ratings = [review(1, {}), review(2, { rating_star: 2 }), review(3, { is_hidden: true })]
  const { format, rows } = await read(JSON.stringify({ data: { ratings, item_rating_summary: { rating_total: 3 } } }))
  assert.is(format, 'shopee')
  assert.equal(rows, [
    [false, 'Sedap.', 4, 'ann', '1', '2026-01-05T10:00'],
    [false, 'Sedap.', 2, 'ann', '2', '2026-01-05T10:00'],
    [true, 'Sedap.', 4, 'ann', '3', '2026-01-05T10:00'],
  ])
})

test("G2's API: what customers like and dislike, not how G2 came by the review", async () => {
  const review = (id: number, isPublic: boolean) => ({
    id,
    type: 'survey_responses',
    attributes: {
      product_name: 'Lantern',
      is_public: isPublic,
      star_rating: 4.5,
      title: 'Solid',
      user_name: 'Ann',
      comment_answers: {
        love: { text: 'What do you like best?', value: 'It is quick.' },
        hate: { text: 'What do you dislike?', value: 'The search.' },
      },
      review_source: 'Organic review. It was written entirely without invitation or incentive.',
      submitted_at: '2026-01-05T10:00:00.000Z',
      updated_at: '2026-01-09T10:00:00.000Z',
    },
  })
  const { tables, rows } = await prepare(JSON.stringify({ data: [review(1, true), review(2, false)] }))
  assert.is(tables[0]?.plan.format.name, 'g2')
  assert.equal(
    rows.map(({ hidden, review: { external_id, text, rating, author_name, metadata } }) => [
      ...[hidden, external_id, text, rating, author_name, metadata],
    ]),
    [
      [false, '1', 'It is quick.\n\nThe search.', 5, 'Ann', { product_name: 'Lantern', title: 'Solid' }],
      [true, '2', 'It is quick.\n\nThe search.', 5, 'Ann', { product_name: 'Lantern', title: 'Solid' }],
    ],
  )
})

test.run()
