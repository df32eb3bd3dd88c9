import * as assert from 'uvu/assert'
import type { ImportOptions } from '../../../src/importer/formats/mapping.ts'
import { escapeFormula, unescapeFormula } from '../../../src/importer/read/cell-escape.ts'
import { prepareImport } from '../../../src/importer/rows/prepare.ts'
import { errorsCsv } from '../../../src/importer/write/errors-csv.ts'
import { suite } from '../../suite.ts'
import { prepare } from '../prepared.ts'

const test = suite('errors.csv')

test('names line and reason of each skipped row before its own columns', async () => {
  const text = [...errorsCsv(await prepare('date,text\n2026-01-05,Good.\nnever,"Two\nlines."\n'))].join('')
  assert.is(
    text,
    '\ufeffline,reason,read_as,date,text\r\n3,"the date ""never"" could not be read: write it as 2026-01-31",' +
      '"{""profile"":""generic"",""map"":{""text"":""text"",""date"":""date""},""decode_html"":false}",never,"Two\nlines."\r\n',
  )
})

test('nothing is written when no row was skipped', async () => {
  assert.equal([...errorsCsv(await prepare('date,text\n2026-01-05,Good.\n'))], [])
})

test('what a spreadsheet would run is escaped, and mended rows come back to the letter', async () => {
  const nasty = ['=HYPERLINK("http://x")', '+1', '-2+3', '@SUM(A1)', '\t=1', ' =1', "'=1", "''@x", '＝1', "it's"]
  const prepared = await prepare(JSON.stringify(nasty.map((text, index) => ({ id: `i${index}`, date: 'never', text }))))
  const text = [...errorsCsv(prepared)].join('')
  for (const line of text.split('\r\n').slice(1))
    for (const cell of line.split(',')) assert.not.match(cell, /^"?\s*[=+\-@＝]/)
  const mended = await prepare(text.replaceAll(',never,', ',2026-01-05,'))
  assert.equal(
    mended.rows.map((row) => row.review.text),
    nasty.map((cell) => cell.trim()),
  )
})

test('the apostrophe of another program is not doubled by ours', async () => {
  const text = [...errorsCsv(await prepare("date,text,name\nnever,'-5 outside,'@ann\n"))].join('')
  const mended = await prepare(text.replaceAll(',never,', ',2026-01-05,'))
  assert.equal([mended.rows[0]?.review.text, mended.rows[0]?.review.author_name], ['-5 outside', '@ann'])
})

test('defusing can always be undone', () => {
  for (const cell of ['', '=', "'", "''", "'=", "''=", 'a=', '-', '\r', '\n=', "'a", '\u00a0=1', '＠x', "'\t"])
    assert.is(unescapeFormula(escapeFormula(cell)), cell, JSON.stringify(cell))
})

test('mended rows keep the format of their file', async () => {
  const header = 'Review Id,Review Created (UTC),Review Username,Review Title,Review Content,Review Stars'
  const prepared = await prepare(`${header}\nt-1,soon,Jo,T,Fine.,5\n`)
  const mended = await prepare([...errorsCsv(prepared)].join('').replace(',soon,', ',2026-01-05,'))
  assert.is(mended.tables[0]?.plan.format.name, 'trustpilot')
  assert.is(mended.rows[0]?.review.external_id, 't-1')
})

test('short rows can be imported as they come back', async () => {
  const prepared = await prepare('date,text,rating,note\n2026-01-05,Short.\n')
  assert.is(prepared.skipped[0]?.reason, 'ragged')
  const mended = await prepare([...errorsCsv(prepared)].join(''))
  assert.is(mended.rows[0]?.review.text, 'Short.')
})

test('a text with delimiters and no quotes around it stands there as it was, its delimiters among it', async () => {
  const prepared = await prepare('date;text\n2026-01-05;Good bread; kind staff;quiet.\n2026-01-06;Whole.\n')
  const mended = await prepare([...errorsCsv(prepared)].join(''))
  assert.is(mended.rows[0]?.review.text, 'Good bread; kind staff;quiet.')
})

test('of several files it names the file and holds the columns of all', async () => {
  const prepared = await prepareImport([
    { name: 'a.csv', bytes: Buffer.from('date,text\nnever,One.\n') },
    { name: 'b.csv', bytes: Buffer.from('text,date,stars\nTwo.,never,5\n') },
  ])
  const text = [...errorsCsv(prepared)].join('')
  assert.match(
    text,
    /^\ufeffline,reason,in_file,read_as,date,text,stars\r\n2,.*,a\.csv,.*,never,One\.,\r\n2,.*,b\.csv,.*,never,Two\.,5\r\n$/,
  )
  assert.is((await prepare(text.replaceAll(',never,', ',2026-01-05,'))).rows.length, 2)
})

/** The skipped rows of a file that was read so, as the errors.csv that is imported next. */
async function errorsOf(text: string, options: ImportOptions = {}) {
  return [...errorsCsv(await prepare(text, options))].join('')
}

test('mended rows are read as their file was, by what was said and by what its other rows proved', async () => {
  const said = { as_of: '2026-10-01', rating_scale: 10, source: 'yelp' as const, map: { text: 'B' }, metadata: ['A'] }
  const file =
    'when,who,Score,A,B\n25/4/2026,Ann,8,a,Kind &amp; warm.\n3/4/2026,Bob,ten,b,Good &amp; calm.\nlast week,Cyd,x,c,Fine &amp; dry.\n'
  const errors = await errorsOf(file, said)
  const mended = await prepare(errors.replace(',ten,', ',9,').replace(',x,', ',7,'))
  assert.equal(
    mended.rows.map(({ review }) => [review.occurred_at.toISOString().slice(0, 10), review.rating, review.source]),
    [
      ['2026-04-03', 5, 'yelp'],
      ['2026-09-24', 4, 'yelp'],
    ],
  )
  assert.is(mended.rows[0]?.review.text, 'Good & calm.')
  assert.is(mended.rows[0]?.review.metadata?.a, 'b')
  assert.is((await prepare(errors.replace(',ten,', ',9,'), { source: 'google' })).rows[0]?.review.source, 'google')
})

test('one rating that was mended is read by the scale of the whole file, though the others are beyond it still', async () => {
  const good = Array.from({ length: 20 }, (_, day) => `2026-01-${day + 10},Good bread ${day}.,4`)
  const errors = await errorsOf(['date,text,stars', ...good, '2026-02-01,Slip.,44', '2026-02-02,Other.,55'].join('\n'))
  const mended = await prepare(errors.replace(',44', ',4'))
  assert.equal([mended.rows[0]?.review.rating, mended.skipped.length], [4, 1])
})

test('what stands in no column keeps its row out until it was put where it belongs', async () => {
  const errors = await errorsOf('text,date,room\nGood, but noisy at night,2026-01-05,x\n')
  assert.match(errors, /^\ufeffline,reason,too_many,read_as,text/)
  const again = await prepare(errors)
  assert.equal([again.rows.length, again.skipped[0]?.surplus], [0, 'x'])
  const mended = await prepare(
    errors.replace(/x,("{.*}"),Good," but noisy at night",2026-01-05/, ',$1,"Good, but noisy at night",2026-01-05,x'),
  )
  assert.is(mended.rows[0]?.review.text, 'Good, but noisy at night')
})

test('rows of files that were read differently are read so again, each by its own columns', async () => {
  const prepared = await prepareImport([
    { name: 'a.csv', bytes: Buffer.from('date,text,published\n25/4/2026,One.,yes\n3/4/2026,,yes\n') },
    { name: 'b.csv', bytes: Buffer.from('date,text,shop\n4/25/2026,Two.,x\n3/4/2026,,x\n') },
  ])
  const errors = [...errorsCsv(prepared)].join('')
  const mended = await prepare(errors.replace(',,yes', ',Mended.,yes').replace(',,,x', ',Mended too.,,x'))
  assert.equal(
    mended.rows.map(({ review, hidden }) => [review.text, review.occurred_at.toISOString().slice(0, 10), hidden]),
    [
      ['Mended.', '2026-04-03', false],
      ['Mended too.', '2026-03-04', false],
    ],
  )
})

test('a row that somebody added is read as the one above it; a column read_as that was spoilt is refused', async () => {
  const errors = await errorsOf('date,text\n25/4/2026,One.\nnever,Two.\n')
  const added = await prepare(`${errors.replace(',never,', ',1/2/2026,')},,,3/4/2026,Three.\r\n`)
  assert.is(added.rows[1]?.review.occurred_at.toISOString().slice(0, 10), '2026-04-03')
  const spoilt = await prepare(errors.replace('profile', 'profil')).catch((error) => error)
  assert.is(spoilt.code, 'bad_mapping')
  assert.match(spoilt.message, /in the column read_as/)
})

test('however many rows were skipped, each is in it once', async () => {
  const errors = await errorsOf(
    `date,text\n${Array.from({ length: 1_200 }, (_, row) => `never,Text ${row}.\n`).join('')}`,
  )
  const mended = await prepare(errors.replaceAll(',never,', ',2026-01-05,'))
  assert.equal([mended.rows.length, mended.repeated.count], [1_200, 0])
})

test.run()
