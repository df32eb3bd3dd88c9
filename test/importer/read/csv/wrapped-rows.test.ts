import * as assert from 'uvu/assert'
import { suite } from '../../../suite.ts'
import { prepare, reviewsOf } from '../../prepared.ts'

const test = suite('rows that were taken for single cells')

const TEXTS = ['Warm, soft bread', 'They said "yes"; we stayed', 'Plain']
const READ = TEXTS.map((text, at) => [['Ann', 'Ben', 'Cleo'][at], at + 3, text])

async function read(csv: string) {
  return (await reviewsOf(csv)).map(({ author_name, rating, text }) => [author_name, rating, text])
}

test('a spreadsheet that did not split the rows has put them between quotes, and cells behind them', async () => {
  const csv = [
    'Date,Name,Rating,Review;;',
    '"2026-01-05,Ann,3,""Warm, soft bread""";;',
    // It has split this one at the semicolon of its text.
    '"2026-01-06,Ben,4,""They said """"yes""""";" we stayed""";',
    '2026-01-07,Cleo,5,Plain;;',
  ]
  assert.equal(await read(`${csv.join('\r\n')}\r\n`), READ)
  const { warnings } = await prepare(csv.join('\n'))
  assert.match(warnings.map(({ message }) => message).join(), 'each row stood in its first column')
})

test('every row is one quoted cell, also the headings', async () => {
  for (const inner of [',', ';', '\t']) {
    const rows = [
      ['Date', 'Name', 'Rating', 'Review'],
      ...TEXTS.map((text, at) => [
        `2026-01-0${at + 5}`,
        ['Ann', 'Ben', 'Cleo'][at],
        at + 3,
        `"${text.replaceAll('"', '""')}"`,
      ]),
    ]
    assert.equal(await read(rows.map((row) => `"${row.join(inner).replaceAll('"', '""')}"\n`).join('')), READ, inner)
  }
})

test('a sign at the end of each line is no part of its text', async () => {
  assert.equal(await read('Date,Name,Rating,Review;\n2026-01-05,Ann,3,"Warm, soft bread";\n'), READ.slice(0, 1))
})

test('other files are read as they are', async () => {
  const [comma] = await reviewsOf('Date,Name,Review\n"2026-01-05","Ann","Warm; soft;"\n"2026-01-06","Ben","a,b,c"\n')
  assert.is(comma?.text, 'Warm; soft;')
  const [semicolons] = await reviewsOf(
    'Date;Name;"Review (short, kind, true)"\n2026-01-05;Ann;"Warm, soft, ""good"""\n2026-01-06;Ben;Fine\n',
  )
  assert.is(semicolons?.text, 'Warm, soft, "good"')
  const [quoted] = await reviewsOf('Review,Name,Date\n"A, b, c",Ann,2026-01-05\n"D, e, f",Ben,2026-01-06\n')
  assert.is(quoted?.text, 'A, b, c')
})

test.run()
