import * as assert from 'uvu/assert'
import { suite } from '../../../suite.ts'
import { header, inline, review, row, workbook } from '../../built-workbook.ts'
import { prepare } from '../../prepared.ts'

const test = suite("A workbook's cells")

test('cells that programs write in their own ways are read as they are meant, empty ones as empty', async () => {
  const rows =
    row(...['id', 'date', 'text', 'published', 'author'].map(inline)) +
    row(inline('1'), inline('2026-01-05'), inline('Kept.'), '<c t="b"><v>true</v></c>', '<c t="s"/>') +
    row(inline('2'), inline('2026-01-05'), '<c t="inlineStr"><v>Hidden.</v></c>', '<c t="b"><v>false</v></c>') +
    row(inline('3'), inline('2026-01-05'), '<c><is><t>Shown.</t></is></c>', '<c t="b"/>', '<c t="s"><v></v></c>')
  const { tables, rows: found } = await prepare(workbook({ sheets: { S: rows }, strings: ['<t>Bo</t>'] }), {}, 'a.xlsx')
  assert.equal(tables[0]?.plan.format.name, 'generic')
  assert.equal(
    found.map(({ hidden, review: { text, author_name: author } }) => [text, author, hidden]),
    [
      ['Kept.', 'Anonymous', false],
      ['Hidden.', 'Anonymous', true],
      ['Shown.', 'Anonymous', true],
    ],
  )
})

test('a share in percent is read as it is shown, since all of 100 % would be one star', async () => {
  const styles =
    '<numFmts><numFmt numFmtId="164" formatCode="0.0%"/><numFmt numFmtId="165" formatCode="0&quot;%&quot;"/></numFmts>' +
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="9"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs>'
  const rated = (id: string, rating: string) =>
    row(inline(id), inline('2026-01-05'), inline('Ida'), rating, inline(`Text ${id}.`))
  const rows =
    rated('1', '<c s="1"><v>1</v></c>') +
    rated('2', '<c s="2"><v>0.56999999999999995</v></c>') +
    rated('3', '<c s="3"><v>5</v></c>')
  const { rows: found, skipped } = await prepare(workbook({ sheets: { S: header + rows }, styles }), {}, 'a.xlsx')
  assert.equal(
    found.map(({ review: { rating } }) => rating),
    [5],
  )
  assert.equal(
    skipped.map(({ line, message }) => [line, message.includes('"100%"'), message.includes('"57%"')]),
    [
      [2, true, false],
      [3, false, true],
    ],
  )
})

test('plain day numbers of a workbook that counts from 1904 are days of that calendar', async () => {
  const one = row(inline('1'), '<c><v>44565</v></c>', inline('Ida'), inline('5'), inline('Warm bread.'))
  const parts = { sheets: { S: header + one } }
  for (const [workbookPr, day] of [
    ['', '2022-01-04'],
    ['<workbookPr date1904="1"/>', '2026-01-05'],
  ] as const) {
    const { rows: found } = await prepare(workbook({ ...parts, workbookPr }), {}, 'a.xlsx')
    assert.is(found[0]?.review.occurred_at.toISOString().slice(0, 10), day)
  }
})

test('ids keep the noughts that their cells show', async () => {
  const styles =
    '<numFmts><numFmt numFmtId="164" formatCode="00000"/><numFmt numFmtId="165" formatCode="00"/></numFmts>' +
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs>'
  const rows = ['<c s="1"><v>123</v></c>', '<c s="1"><v>1234567</v></c>', '<c><v>45</v></c>'].map((id) =>
    row(id, inline('2026-01-05'), inline('Ida'), '<c s="2"><v>5</v></c>', inline(`Text ${id.length}.`)),
  )
  const { rows: found } = await prepare(workbook({ sheets: { S: header + rows.join('') }, styles }), {}, 'a.xlsx')
  assert.equal(
    found.map(({ review: { external_id: id, rating } }) => [id, rating]),
    [
      ['00123', 5],
      ['1234567', 5],
      ['45', 5],
    ],
  )
})

test('rows that share a merged cell with one above are told, since only the first has its value', async () => {
  const rows =
    header + review('1', 'Warm bread.') + review('2', 'Cold tea.').replace(inline('Ida'), '<c/>') + review('3', 'Fine.')
  const merged = '</sheetData><mergeCells><mergeCell ref="A5:E5"/><mergeCell ref="C2:C3"/></mergeCells><sheetData>'
  const { rows: found, warnings } = await prepare(workbook({ sheets: { S: rows + merged } }), {}, 'a.xlsx')
  assert.equal(
    found.map(({ review: { author_name: author } }) => author),
    ['Ida', 'Anonymous', 'Ida'],
  )
  assert.match(
    warnings.map(({ message }) => message).join(),
    /1 of its rows has a cell that is merged with the one above/,
  )
  const plain = await prepare(workbook({ sheets: { S: rows } }), {}, 'a.xlsx')
  assert.not.match(plain.warnings.map(({ message }) => message).join(), /merged/)
})

test('days that the sheet shows without a year are told, since the spreadsheet added it', async () => {
  const dated = async (...codes: string[]) => {
    const formats = codes.map((code, at) => `<numFmt numFmtId="${170 + at}" formatCode="${code}"/>`).join('')
    const styles = codes.map((_, at) => `<xf numFmtId="${170 + at}"/>`).join('')
    const days = codes.map((_, at) => row(`<c s="${at}"><v>${46_000 + at}</v></c>`, inline(`Warm bread ${at}.`)))
    return prepare(
      workbook({
        sheets: { S: row(inline('date'), inline('text')) + days.join('') },
        styles: `<numFmts>${formats}</numFmts><cellXfs>${styles}</cellXfs>`,
      }),
      {},
      'a.xlsx',
    )
  }
  const { rows, warnings } = await dated('mmm-d', 'd&quot;. &quot;mmmm', 'yyyy-mm-dd')
  assert.equal(
    rows.map(({ review: { occurred_at: at } }) => at.toISOString().slice(0, 10)),
    ['2025-12-09', '2025-12-10', '2025-12-11'],
  )
  const said = warnings.map(({ message }) => message).join()
  assert.match(
    said,
    /2 of its rows have days that the sheet shows without a year.*"Nov 25" for November 2025 or "10\/10" for a mark/,
  )
  const plain = await dated('d.m.yy', 'd/m/yyyy h:mm', 'ggge&quot;年&quot;m&quot;月&quot;d&quot;日&quot;')
  assert.not.match(plain.warnings.map(({ message }) => message).join(), /without a year/)
})

test.run()
