import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { prepare } from '../prepared.ts'
import { read } from './read-rows.ts'

const test = suite('formats of review apps')

const SHOP_HEADERS: [string, string, string][] = [
  [
    'loox',
    'id,status,rating,email,nickname,full_name,review,date',
    'l-1,Hidden,4,a@b.example,,Jo Doe,Fine.,2026-01-05',
  ],
  [
    'okendo',
    'Review ID,Product ID,Rating,Title,Body,Reviewer Name,Date Created,Status',
    'o-1,p,4,T,Fine.,Jo Doe,2026-01-05,rejected',
  ],
  [
    'shopify',
    'product_handle,state,rating,title,author,email,location,body,reply,created_at,replied_at',
    'h,unpublished,4,T,Jo Doe,a@b.example,,Fine.,,2026-01-05,',
  ],
  [
    'powerreviews',
    'Review Id,Page Id,Review Display,Review Title,Review Date,Review Location,Review Text,Rating,Verified Buyer,Review Status,Reviewer Name',
    'r-1,p,,T,2026-01-05,,Fine.,4,yes,Pending,Jo Doe',
  ],
  [
    'site-reviews',
    'date,date_gmt,rating,title,content,name,email,avatar,is_approved',
    '2026-01-05 11:00:00,2026-01-05 00:00:00,4,T,Fine.,Jo Doe,a@b.example,,0',
  ],
]
for (const [profile, header, row] of SHOP_HEADERS) {
  test(`${profile}: a review that the shop hides is imported as hidden, without its e-mail`, async () => {
    const prepared = await prepare(`${header}\n${row}\n`)
    assert.is(prepared.tables[0]?.plan.format.name, profile)
    const [imported] = prepared.rows
    assert.ok(imported?.hidden)
    assert.is(imported.review.author_name, 'Jo Doe')
    assert.is(imported.review.text, 'Fine.')
    assert.is(imported.review.occurred_at.toISOString(), '2026-01-05T00:00:00.000Z')
    assert.not.ok(JSON.stringify(imported.review).includes('@'))
    const all = await prepare(`${header}\n${row}\n`, { metadata: 'all' })
    assert.not.ok(JSON.stringify(all.rows[0]?.review).includes('@'))
  })
}

test("whether Yotpo's answer is public says nothing about the review", async () => {
  const hidden = async (headings: string, ...cells: string[]) => {
    const rows = cells.map((cell, at) => `2026-01-0${at + 1},4,Title,Warm bread ${at},Published,${cell}\n`)
    const csv = `Date,Review Score,Review Title,Review Content,Review Status,${headings}\n${rows.join('')}`
    return (await prepare(csv)).rows.map((row) => row.hidden)
  }
  const answered = ['Thank you,True', 'Thank you,False', ',']
  assert.equal(await hidden('Comment Content,Comment Public', ...answered), [false, false, false])
  assert.equal(await hidden('Reply,Comment Public', ...answered), [false, true, true])
  assert.equal(await hidden('Comment Content,Review Public', ...answered), [false, true, true])
})

test("tables of WordPress's review widgets: what their owner hid stays hidden, and each row is of its platform", async () => {
  const slider =
    'id\tpageid\tpagename\tcreated_time\tcreated_time_stamp\treviewer_name\treviewer_id\trating\treview_text\thide\treview_length\ttype\tuserpic\n' +
    '1\tp\tThe Mill\t2026-02-01 10:00:00\t1769940000\tAnn\tu1\t5\tLight rolls.\t\t2\tGoogle\t\n' +
    '2\tp\tThe Mill\t2026-02-02 10:00:00\t1770026400\tBo\tu2\t2\tSlow till.\tyes\t2\tFacebook\t\n'
  const showcase =
    'id\tgoogle_place_id\thash\trating\ttext\ttime\tlanguage\tauthor_name\tauthor_url\turl\tprovider\thide\n' +
    '1\t1\ta1\t5\tLight rolls.\t1769940000\ten\tAnn\t\tNULL\tNULL\t\n' +
    '2\t1\ta2\t2\tSlow till.\t1770026400\ten\tBo\t\tNULL\tfacebook\t1\n'
  for (const [table, format] of [
    [slider, 'wp-review-slider'],
    [showcase, 'google-reviews-widget'],
  ] as const) {
    const { tables, rows } = await prepare(table)
    assert.is(tables[0]?.plan.format.name, format)
    assert.equal(
      rows.map(({ hidden, review: r }) => [
        hidden,
        r.text,
        r.source,
        r.rating,
        r.occurred_at.toISOString().slice(0, 16),
      ]),
      [
        [false, 'Light rolls.', 'google', 5, '2026-02-01T10:00'],
        [true, 'Slow till.', 'facebook', 2, '2026-02-02T10:00'],
      ],
    )
  }
})

test('a shown status is imported as shown, an unknown one as hidden with a warning', async () => {
  const header = 'id,status,rating,nickname,review,date'
  const prepared = await prepare(
    `${header}\n1,Active,4,Jo,One.,2026-01-05\n2,Weird,4,Jo,Two.,2026-01-05\n3,,4,Jo,Three.,2026-01-05\n`,
  )
  assert.equal(
    prepared.rows.map((row) => row.hidden),
    [false, true, false],
  )
  assert.ok(prepared.warnings.some((warning) => warning.code === 'unknown_status' && warning.message.includes('Weird')))
})

test('generic files: a hidden flag and a status are honoured, other words there are not', async () => {
  const flagged = await prepare('date,text,hidden\n2026-01-05,One.,true\n2026-01-05,Two.,false\n')
  assert.equal(
    flagged.rows.map((row) => row.hidden),
    [true, false],
  )
  const status = await prepare(
    'date,text,status\n2026-01-05,One.,unpublished\n2026-01-05,Two.,published\n2026-01-05,Three.,spam\n',
  )
  assert.equal(
    status.rows.map((row) => row.hidden),
    [true, false, true],
  )
  const other = await prepare('date,text,status\n2026-01-05,One.,answered\n2026-01-05,Two.,open\n')
  assert.equal(
    other.rows.map((row) => row.hidden),
    [false, false],
  )
  const odd = await prepare(
    'date,text,status\n2026-01-05,One.,published\n2026-01-05,Two.,live\n2026-01-05,Three.,vip\n',
  )
  assert.equal(
    odd.rows.map((row) => row.hidden),
    [false, false, false],
  )
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

test("PowerReviews: the reviewer's nickname stands under Review Display", async () => {
  const prepared = await prepare(
    'Review Id,Page Id,Review Display,Review Title,Review Date,Review Location,Review Text,Rating,Verified Buyer,Review Status\n' +
      'r-1,p,Jo Doe,T,2026-01-05,,Fine.,4,Yes,Approved\n',
  )
  assert.is(prepared.tables[0]?.plan.format.name, 'powerreviews')
  assert.is(prepared.rows[0]?.review.author_name, 'Jo Doe')
})

test.run()
