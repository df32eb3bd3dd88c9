import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { read } from './read-rows.ts'

const test = suite('tables and answers of shops without a format of their own')

test('osCommerce and what came of it: what is not approved is hidden, and who asks not to be named is not', async () => {
  const { rows } = await read(
    'reviews_id,products_id,customers_name,reviews_rating,date_added,reviews_status,is_anon,reviews_text\n' +
      '1,7,Ann,5,2026-01-05 10:00:00,1,n,Warm bread.\n2,7,Ben,4,2026-01-06 10:00:00,1,y,Good rye.\n' +
      '3,7,Cy,1,2026-01-07 10:00:00,0,n,Cold bread.\n',
  )
  assert.equal(rows, [
    [false, 'Warm bread.', 5, 'Ann', '1', '2026-01-05T10:00'],
    [false, 'Good rye.', 4, 'Anonymous', '2', '2026-01-06T10:00'],
    [true, 'Cold bread.', 1, 'Cy', '3', '2026-01-07T10:00'],
  ])
})

test('CubeCart: who writes anonymously is not named', async () => {
  const { rows } = await read(
    'id\tapproved\tproduct_id\trating\tanon\tname\temail\ttitle\treview\ttime\n' +
      '1\t1\t7\t4.5\t0\tAnn\ta@b.example\tGood\tWarm bread.\t1767607872\n' +
      '2\t0\t7\t1.0\t1\tBen\tb@b.example\tBad\tCold bread.\t1767694272\n',
  )
  assert.equal(rows, [
    [false, 'Warm bread.', 5, 'Ann', '1', '2026-01-05T10:11'],
    [true, 'Cold bread.', 1, 'Anonymous', '2', '2026-01-06T10:11'],
  ])
})

test('Aimeos: what waits and what was put away are numbers below zero', async () => {
  const { rows } = await read(
    'id,refid,name,comment,response,rating,status,mtime,ctime\n' +
      [1, 0, -1, -2]
        .map((status) => `${status},7,Ann,Warm bread.,,5,${status},2026-03-01 09:00:00,2026-01-05 10:00:00\n`)
        .join(''),
  )
  assert.equal(
    rows.map(([hidden, , , , , at]) => [hidden, at]),
    [false, true, true, true].map((hidden) => [hidden, '2026-01-05T10:00']),
  )
})

test('Medusa: the id is the one of the review, not the one of an answer that only some have', async () => {
  const review = (id: string, response: object | null) => ({
    id,
    name: 'Ann',
    rating: 5,
    content: 'Warm bread.',
    status: 'approved',
    created_at: '2026-01-05T10:00:00Z',
    response,
  })
  const { rows } = await read(
    JSON.stringify({ product_reviews: [review('p1', { id: 'a1', content: 'Thank you.' }), review('p2', null)] }),
  )
  assert.equal(
    rows.map(([, text, , , id]) => [text, id]),
    [
      ['Warm bread.', 'p1'],
      ['Warm bread.', 'p2'],
    ],
  )
})

test('Bagisto and others: a customer who is null in every row has the name that stands beside', async () => {
  const review = (id: number, name: string) => ({
    ...{ id, name, title: 'Good', rating: 5, comment: 'Warm bread.', status: 'approved', created_at: '2026-01-05' },
    ...{ customer: null, product: { id: 7, name: 'Loaf', description: 'A loaf of rye.', price: 3 } },
  })
  const { rows } = await read(JSON.stringify({ data: [review(1, 'Ann'), review(2, 'Ben')] }))
  assert.equal(
    rows.map(([, text, , author]) => [text, author]),
    [
      ['Warm bread.', 'Ann'],
      ['Warm bread.', 'Ben'],
    ],
  )
  const places = await read('reviewer,name,review,date\n,Mill,Warm bread.,2026-01-05\n,Mill,Cold bread.,2026-01-06\n')
  assert.equal(
    places.rows.map(([, , , author]) => author),
    ['Anonymous', 'Anonymous'],
  )
})

test('VirtueMart: the stars are not those that no row has', async () => {
  const { rows } = await read(
    'virtuemart_product_id,comment,review_rates,review_rating,published,customer,created_on\n' +
      '7,Warm bread.,5,0.00,1,Ann,2026-01-05 10:00:00\n7,Cold bread.,2,0.00,0,Ben,2026-01-06 10:00:00\n',
  )
  assert.equal(
    rows.map(([hidden, , rating]) => [hidden, rating]),
    [
      [false, 5],
      [true, 2],
    ],
  )
})

test('X-Cart and Ecwid: days and names under headings of their own', async () => {
  const xcart = await read(
    'id,product_id,review,response,rating,title,additionDate,reviewerName,status\n1,7,Warm bread.,Thank you.,5,Good,1767607872,Ann,1\n',
  )
  const ecwid = await read(
    '{"items":[{"id":1,"status":"published","rating":5,"review":"Warm bread.","reviewerInfo":{"name":"Ann"},"createDate":"2026-01-05 10:11:00 +0000"}]}',
  )
  for (const { rows } of [xcart, ecwid]) assert.equal(rows, [[false, 'Warm bread.', 5, 'Ann', '1', '2026-01-05T10:11']])
})

test.run()
