import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { read } from './read-rows.ts'

const test = suite('exports of content systems')

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

test('the reviews are found behind hundreds of other documents, and others behind hundreds of reviews are left out', async () => {
  const lines = (count: number, line: (at: number) => object) =>
    Array.from({ length: count }, (_, at) => `${JSON.stringify(line(at))}\n`).join('')
  const sanity = (type: string, text: object) => (at: number) => {
    return { _id: `${type}${at}`, _type: type, _createdAt: '2026-01-05T10:00:00Z', title: `Loaf ${at}`, ...text }
  }
  const product = sanity('product', { body: 'A loaf of rye.' })
  const review = sanity('review', { quote: 'Warm bread.' })
  for (const file of [lines(250, product) + lines(5, review), lines(250, review) + lines(5, product)]) {
    const { rows, skipped } = await read(file)
    assert.equal(new Set(rows.map(([, text]) => text)), new Set(['Warm bread.']))
    assert.is(rows.length + skipped.length, 255)
  }
  const strapi = (type: string, text: object) => (id: number) => {
    return { type, id, data: { createdAt: '2026-01-05T10:00:00Z', publishedAt: '2026-01-05T10:00:00Z', ...text } }
  }
  const { rows } = await read(
    lines(250, strapi('api::story.story', { body: 'How we bake.' })) +
      lines(5, strapi('api::review.review', { text: 'Warm bread.' })),
  )
  assert.equal([rows.length, rows[0]?.[1]], [5, 'Warm bread.'])
})

test("Django: of the models in a dump only reviews are read, by their own columns, and no product's description", async () => {
  const product = (pk: number) => ({
    model: 'catalogue.product',
    pk,
    fields: {
      title: `Lamp ${pk}`,
      description: 'A lamp of oak, made in our workshop.',
      rating: 4,
      date_updated: '2026-07-01T10:00:00Z',
    },
  })
  const review = {
    model: 'reviews.productreview',
    pk: 1,
    fields: {
      product: 1,
      score: 5,
      body: 'Bright, and easy to clean.',
      name: 'Ann',
      date_created: '2026-01-05T10:00:00Z',
    },
  }
  const vote = {
    model: 'reviews.vote',
    pk: 1,
    fields: { review: 1, note: 'A vote.', date_created: '2026-01-06T10:00:00Z' },
  }
  const { rows, skipped } = await read(JSON.stringify([product(1), product(2), vote, review]))
  assert.equal(
    rows.map(([, text, rating, author]) => [text, rating, author]),
    [['Bright, and easy to clean.', 5, 'Ann']],
  )
  assert.equal(
    skipped.map(({ line, reason }) => [line, reason]),
    [1, 2, 3].map((line) => [line, 'not_a_review']),
  )
  const cars = await read('date,text,model\n2026-01-05,Quiet and quick.,golf.one\n2026-01-06,Good brakes.,golf.two\n')
  assert.is(cars.rows.length, 2, 'a model of something else')
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

test('comments below the pages of a generated site: neither what waits or is deleted, nor answers', async () => {
  const isso =
    'tid,id,parent,created,modified,mode,remote_addr,text,author,email,website,likes,dislikes,voters,notification\n' +
    '1,1,,1772531200.5,,1,,Hot by seven.,Ann,a@b.example,,0,0,,\n' +
    '1,2,,1772531200.5,,2,,Let me in.,Bo,,,0,0,,\n' +
    '1,3,,1772531200.5,,4,,Cold all day.,Cy,,,0,0,,\n' +
    '1,4,1,1772531200.5,,1,,We are glad.,The house,,,0,0,,\n'
  const artalk = JSON.stringify([
    {
      id: '1',
      rid: '0',
      content: 'Hot by seven.',
      is_pending: 'false',
      created_at: '2026-03-03 09:46:40',
      nick: 'Ann',
    },
    { id: '2', rid: '0', content: 'Let me in.', is_pending: 'true', created_at: '2026-03-03 09:46:40', nick: 'Bo' },
    {
      id: '3',
      rid: '1',
      content: 'We are glad.',
      is_pending: 'false',
      created_at: '2026-03-03 09:46:40',
      nick: 'The house',
    },
  ])
  const remark = [
    { id: 'a', pid: '', text: '<p>Hot by seven.</p>', user: { name: 'Ann' }, time: '2026-03-03T09:46:40Z' },
    { id: 'b', pid: 'a', text: '<p>We are glad.</p>', user: { name: 'The house' }, time: '2026-03-03T09:46:40Z' },
  ]
    .map((comment) => JSON.stringify(comment))
    .join('\n')
  for (const file of [isso, artalk, remark]) {
    const { rows, skipped } = await read(file)
    const shown = rows.filter(([hidden]) => hidden !== true)
    assert.equal(
      shown.map(([, text, , author]) => [text, author]),
      [['Hot by seven.', 'Ann']],
      file,
    )
    assert.is(skipped.at(-1)?.reason, 'not_a_review', file)
  }
})

test('a product below which some rows stand is no parent of rated reviews', async () => {
  const { rows } = await read(
    'id,pid,date,name,review,rating\n1,,2026-01-05,Ann,The lid shuts.,5\n2,1,2026-01-05,Bo,The jug drips.,2\n',
  )
  assert.is(rows.length, 2)
})

test('what a content system shows only from or until a time is hidden before and after it', async () => {
  const ends = async (from: string, until: string, ended: string, later: string, begun = '') => {
    const { rows } = await read(
      `id,created,author,text,${from},${until}\n1,2026-01-05,Ann,Warm bread.,${begun},\n2,2026-01-05,Bo,Cold tea.,${begun},${ended}\n` +
        `3,2026-01-05,Cy,Good rye.,${begun},${later}\n4,2026-01-05,Di,Old rolls.,${later},\n5,2026-01-05,Ed,Fine oats.,${ended},NULL\n`,
    )
    return rows.map(([hidden]) => hidden)
  }
  const expected = [false, true, false, true, false]
  assert.equal(await ends('publish_up', 'publish_down', '2026-02-01 00:00:00', '2090-01-01 00:00:00'), expected)
  assert.equal(await ends('starttime', 'endtime', '1769904000', '3786912000'), expected)
  const begun = '2026-01-05T00:00:00+00:00'
  const over = ['2026-02-01T00:00:00+00:00', '2090-01-01T00:00:00+00:00'] as const
  assert.equal(await ends('postDate', 'expiryDate', ...over, begun), expected)
  // What each writes for a time that was not given, and what other programs make of one that was.
  assert.equal(await ends('starttime', 'endtime', '1769904000', '3786912000', '0'), expected)
  const none = await read(
    'id,created,author,text,starttime,endtime\n1,2026-01-05,Ann,Warm bread.,0,0\n2,2026-01-05,Bo,Cold tea.,0,9999-12-31 00:00:00\n' +
      '3,2026-01-05,Cy,Good rye.,31.12.2090 10:00,0\n4,2026-01-05,Di,Old rolls.,soon,0\n',
  )
  assert.equal(
    none.rows.map(([hidden]) => hidden),
    [false, false, true, true],
  )
  // When somebody filled in a form.
  const form = await read(
    'created,author,text,Start time,End time\n2026-01-05,Ann,Warm bread.,2026-01-05 10:00:00,2026-01-05 10:04:00\n',
  )
  assert.equal(
    form.rows.map(([hidden]) => hidden),
    [false],
  )
  // Alone it may be that of the invitation to write.
  assert.equal(await ends('sent', 'expiryDate', '2026-02-01', '2090-01-01'), [false, false, false, false, false])
})

test('Craft: the day is that of the post, which pages show, and not that on which it was brought into the system', async () => {
  const { rows } = await read(
    JSON.stringify([
      {
        id: 4,
        enabled: true,
        trashed: false,
        dateCreated: '2026-06-01T10:00:00+00:00',
        postDate: '2026-01-05T10:00:00+00:00',
        reviewer: 'Ann',
        reviewText: 'Warm bread.',
        rating: 5,
      },
      {
        id: 5,
        enabled: false,
        trashed: false,
        dateCreated: '2026-06-01T10:00:00+00:00',
        postDate: '2026-01-06T10:00:00+00:00',
        reviewer: 'Bo',
        reviewText: 'Cold tea.',
        rating: 5,
      },
    ]),
  )
  assert.equal(rows, [
    [false, 'Warm bread.', 5, 'Ann', '4', '2026-01-05T10:00'],
    [true, 'Cold tea.', 5, 'Bo', '5', '2026-01-06T10:00'],
  ])
})

test.run()
