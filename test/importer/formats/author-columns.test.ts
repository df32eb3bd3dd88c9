import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { prepare, reviewOf } from '../prepared.ts'

const test = suite('columns of authors')

const warningsOf = async (content: string) => (await prepare(content)).warnings.map(({ message }) => message).join('\n')

test('authors under a heading that is not known are named in the report, instead of being left out without a word', async () => {
  const csv = (heading: string, names = ['Ann', 'Ben']) =>
    `date,text,${heading}\n2026-01-05,Warm bread.,${names[0]}\n2026-01-06,Cold tea.,${names[1]}\n`
  assert.match(
    await warningsOf(csv('Name of the skipper')),
    /"Name of the skipper" may have the names of the authors .*imported as Anonymous \(--map author="Name of the skipper" uses it\)/,
  )
  for (const heading of ['nom_utilisateur', 'Nama Review', 'Kullanıcı', '고객 닉네임', 'ユーザー名前', 'Пользователь'])
    assert.match(await warningsOf(csv(heading)), /may have the names of the authors/, heading)
  for (const other of ['nama produk', 'Product name', 'User type', 'Guest e-mail', 'Reply author', 'Guest since'])
    assert.is(await warningsOf(csv(other)), '', other)
  assert.match(
    await warningsOf(csv('res_name,partner_id', ['Bread,Ann', 'Tea,Ben'])),
    /^[^"]*"partner_id" may have the names/,
  )
  assert.is(await warningsOf(csv('res_name,partner_id', ['Bread,14', 'Tea,15'])), '', 'numbers of partners')
  assert.is(await warningsOf(csv('partner_id', ['Ann', 'Ben'])), '', 'not of Odoo')
  assert.is(await warningsOf(csv('Name of the boat', ['Swan', 'Swan'])), '', 'one for all')
  assert.is(
    await warningsOf(csv('traveler name,Name of the boat', ['Ann,Swan', 'Ben,Crane'])),
    '',
    'beside a known one',
  )
})

test('a column that may name authors who are imported as Anonymous is told as well if it is kept with all metadata', async () => {
  const csv = 'date,text,Patient\n2026-01-05,Warm hands.,Ann B.\n2026-01-06,No wait.,Ben C.\n'
  const warnings = async (metadata: 'all' | string[]) =>
    (await prepare(csv, { metadata })).warnings.map(({ message }) => message).join()
  assert.match(
    await warnings('all'),
    /"Patient" may have the names of the authors and is kept as metadata, which every page can read,.*imported as Anonymous/,
  )
  assert.is(await warnings(['Patient']), '', 'named')
})

test('"ad" is a name beside Turkish headings, and elsewhere an advertisement', async () => {
  const named = async (headings: string) => (await reviewOf(`${headings}\n2026-01-05,Sıcak ekmek.,Ayşe\n`)).author_name
  assert.is(await named('tarih,yorum,ad'), 'Ayşe')
  assert.is(await named('Tarih,Metin,Adı'), 'Ayşe')
  assert.is(await named('date,text,ad'), 'Anonymous')
})

test("the short name in Airbnb's answers is the author's", async () => {
  const review = { comments: 'Warm bread.', createdAt: '2026-01-05', reviewer: { id: '7', smartName: 'Ann' } }
  assert.is((await reviewOf(JSON.stringify([review]))).author_name, 'Ann')
})

test('the names of venues are no names of authors, and several are told', async () => {
  const venues = 'date,text,Venue Name\n2026-01-05,Warm bread.,The Lantern\n2026-01-06,Cold tea.,The Mill\n'
  assert.match(await warningsOf(venues), /^[^\n]*"Venue Name" names several \("The Lantern", "The Mill"\)[^\n]*$/)
})

test('who does not want the name to be shown, as the shops Spree and Solidus ask, is not named', async () => {
  const { rows } = await prepare(
    'created_at,review,name,show_identifier\n2026-01-05,Warm bread.,Ann,t\n2026-01-06,Cold tea.,Ben,f\n',
  )
  assert.equal(
    rows.map(({ review }) => review.author_name),
    ['Ann', 'Anonymous'],
  )
})

test('who posted anonymously, as the table of OFBiz says, is not named, and what is pending there is not shown', async () => {
  const { rows } = await prepare(
    'PRODUCT_REVIEW_ID,USER_LOGIN_ID,STATUS_ID,POSTED_ANONYMOUS,POSTED_DATE_TIME,PRODUCT_RATING,PRODUCT_REVIEW,NICK\n' +
      '10,ann,PRR_APPROVED,N,2026-01-05 10:00:00,5.000000,Warm bread.,Ann\n' +
      '11,ben,PRR_APPROVED,Y,2026-01-06 10:00:00,2.000000,Cold tea.,Ben\n' +
      '12,cy,PRR_PENDING,N,2026-01-07 10:00:00,5.000000,Good rye.,Cy\n',
  )
  assert.equal(
    rows.map(({ hidden, review: r }) => [hidden, r.text, r.rating, r.author_name]),
    [
      [false, 'Warm bread.', 5, 'Ann'],
      [false, 'Cold tea.', 2, 'Anonymous'],
      [true, 'Good rye.', 5, 'Cy'],
    ],
  )
})

test('a box beside the name, as content systems have it, says whether it is shown, and is no name itself', async () => {
  const namesIn = async (reviews: object[]) =>
    (await prepare(JSON.stringify(reviews))).rows.map(({ review }) => review.author_name)
  const shown = { date: '2026-01-05', text: 'Warm bread.' }
  const kept = { date: '2026-01-06', text: 'Cold tea.' }
  for (const box of ['showName', 'displayName', 'display_name', 'publishName', 'Name visible', 'isNamePublic'])
    assert.equal(
      await namesIn([
        { ...shown, name: 'Ann', [box]: true },
        { ...kept, name: 'Ben', [box]: false },
      ]),
      ['Ann', 'Anonymous'],
      box,
    )
  assert.equal(
    await namesIn([
      { ...shown, author: { name: 'Ann', showName: true } },
      { ...kept, author: { name: 'Ben', showName: false } },
    ]),
    ['Ann', 'Anonymous'],
    'in an object',
  )
  const names = [
    { ...shown, displayName: 'Ann' },
    { ...kept, displayName: 'Ben' },
  ]
  assert.equal(await namesIn(names), ['Ann', 'Ben'], 'names under such a heading')
  const unfilled = names.map(({ displayName: name, ...review }) => ({ ...review, name, showName: null }))
  assert.equal(await namesIn(unfilled), ['Ann', 'Ben'], 'a box that no review has')
})

test('each of several boxes about the name counts', async () => {
  const { rows } = await prepare(
    'date,text,name,hide_name,is_anonymous\n2026-01-05,Warm bread.,Ann,0,0\n2026-01-06,Cold tea.,Ben,1,0\n2026-01-07,Good rye.,Cy,0,1\n',
  )
  assert.equal(
    rows.map(({ review }) => review.author_name),
    ['Ann', 'Anonymous', 'Anonymous'],
  )
})

test('authors are known by their full name, and by what other languages call a writer', async () => {
  for (const heading of [
    'Writer',
    'Nom Prénom',
    'Nome e cognome',
    'Imię i nazwisko',
    'nama_user',
    'user_prenom',
    'ФИО',
    'Adlar',
  ])
    assert.is((await reviewOf(`date,text,${heading}\n2026-01-05,Warm bread.,Ann\n`)).author_name, 'Ann', heading)
})

test('a bare name that changes with the address or id of a place is its name, and no author', async () => {
  const rows = (names: string[]) =>
    names.map(
      (name, row) => `${name},https://example.com/${row < 3 ? 'mill' : 'oven'},2026-01-0${row + 1},Bread ${row}.`,
    )
  const csv = (names: string[], key = 'restaurant_url') => `name,${key},date,text\n${rows(names).join('\n')}\n`
  const authorsOf = async (content: string) => (await prepare(content)).rows.map(({ review }) => review.author_name)
  const places = ['Mill', 'Mill', 'Mill', 'Oven', 'Oven']
  for (const key of ['restaurant_url', 'hotelId', 'Place link']) {
    assert.equal(new Set(await authorsOf(csv(places, key))), new Set(['Anonymous']), key)
    assert.match(await warningsOf(csv(places, key)), /"name" names several \("Mill", "Oven"\)/)
  }
  assert.equal(await authorsOf(csv(places, 'page')), places, 'of whom is not said')
  const guests = ['Ann', 'Ben', 'Ann', 'Ann', 'Kim']
  assert.equal(await authorsOf(csv(guests)), guests, 'one wrote about two places')
})

test('neither ids of users nor names in a list of what was bought are named as authors', async () => {
  for (const heading of ['id_user', 'id_client', 'items[0].name'])
    assert.is(
      await warningsOf(`date,text,${heading}\n2026-01-05,Warm bread.,Pie\n2026-01-06,Cold tea.,Soup\n`),
      '',
      heading,
    )
})

test('a program that knew no name wrote none, and people may be called Nan', async () => {
  for (const [cell, name] of [
    ['Unknown', 'Anonymous'],
    ['unknown user', 'Anonymous'],
    ['NaN', 'Anonymous'],
    ['Nan', 'Nan'],
    ['Unknown Ben', 'Unknown Ben'],
  ])
    assert.is((await reviewOf(`date,text,author\n2026-01-05,Warm bread.,${cell}\n`)).author_name, name, cell)
})

test('ids, titles and authors under the headings of marketplaces are known', async () => {
  for (const [id, title, author] of [
    ['ID отзыва', 'Заголовок отзыва', 'Имя покупателя'],
    ['レビューID', 'レビュータイトル', '購入者'],
    ['id', 'Título de la reseña', 'Comprador'],
    ['review id', 'Bewertungstitel', 'Käufer'],
  ]) {
    const review = await reviewOf(`date,text,${id},${title},${author}\n2026-01-05,Warm bread.,r7,Bread,Ann\n`)
    assert.equal([review.external_id, review.metadata?.title, review.author_name], ['r7', 'Bread', 'Ann'], id)
  }
})

test('beside a first name, a bare name is that of the family, which is not published', async () => {
  for (const [family, first] of [
    ['Nom', 'Prénom'],
    ['Name', 'Vorname'],
    ['Naam', 'Voornaam'],
  ]) {
    const csv = `date,text,${family},${first}\n2026-01-05,Warm bread.,Miller,Ann\n`
    const review = await reviewOf(csv, { metadata: 'all' })
    assert.is(review.author_name, 'Ann', family)
    assert.match(await warningsOf(csv), `"${family}", beside the first name, is taken for the family's and left out`)
    assert.is((await reviewOf(csv, { map: { author: family ?? '' } })).author_name, 'Miller', family)
    assert.not.ok(JSON.stringify(review).includes('Miller'), family)
  }
  assert.is(
    (await reviewOf('date,text,First name,Name\n2026-01-05,Warm bread.,Ann,Ann Miller\n')).author_name,
    'Ann Miller',
  )
})

test('ids of users are no names', async () => {
  const csv = 'Date,Message,User\n2026-01-05,Warm bread.,a1b2c3d4\n2026-01-06,Cold tea.,09f3e2a1\n'
  assert.equal(
    (await prepare(csv)).rows.map(({ review }) => review.author_name),
    ['Anonymous', 'Anonymous'],
  )
  const facebook = csv.replace('a1b2c3d4', '1234567890_987654321').replace('09f3e2a1', '1234567890_987654322')
  assert.is((await prepare(facebook)).rows[0]?.review.author_name, 'Anonymous')
  const symfony = csv.replace('a1b2c3d4', '/api/v2/admin/customers/4').replace('09f3e2a1', '/api/v2/admin/customers/3')
  assert.equal(
    (await prepare(symfony)).rows.map(({ review }) => review.author_name),
    ['Anonymous', 'Anonymous'],
    'as the API of Sylius names customers',
  )
})

test.run()
