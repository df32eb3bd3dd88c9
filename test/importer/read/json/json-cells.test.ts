import * as assert from 'uvu/assert'
import { suite } from '../../../suite.ts'
import { prepare, refusalOf, reviewsOf } from '../../prepared.ts'

const test = suite('cells of a spreadsheet that hold JSON')

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
const csv = (...rows: string[][]) => rows.map((cells) => cells.map(quoted).join(',')).join('\n')
const HEAD = ['id', 'date', 'text', 'rating', 'user']

test('an object in each cell is read by its parts: the name of a user is the author', async () => {
  const users = ['{"name":"Ann Lee","id":77}', '', '{"name":"Bo","id":78,"photo":null}']
  const rows = users.map((user, row) => [`${row}`, '2026-01-05', `Warm bread, loaf ${row}.`, '5', user])
  const { rows: taken } = await prepare(csv(HEAD, ...rows))
  assert.equal(
    taken.map(({ review }) => review.author_name),
    ['Ann Lee', 'Anonymous', 'Bo'],
  )
})

test('also as Python writes it, with names that hold quotes', async () => {
  const users = [
    `{'name': 'Ann Lee', 'vip': True, 'photo': None}`,
    `{'name': "Bo O'Neil", 'vip': False}`,
    `{'name': 'Zo\\xeb \\'Z\\' "Q"'}`,
  ]
  const rows = users.map((user, row) => [`${row}`, '2026-01-05', `Warm bread, loaf ${row}.`, '5', user])
  assert.equal(
    (await reviewsOf(csv(HEAD, ...rows))).map(({ author_name: author }) => author),
    ['Ann Lee', "Bo O'Neil", `Zoë 'Z' "Q"`],
  )
})

test('a list of reviews in each row of a table of places is read, and never what the places say of themselves', async () => {
  const review = (Name: string, Description: string) => ({ Name, Rating: 4, Description, When: '2026-01-05' })
  const places = [
    [
      'Lantern Bakery',
      '2020-01-01',
      'A bakery in the old mill',
      JSON.stringify([review('Ann', 'Warm bread.'), review('Bo', 'A long queue.')]),
    ],
    ['Harbour Café', '2020-01-01', 'A café on the quay', JSON.stringify([review('Cy', 'Boats to look at.')])],
    ['Mill', '2020-01-01', 'A mill', ''],
    ['Quay', '2020-01-01', 'A quay', 'null'],
    ['Pier', '2020-01-01', 'A pier', '[]'],
  ]
  const { rows, warnings } = await prepare(csv(['title', 'date', 'description', 'user_reviews'], ...places))
  assert.equal(
    rows.map(({ review: { author_name: author, text } }) => [author, text]),
    [
      ['Ann', 'Warm bread.'],
      ['Bo', 'A long queue.'],
      ['Cy', 'Boats to look at.'],
    ],
  )
  assert.match(
    warnings.map(({ message }) => message).join(),
    /each row contains a list of reviews.*reviews: 3, rows: 5/,
  )
  const [first = []] = places
  const broken = `${csv(['title', 'date', 'description', 'user_reviews'], first)}\nMill,2020-01-01\n`
  const { rows: whole, skipped } = await prepare(broken)
  assert.equal([whole.length, skipped.map(({ reason }) => reason)], [2, ['ragged']])
})

test('texts that begin with a brace, lists of plain values and metadata of our own export stay as they are', async () => {
  const texts = ['{sic} it was fine', '[edited] still fine', '{"a":1} is what the till printed']
  const rows = texts.map((text, row) => [`${row}`, '2026-01-05', text, '5', 'Ann', '["a","b"]', '{"a":1}'])
  const { rows: taken } = await prepare(csv([...HEAD, 'tags', 'metadata.raw'], ...rows), { metadata: 'all' })
  assert.equal(
    taken.map(({ review }) => review.text),
    texts,
  )
  assert.is(taken[0]?.review.metadata?.tags, '["a","b"]')
})

test('a list that is not called after reviews is named where no text is found', async () => {
  const content = csv(['title', 'entries'], ['Mill', '[{"when":"2026-01-05","said":"Fine"}]'])
  assert.is(await refusalOf(() => prepare(content)), 'mapping_needed')
  assert.match(
    String(await prepare(content).catch((error: Error) => error.message)),
    /"entries" contains a list in each item/,
  )
})

test('hostile cells cost no more than their length', async () => {
  const cells = [`{${'['.repeat(200_000)}}`, `{'${"\\'".repeat(100_000)}}`, `{${'"\''.repeat(100_000)}}`]
  const start = performance.now()
  await prepare(csv(HEAD, ...cells.map((cell, row) => [`${row}`, '2026-01-05', 'Warm bread.', '5', cell])))
  assert.ok(performance.now() - start < 5_000)
})

test.run()
