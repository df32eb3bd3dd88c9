import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { prepare } from '../prepared.ts'

const test = suite('files that are cut off')

/** A table of so many bytes. */
function table(bytes: number, end = ''): string {
  const rows = 'author,date,text\nAnn,2026-01-05,Quiet room.\nBen,2026-01-06,'
  return rows.padEnd(bytes - end.length, 'Warm bread. ') + end
}

const noted = async (content: string | Uint8Array) =>
  (await prepare(content)).warnings.filter(({ code }) => code === 'cut_off').map(({ message }) => message)

test('a table that ends in the middle of a line, where interrupted copies end, is noted as probably not whole', async () => {
  const [message = '', ...more] = await noted(table(4096))
  assert.match(message, /^file ends in the middle of a line/)
  assert.equal(more, [])
  assert.is((await prepare(table(4096))).rows.length, 2)
  assert.is((await noted(Buffer.from(`\ufeff${table(2047)}`, 'utf16le'))).length, 1)
})

test('a table with a line break at its end, of another size, or of JSON is not noted', async () => {
  assert.equal(await noted(table(4096, '\n')), [])
  assert.equal(await noted(table(4095)), [])
  assert.equal(await noted(Buffer.from(`\ufeff${table(2047, '\n')}`, 'utf16le')), [])
  assert.equal(await noted(JSON.stringify([{ date: '2026-01-05', text: 'Good.' }]).padEnd(512)), [])
})

test.run()
