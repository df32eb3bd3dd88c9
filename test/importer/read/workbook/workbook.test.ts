import { strToU8, zipSync } from 'fflate'
import * as assert from 'uvu/assert'
import { prepareImport } from '../../../../src/importer/rows/prepare.ts'
import { suite } from '../../../suite.ts'
import { header, inline, review, row, workbook } from '../../built-workbook.ts'
import { prepare, refusalOf, reviewsOf } from '../../prepared.ts'

const test = suite('Excel workbooks')

test('rows that a filter hides are read, and counted in a note', async () => {
  const hidden = review('2', 'Cold tea.').replace('<row>', '<row hidden="1">')
  const { rows, warnings } = await prepare(
    workbook({ sheets: { Reviews: header + review('1', 'Warm bread.') + hidden } }),
    {},
    'a.xlsx',
  )
  assert.is(rows.length, 2)
  assert.match(warnings.map(({ message }) => message).join(), /1 of its rows is hidden in the sheet/)
})

test('columns that somebody hid are read with a note if they are used', async () => {
  const notes = async (columns: string) => {
    const sheets = {
      Reviews:
        row(...['date', 'order', 'author', 'text'].map(inline)) +
        row(...['2026-01-05', '7', 'Ida', 'Warm bread.'].map(inline)),
    }
    const { rows, warnings } = await prepare(workbook({ sheets, columns }), {}, 'a.xlsx')
    assert.is(rows[0]?.review.author_name, 'Ida')
    return warnings.map(({ message }) => message).join()
  }
  assert.match(
    await notes('<cols><col min="2" max="3" hidden="1"/></cols>'),
    /"author": hidden in the sheet but read anyway/,
  )
  assert.not.match(
    await notes('<cols><col min="2" max="2" hidden="1"/><col min="3" max="3" width="9"/></cols>'),
    /hidden/,
  )
})

test('cells are read as a spreadsheet keeps them', async () => {
  const strings = [
    '<t>Warm bread_x000D_&#10;and a &quot;garden&quot;.</t>',
    '<r><t xml:space="preserve">Rich </t></r><r><rPr><b/></rPr><t>and bold.</t></r><rPh sb="0" eb="1"><t>リッチ</t></rPh>',
    '<t>_x005F_x000D_ is written so.</t>',
  ]
  const styles =
    '<numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy&quot; at &quot;hh:mm"/><numFmt numFmtId="165" formatCode="0.0&quot; days&quot;"/></numFmts>' +
    '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs>'
  const rows =
    header +
    '<row r="2"><c r="A2"><v>17</v></c><c r="B2" s="1"><v>46027</v></c><c r="C2" t="inlineStr"><is><t>Ida</t></is></c><c r="D2"><v>4.2999999999999998</v></c><c r="E2" t="s"><v>0</v></c></row>' +
    '<row r="3"><c r="A3" t="str"><f>"a"&amp;2</f><v>a2</v></c><c r="B3" s="2"><v>46027.4375</v></c><c r="D3" s="3"><v>5</v></c><c r="E3" t="s"><v>1</v></c></row>' +
    '<row r="9"><c r="A9"><v>3</v></c><c r="B9" s="1"><v>46028</v></c><c r="E9" t="s"><v>2</v></c></row>'
  const { rows: found, skipped } = await prepare(workbook({ sheets: { Reviews: rows }, strings, styles }), {}, 'a.xlsx')
  assert.equal(skipped, [])
  assert.equal(
    found.map(({ line, review }) => [
      line,
      review.external_id,
      review.occurred_at.toISOString(),
      review.rating,
      review.author_name,
      review.text,
    ]),
    [
      [2, '17', '2026-01-05T00:00:00.000Z', 4, 'Ida', 'Warm bread\r\nand a "garden".'],
      [3, 'a2', '2026-01-05T10:30:00.000Z', 5, 'Anonymous', 'Rich and bold.'],
      [9, '3', '2026-01-06T00:00:00.000Z', null, 'Anonymous', '_x000D_ is written so.'],
    ],
  )
})

test('an id that the spreadsheet rounded skips its row, one that it kept as text does not', async () => {
  const numbered = (id: string, text: string) =>
    `<row><c><v>${id}</v></c>${['2026-01-05', 'Bo', '5', text].map(inline).join('')}</row>`
  // As Excel writes it, and as LibreOffice does.
  const rounded = numbered('1.2345678901234568E+18', 'Rounded.') + numbered('10764209318459300', 'Rounded too.')
  const rows = header + rounded + review('1234567890123456789', 'Kept.')
  const { rows: found, skipped } = await prepare(workbook({ sheets: { S: rows } }), {}, 'a.xlsx')
  assert.equal(
    found.map(({ review: { external_id: id } }) => id),
    ['1234567890123456789'],
  )
  assert.equal(
    skipped.map(({ line, reason }) => [line, reason]),
    [
      [2, 'mangled_id'],
      [3, 'mangled_id'],
    ],
  )
})

test('a formula that a program wrote without its value is none, and told', async () => {
  const calculated = (id: string, text: string) =>
    `<row>${[id, '2026-01-05', 'Ida', '5'].map(inline).join('')}${text}</row>`
  const rows =
    header +
    calculated('1', '<c><f>2+2 is what the clerk said</f><v>0</v></c>') +
    calculated('2', '<c><f>A1&amp;B1</f><v></v></c>') +
    calculated('3', '<c t="str"><f>"Warm "&amp;"bread."</f><v>Warm bread.</v></c>') +
    `<row>${inline('4')}${inline('2026-01-05')}<c><f>T(1)</f></c><c><f>1-1</f><v>0</v></c>${inline('Cold tea.')}</row>`
  const workbookPr = '<calcPr calcId="124519" fullCalcOnLoad="1"/>'
  const { rows: found, skipped, warnings } = await prepare(workbook({ sheets: { S: rows }, workbookPr }), {}, 'a.xlsx')
  assert.equal(
    found.map(({ review: { text } }) => text),
    ['Warm bread.'],
  )
  assert.equal(
    skipped.map(({ line, reason }) => [line, reason]),
    [
      [2, 'spreadsheet_error'],
      [3, 'spreadsheet_error'],
      [5, 'bad_rating'],
    ],
  )
  assert.match(warnings.map(({ message }) => message).join(), /3 of its rows have formulas without a value/)
  const trusted = await prepare(
    workbook({
      sheets: { S: header + calculated('1', inline('Good.')).replace(inline('5'), '<c><f>5-5</f><v>0</v></c>') },
    }),
    {},
    'a.xlsx',
  )
  assert.is(trusted.rows[0]?.review.rating, null)
})

test('a format of a vendor is known in a workbook, and so are rows by their lines', async () => {
  const outscraper = [
    'review_id',
    'author_title',
    'review_text',
    'review_rating',
    'review_datetime_utc',
    'owner_answer',
  ]
  const cells = ['ChZ1', 'Ida', 'Warm bread again.', '5', '01/05/2026 10:30:00', 'Thanks!']
  const { tables, rows } = await prepare(
    workbook({ sheets: { S: row(...outscraper.map(inline)) + row(...cells.map(inline)) } }),
  )
  assert.equal([tables[0]?.fileType, tables[0]?.plan.format.name, rows[0]?.line], ['xlsx', 'outscraper', 2])
})

test('true and false are those of a flag, days may count from 1904, and elements may have a prefix', async () => {
  const cells = (published: number) =>
    `<x:c s="1"><x:v>44565</x:v></x:c><x:c t="inlineStr"><x:is><x:t>Kept ${published}.</x:t></x:is></x:c><x:c t="b"><x:v>${published}</x:v></x:c>`
  const rows = `${row(...['date', 'text', 'published'].map(inline))}<x:row>${cells(1)}</x:row><x:row>${cells(0)}</x:row>`
  const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs>'
  const parts = { sheets: { S: rows }, styles, workbookPr: '<workbookPr date1904="1"/>' }
  const { rows: found } = await prepare(workbook(parts), {}, 'a.xlsx')
  assert.equal(
    found.map(({ hidden, review }) => [review.occurred_at.toISOString(), hidden]),
    [
      ['2026-01-05T00:00:00.000Z', false],
      ['2026-01-05T00:00:00.000Z', true],
    ],
  )
})

test('of several sheets each is a file; hidden and empty ones are none, and one that is no table is named', async () => {
  const sheets = {
    Inn: header + review('1', 'Of the inn.'),
    Archive: header + review('2', 'Hidden by its owner.'),
    Empty: '',
    Notes: row(inline('Ask Bo about these.')),
    Café: header + review('3', 'Of the café.'),
  }
  const bytes = workbook({ sheets, hidden: ['Archive'] })
  const prepared = await prepareImport([{ name: 'a.xlsx', bytes }], {}, { wholeFolder: true })
  assert.equal(prepared.rows.map(({ review: { text } }) => text).sort(), ['Of the café.', 'Of the inn.'])
  assert.equal(
    prepared.tables.map(({ file }) => file),
    ['a.xlsx/Inn', 'a.xlsx/Café'],
  )
  assert.equal(
    prepared.passedOver.map(({ file, code }) => [file, code]),
    [
      ['a.xlsx/Archive', 'hidden_sheet'],
      ['a.xlsx/Notes', 'no_rows'],
    ],
  )
  const summary = workbook({ sheets: { Notes: sheets.Notes, Archive: sheets.Archive }, hidden: ['Archive'] })
  const refused = prepareImport([{ name: 'a.xlsx', bytes: summary }], {}, { wholeFolder: true })
  assert.match(await refused.then(String, String), /a\.xlsx\/Archive: a hidden sheet: unhide it to import it/)
})

test('a workbook in an archive is read like any other file', async () => {
  const zip = zipSync({
    'a.xlsx': workbook({ sheets: { S: header + review('1', 'Of a workbook.') } }),
    'b.csv': strToU8('date,text\n2026-01-05,Of a table.\n'),
  })
  assert.equal((await reviewsOf(zip)).map(({ text }) => text).sort(), ['Of a table.', 'Of a workbook.'])
})

test('what is no table, broken or made to be a burden is refused', async () => {
  const far = `<row r="1"><c r="ALM1"><v>1</v></c></row>`
  const wide = `${header}<row><c r="ALL1"><v>1</v></c></row>${'<row><c r="A1"><v>1</v></c></row>'.repeat(21_000)}`
  const broad = '<row><c r="ALL1"><v>1</v></c></row>'.repeat(8_000)
  const repeated = '<row><c t="s"><v>0</v></c></row>'.repeat(100)
  const bomb = workbook({ sheets: { S: ' '.repeat(41 * 1024 * 1024) } })
  assert.ok(bomb.length < 1024 * 1024)
  const cases: [Uint8Array, string][] = [
    [workbook({ sheets: { S: '' } }), 'no_rows'],
    [workbook({ sheets: {} }), 'no_rows'],
    [workbook({ sheets: { S: far } }), 'too_many_columns'],
    [workbook({ sheets: { S: wide } }), 'too_many_columns'],
    [bomb, 'archive_too_large'],
    [workbook({ sheets: Object.fromEntries(['A', 'B', 'C'].map((name) => [name, broad])) }), 'archive_too_large'],
    [workbook({ sheets: { S: header + repeated }, strings: [`<t>${'x'.repeat(1_000_000)}</t>`] }), 'archive_too_large'],
    [workbook({ sheets: { S: header + review('1', 'Cut.') } }).subarray(0, 900), 'bad_archive'],
  ]
  for (const [bytes, code] of cases) assert.is(await refusalOf(() => prepare(bytes, {}, 'a.xlsx')), code)
  // Signs that no database takes.
  const odd = header + review('1', 'A_x0000_b _xD800_ c.') + review('2', 'Fine.')
  const read = await prepare(workbook({ sheets: { S: odd } }))
  assert.equal(
    [...read.rows.map(({ review: { text } }) => text), ...read.skipped.map(({ line, reason }) => `${line} ${reason}`)],
    ['Fine.', '2 invalid'],
  )
  // Neither an unknown entity nor one that names itself is followed.
  const entities = `<!DOCTYPE x [<!ENTITY a "&a;&a;">]>${header}${row(...['1', '2026-01-05', 'Ida', '5', 'Read &a; as it is.'].map(inline))}`
  assert.match((await reviewsOf(workbook({ sheets: { S: entities } })))[0]?.text ?? '', /as it is/)
})

test.run()
