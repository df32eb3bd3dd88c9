import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { prepare } from '../prepared.ts'
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

test('WooCommerce: beside the reviews of its products, unrated comments are of its blog', async () => {
  const join = COMMENTS.replace('\n', ',rating\n')
  const { rows, skipped } = await read(
    `${join}1,9,Ann,,2026-01-05 11:00:00,2026-01-05 10:00:00,The jug pours well.,1,review,0,5
2,4,Bo,,2026-01-05 11:00:00,2026-01-05 10:00:00,Nice post.,1,comment,0,NULL
3,4,Cy,,2026-01-05 11:00:00,2026-01-05 10:00:00,When do you open?,1,,0,
4,9,Di,,2026-01-05 11:00:00,2026-01-05 10:00:00,The handle came off.,1,comment,0,1
`,
  )
  assert.equal(
    rows.map(([, text, rating]) => [text, rating]),
    [
      ['The jug pours well.', 5],
      ['The handle came off.', 1],
    ],
  )
  assert.equal(
    skipped.map(({ line, reason }) => [line, reason]),
    [
      [3, 'not_a_review'],
      [4, 'not_a_review'],
    ],
  )
})

test('a table whose stars are in another one says so, and where they are', async () => {
  const noted = async (content: string) => {
    const { warnings } = await prepare(content)
    return warnings.map(({ message }) => message).join('\n')
  }
  const comments = `${COMMENTS}1,9,Ann,,2026-01-05 11:00:00,2026-01-05 10:00:00,The handle came off.,1,review,0\n`
  assert.match(await noted(comments), /no column has ratings, so all rows are imported unrated: .*wp_commentmeta/)
  assert.match(
    await noted('review_id,created_at,status_id,detail,nickname\n1,2026-01-05,1,The handle came off.,Ann\n'),
    /no column has ratings, so all rows are imported unrated: .*rating_option_vote/,
  )
  assert.not.match(await noted(comments.replace(/\n/, ',rating\n').replace('review,0', 'review,0,1')), /no column has/)
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

test('QloApps: a review that waits has the number that elsewhere means approved', async () => {
  const table = await read(
    'id_hotel_review\tid_hotel\tid_order\trating\tsubject\tdescription\tstatus_abusive\tstatus\tdate_add\tdate_upd\n' +
      [3, 1, 2]
        .map(
          (status) =>
            `${status}\t1\t7\t4.5\tGood\tWarm bread ${status}.\t2\t${status}\t2026-01-05 10:00:00\t2026-02-01 10:00:00\n`,
        )
        .join(''),
  )
  const joined = await read(
    'id_hotel_review,rating,subject,description,status,date_add,customer_name\n' +
      '3,4.5,Good,Warm bread 3.,3,2026-01-05 10:00:00,Ann B.\n1,4.5,Good,Warm bread 1.,1,2026-01-05 10:00:00,Ben C.\n',
  )
  assert.is(table.format, 'qloapps')
  assert.equal(table.rows, [
    [false, 'Warm bread 3.', 5, 'Anonymous', 'qloapps-3', '2026-01-05T10:00'],
    [true, 'Warm bread 1.', 5, 'Anonymous', 'qloapps-1', '2026-01-05T10:00'],
    [true, 'Warm bread 2.', 5, 'Anonymous', 'qloapps-2', '2026-01-05T10:00'],
  ])
  assert.equal(joined.rows, [
    [false, 'Warm bread 3.', 5, 'Ann B.', 'qloapps-3', '2026-01-05T10:00'],
    [true, 'Warm bread 1.', 5, 'Ben C.', 'qloapps-1', '2026-01-05T10:00'],
  ])
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

test('HikaShop: what waits stays hidden, and votes for its vendors are no reviews of goods', async () => {
  const { format, rows, skipped } = await read(
    'vote_id,vote_ref_id,vote_type,vote_user_id,vote_rating,vote_comment,vote_useful,vote_pseudo,vote_ip,vote_email,vote_date,vote_published\n' +
      '1,5,product,0,5,The lid shuts.,0,Ann,,a@b.example,1772531200,1\n' +
      '2,5,product,0,1,Buy elsewhere.,0,Bo,,b@b.example,1772531200,0\n' +
      '3,2,vendor,0,4,Sends fast.,0,Cy,,c@b.example,1772531200,1\n',
  )
  assert.is(format, 'hikashop')
  assert.equal(rows, [
    [false, 'The lid shuts.', 5, 'Ann', 'hikashop-1', '2026-03-03T09:46'],
    [true, 'Buy elsewhere.', 1, 'Bo', 'hikashop-2', '2026-03-03T09:46'],
  ])
  assert.equal(
    skipped.map(({ line, reason }) => [line, reason]),
    [[4, 'not_a_review']],
  )
})

test.run()
