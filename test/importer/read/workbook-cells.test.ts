import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { inline, row, workbook } from '../built-workbook.ts'
import { prepare } from '../prepared.ts'

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

test.run()
