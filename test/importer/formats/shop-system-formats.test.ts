import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { read } from './read-rows.ts'

const test = suite('formats of shop systems')

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

test('Magento: the percentages of its votes are stars, in its table and its GraphQL answers', async () => {
  const table = await read(
    'review_id,created_at,status_id,detail,nickname,percent\n' +
      [20, 73, 100].map((percent) => `${percent},2026-01-05 10:00:00,1,Warm bread.,Ann,${percent}.0000\n`).join(''),
  )
  assert.is(table.format, 'magento')
  const answer = await read(
    JSON.stringify({
      items: [20, 73, 100].map((average_rating) => ({
        average_rating,
        summary: 'Good',
        text: `Warm bread ${average_rating}.`,
        nickname: 'Ann',
        created_at: '2026-01-05 10:00:00',
        ratings_breakdown: [{ name: 'Rating', value: '3' }],
      })),
    }),
  )
  assert.is(answer.format, 'magento-graphql')
  for (const { rows } of [table, answer])
    assert.equal(
      rows.map(([, , rating]) => rating),
      [1, 4, 5],
    )
})

test('Magento: what a REST module calls "review_status" has the same states', async () => {
  const { format, rows } = await read(
    JSON.stringify(
      [1, 2, 3].map((id) => ({
        id,
        title: 'Good',
        detail: 'Warm bread.',
        nickname: 'Ann',
        review_status: id,
        created_at: '2026-01-05 10:00:00',
      })),
    ),
  )
  assert.is(format, 'magento')
  assert.equal(
    rows.map(([hidden, , , , id]) => [hidden, id]),
    [
      [false, 'magento-1'],
      [true, 'magento-2'],
      [true, 'magento-3'],
    ],
  )
})

test('JTL-Shop: columns with the letter of their type', async () => {
  const { format, rows } = await read(
    'kBewertung;kArtikel;cName;cTitel;cText;nSterne;nAktiv;dDatum;cAntwort\n' +
      '1;7;Ann;Gut;Warmes Brot.;5;1;2026-01-05;Danke\n2;7;Ben;Naja;Kaltes Brot.;2;0;2026-01-06;\n',
  )
  assert.is(format, 'jtl')
  assert.equal(rows, [
    [false, 'Warmes Brot.', 5, 'Ann', 'jtl-1', '2026-01-05T00:00'],
    [true, 'Kaltes Brot.', 2, 'Ben', 'jtl-2', '2026-01-06T00:00'],
  ])
})

test('OXID: what is not active is hidden, and a list of products is none', async () => {
  const { format, rows, skipped } = await read(
    'OXID,OXACTIVE,OXOBJECTID,OXTYPE,OXTEXT,OXCREATE,OXRATING\n' +
      'a1,1,p7,oxarticle,Warm bread.,2026-01-05 10:00:00,5\n' +
      'a2,0,p7,oxarticle,Cold bread.,2026-01-06 10:00:00,1\n' +
      'a3,1,l2,oxrecommlist,What a list.,2026-01-06 10:00:00,4\n',
  )
  assert.is(format, 'oxid')
  assert.equal(rows, [
    [false, 'Warm bread.', 5, 'Anonymous', 'a1', '2026-01-05T10:00'],
    [true, 'Cold bread.', 1, 'Anonymous', 'a2', '2026-01-06T10:00'],
  ])
  assert.is(skipped.length, 1)
})

test('CS-Cart: its states are letters, before and since its reviews have pros and cons', async () => {
  const earlier = await read(
    'post_id,thread_id,name,timestamp,status,message,rating_value\n' +
      '1,3,Ann,1767607200,A,Warm bread.,5\n2,3,Ben,1767693600,D,Cold bread.,1\n',
  )
  const since = await read(
    'product_review_id,product_id,name,advantages,disadvantages,comment,rating_value,status,product_review_timestamp\n' +
      '1,3,Ann,,,Warm bread.,5,A,1767607200\n2,3,Ben,,,Cold bread.,1,D,1767693600\n',
  )
  for (const { format, rows } of [earlier, since]) {
    assert.is(format, 'cs-cart')
    assert.equal(rows, [
      [false, 'Warm bread.', 5, 'Ann', 'cs-cart-1', '2026-01-05T10:00'],
      [true, 'Cold bread.', 1, 'Ben', 'cs-cart-2', '2026-01-06T10:00'],
    ])
  }
})

test('Sanity: the drafts in its export are left out', async () => {
  const { rows, skipped } = await read(
    '{"_id":"r1","_type":"review","_createdAt":"2026-01-05T10:00:00Z","author":"Ann","text":"Warm bread."}\n' +
      '{"_id":"drafts.r1","_type":"review","_createdAt":"2026-01-05T10:00:00Z","author":"Ann","text":"Warm brea"}\n',
  )
  assert.equal(
    rows.map(([, text]) => text),
    ['Warm bread.'],
  )
  assert.match(skipped[0]?.message ?? '', /_id=drafts\.r1/)
})

test('of the documents of all types in an export of Sanity or Contentful only reviews are read, and drafts are not shown', async () => {
  const sanity = await read(
    '{"_id":"p7","_type":"product","_createdAt":"2026-01-01T10:00:00Z","title":"Loaf","description":"A loaf of rye."}\n' +
      '{"_id":"r1","_type":"review","_createdAt":"2026-01-05T10:00:00Z","author":"Ann","text":"Warm bread."}\n',
  )
  assert.equal(
    sanity.rows.map(([, text]) => text),
    ['Warm bread.'],
  )
  assert.match(sanity.skipped[0]?.message ?? '', /_type=product/)
  const entry = (id: string, type: string, published: object, text: string) => ({
    sys: { id, type: 'Entry', createdAt: '2026-01-05T10:00:00Z', ...published, contentType: { sys: { id: type } } },
    fields: { author: { 'en-US': 'Ann' }, rating: { 'en-US': 5 }, text: { 'en-US': text } },
  })
  const published = { publishedAt: '2026-01-06T10:00:00Z' }
  const contentful = await read(
    JSON.stringify([
      entry('e1', 'review', published, 'Warm bread.'),
      entry('e2', 'review', {}, 'Cold bread.'),
      entry('e3', 'product', published, 'A loaf of rye.'),
    ]),
  )
  assert.equal(contentful.rows, [
    [false, 'Warm bread.', 5, 'Ann', 'e1', '2026-01-05T10:00'],
    [true, 'Cold bread.', 5, 'Ann', 'e2', '2026-01-05T10:00'],
  ])
  assert.match(contentful.skipped[0]?.message ?? '', /contentType.sys.id=product/)
})

test('Strapi: of a transfer file only the reviews are read, and no draft is shown, be it among what is published or not', async () => {
  const line = (type: string, id: number, data: object) =>
    `${JSON.stringify({ type, id, data: { createdAt: '2026-01-05T10:00:00Z', ...data } })}\n`
  const published = '2026-01-06T10:00:00Z'
  const review = { author: 'Ann', rating: 5, text: 'Warm bread.' }
  const transfer = await read(
    line('plugin::review-workflows.workflow', 1, { name: 'Default' }) +
      line('api::review.review', 1, { ...review, publishedAt: null }) +
      line('api::review.review', 2, { ...review, publishedAt: published }) +
      line('api::story.story', 2, { text: 'How we bake our bread.', publishedAt: published }),
  )
  assert.equal(
    transfer.rows.map(([hidden, text, , , id]) => [hidden, text, id]),
    [
      [true, 'Warm bread.', '1'],
      [false, 'Warm bread.', '2'],
    ],
  )
  const drafts = await read(
    JSON.stringify({ data: [{ id: 1, ...review, createdAt: '2026-01-05T10:00:00Z', publishedAt: null }] }),
  )
  assert.equal(
    drafts.rows.map(([hidden]) => hidden),
    [true],
  )
})

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

test("Mezzanine: what the page's own author says below it, and answers, are no reviews", async () => {
  const { rows } = await read(
    'id,user_name,comment,submit_date,is_public,is_removed,by_author,replied_to_id\n' +
      '1,Ann,Warm bread.,2026-01-05 10:00:00,1,0,0,\n2,Shop,Thank you.,2026-01-06 10:00:00,1,0,1,\n' +
      '3,Ben,So it is.,2026-01-07 10:00:00,1,0,0,1\n4,Cy,Cold bread.,2026-01-08 10:00:00,1,1,0,\n',
  )
  assert.equal(
    rows.map(([hidden, text]) => [hidden, text]),
    [
      [false, 'Warm bread.'],
      [true, 'Cold bread.'],
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

test('Drupal: what answers another comment is no review', async () => {
  const { rows, skipped } = await read(
    'cid,pid,entity_id,name,created,status,comment\n1,,7,Ann,1767607872,1,Warm bread.\n2,1,7,Shop,1767694272,1,Thank you.\n',
  )
  assert.equal(
    rows.map(([, text]) => text),
    ['Warm bread.'],
  )
  assert.is(skipped[0]?.reason, 'not_a_review')
  const products = await read(
    'id,pid,name,date,rating,text\n1,2,Ann,2026-01-05,5,Warm bread.\n2,,Ben,2026-01-06,4,Good rye.\n',
  )
  assert.is(products.rows.length, 2, 'elsewhere it is the product')
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

test('Webflow: publishing the site again changes no review, and drafts are hidden', async () => {
  const csv = (published: string) =>
    'Name,Slug,Collection ID,Locale ID,Item ID,Archived,Draft,Created On,Updated On,Published On,Quote,Client\n' +
    `Ann,ann,c,l,i1,false,false,Mon Jan 05 2026 10:00:00 GMT+0000 (Coordinated Universal Time),${published},${published},<p>Warm bread.</p>,Ann B.\n` +
    `Ben,ben,c,l,i2,false,true,Tue Jan 06 2026 10:00:00 GMT+0000 (Coordinated Universal Time),${published},,<p>Cold soup.</p>,Ben\n`
  const { format, rows } = await read(csv('Tue Feb 03 2026 10:00:00 GMT+0000 (Coordinated Universal Time)'))
  assert.is(format, 'webflow')
  assert.equal(rows, [
    [false, 'Warm bread.', null, 'Ann B.', 'i1', '2026-01-05T10:00'],
    [true, 'Cold soup.', null, 'Ben', 'i2', '2026-01-06T10:00'],
  ])
  assert.equal((await read(csv('Tue Mar 03 2026 10:00:00 GMT+0000 (Coordinated Universal Time)'))).rows, rows)
})

test.run()
