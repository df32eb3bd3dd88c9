import * as assert from 'uvu/assert'
import { suite } from '../../../suite.ts'
import { rowsOf, tableOf } from '../../opened.ts'

const test = suite('ends of rows')

test('rows that end with a CR alone may have a LF in their quotes, and those that end with CR and LF one outside', async () => {
  const read = async (csv: string) => (await rowsOf(await tableOf(csv))).map(({ line, cells }) => [line, ...cells])
  assert.equal(await read('date,text\ra,"one\ntwo"\rb,three\r'), [
    [2, 'a', 'one\ntwo'],
    [3, 'b', 'three'],
  ])
  assert.equal(await read('Report\r\n\r\ndate,text,n\r\na,one\ntwo,1\r\nb,"three\nfour",2\r\nc,"say ""five""\n",3\n'), [
    [4, 'a', 'one\ntwo', '1'],
    [6, 'b', 'three\nfour', '2'],
    [8, 'c', 'say "five"\n', '3\n'],
  ])
  // Rows of other programs were put below.
  for (const more of ['b,two\nc,three\n', 'b,two\nc,three', 'b,two\n', '"b","two"\n"c","three"\r\n'])
    assert.equal((await read(`date,text\r\na,one\r\n${more}`))[1]?.[2], 'two', more)
  const long = `date,text\r\n${'a,one\ntwo\r\n'.repeat(60_000)}`
  assert.ok((await read(long)).every(([, , text]) => text === 'one\ntwo'))
})

test("rows that end with two CR and a LF, as of Python's csv module on Windows, keep no quotes in their last cells", async () => {
  const csv =
    'date,text\r\r\n2026-01-05,"Warm, soft bread"\r\r\n2026-01-06,"Two\r\r\nlines"\r\r\n2026-01-07,plain\r\r\n'
  const cells = (await rowsOf(await tableOf(csv))).map((row) => row.cells)
  assert.equal(cells, [
    ['2026-01-05', 'Warm, soft bread'],
    ['2026-01-06', 'Two\r\nlines'],
    ['2026-01-07', 'plain'],
  ])
})

test.run()
