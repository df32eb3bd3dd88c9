import * as assert from 'uvu/assert'
import { ImporterError } from '../../../../src/importer/importer-error.ts'
import { addLinkColumns } from '../../../../src/importer/read/workbook/link-columns.ts'
import { suite } from '../../../suite.ts'
import { inline, row, workbook } from '../../built-workbook.ts'
import { prepare } from '../../prepared.ts'

const test = suite("A workbook's links")

const header = row(...['id', 'date', 'author', 'text', 'url'].map(inline))
const review = (id: string, url: string) => row(...[id, '2026-01-05', 'Ida', `Text ${id}.`].map(inline), url)
const links = (...elements: string[]) => `</sheetData><hyperlinks>${elements.join('')}</hyperlinks><sheetData>`
const urlsOf = async (sheet: string, addresses: Record<string, string> = {}) => {
  const { rows, tables } = await prepare(workbook({ sheets: { S: sheet }, addresses }), {}, 'a.xlsx')
  return { urls: rows.map(({ review: { url } }) => url ?? null), headers: tables[0]?.headers }
}

test('words that lead to an address are the address of the review', async () => {
  const { urls, headers } = await urlsOf(
    header +
      review('1', inline('View')) +
      review('2', inline('')) +
      review('3', inline('View')) +
      links('<hyperlink ref="E2" r:id="a"/>', '<hyperlink ref="E4" r:id="b" display="View"/>'),
    { a: 'https://example.com/1', b: 'https://example.com/3?x=1&amp;y=2' },
  )
  assert.equal(urls, ['https://example.com/1', null, 'https://example.com/3?x=1&y=2'])
  assert.equal(headers, ['id', 'date', 'author', 'text', 'url', 'url (link)'])
})

test('so are the words of a formula, unless it makes the address of other cells', async () => {
  const formula = (text: string) => `<c t="str"><f>${text}</f><v>View</v></c>`
  const { urls } = await urlsOf(
    header +
      review('1', formula('HYPERLINK("https://example.com/1","View")')) +
      review('2', formula('HYPERLINK("https://example.com/"&amp;A3,"View")')) +
      review('3', formula('HYPERLINK("https://example.com/3")')),
  )
  assert.equal(urls, ['https://example.com/1', null, 'https://example.com/3'])
})

test('addresses that are shown stay in one column, and places in the workbook or mail are none', async () => {
  const shown = await urlsOf(
    header + review('1', inline('https://example.com/1')) + links('<hyperlink ref="E2" r:id="a"/>'),
    { a: 'https://example.com/1#moved' },
  )
  assert.equal(shown, { urls: ['https://example.com/1'], headers: ['id', 'date', 'author', 'text', 'url'] })
  const other = await urlsOf(
    header +
      review('1', inline('Mail')) +
      review('2', inline('Place')) +
      links(
        '<hyperlink ref="E2" r:id="a"/>',
        '<hyperlink ref="E3" location="S!A1"/>',
        '<hyperlink ref="E4:E9" r:id="b"/>',
      ),
    { a: 'mailto:ida@example.com', b: 'https://example.com' },
  )
  assert.equal(other, { urls: [null, null], headers: ['id', 'date', 'author', 'text', 'url'] })
})

test("a link below the author's name is not the review's", async () => {
  const { urls, headers } = await urlsOf(
    row(...['id', 'date', 'author', 'text'].map(inline)) + review('1', '') + links('<hyperlink ref="C2" r:id="a"/>'),
    { a: 'https://example.com/people/ida' },
  )
  assert.equal(urls, [null])
  assert.equal(headers, ['id', 'date', 'author', 'text', 'author (link)'])
})

test("a link below the review's own words leads to the review", async () => {
  const { urls } = await urlsOf(
    row(...['id', 'date', 'author', 'review'].map(inline)) + review('1', '') + links('<hyperlink ref="D2" r:id="a"/>'),
    { a: 'https://example.com/1' },
  )
  assert.equal(urls, ['https://example.com/1'])
})

test('what links add counts against the limit of a workbook', () => {
  const links = [{ line: 2, column: 0, address: 'https://inn.example' }]
  const add = (cells: number, characters: number) => {
    const rows = [['Link'], ['View']].map((row, at) => ({ line: at + 1, cells: row }))
    addLinkColumns('a.xlsx', rows, { links, addresses: new Map() }, { cells, characters })
    return rows.map((row) => row.cells[1])
  }
  assert.equal(add(2, 30), ['Link (link)', 'https://inn.example'])
  for (const [cells, characters] of [
    [1, 30],
    [2, 29],
  ] as const)
    assert.throws(
      () => add(cells, characters),
      (error: unknown) => error instanceof ImporterError,
    )
})

test.run()
