import * as assert from 'uvu/assert'
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
    '\ufeffline,reason,date,text\r\n3,"the date ""never"" could not be read: write it as 2026-01-31",never,"Two\nlines."\r\n',
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
    /^\ufeffline,reason,in_file,date,text,stars\r\n2,.*,a\.csv,never,One\.,\r\n2,.*,b\.csv,never,Two\.,5\r\n$/,
  )
  assert.is((await prepare(text.replaceAll(',never,', ',2026-01-05,'))).rows.length, 2)
})

test.run()
