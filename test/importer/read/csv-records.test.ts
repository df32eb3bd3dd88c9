import { parse } from 'csv-parse/sync'
import * as assert from 'uvu/assert'
import { parseRecords } from '../../../src/importer/read/csv-records.ts'
import { suite } from '../../suite.ts'
import { random } from '../random.ts'

const test = suite('records of CSV')
const ROUNDS = 3_000
const PIECES = [...'ab,"\n\r é🍞', '""', '\r\n', 'a,b\n', '"x\n', ',"', '",', '\n\n', '"a""b"']

for (const [name, lineBreak, delimiters] of [
  ['LF', /\n/, ['\n']],
  ['CR LF', /\r?\n/, ['\r\n', '\n']],
  ['CR', /\r/, ['\r']],
] as const) {
  test(`with ${name}: quotes where they belong and where they do not give what csv-parse gives`, () => {
    for (let seed = 1; seed <= ROUNDS; seed++) {
      const next = random(seed)
      const pick = () => PIECES[Math.floor(next() * PIECES.length)]
      const text = Array.from({ length: 1 + next() * 18 }, pick).join('')
      let whole = true
      const records = parse(text, {
        delimiter: ',',
        record_delimiter: [...delimiters],
        relax_quotes: true,
        relax_column_count: true,
        skip_records_with_error: true,
        on_skip: () => {
          whole = false
        },
      })
      assert.equal(parseRecords(text, ',', lineBreak), { records, whole }, `seed ${seed}: ${JSON.stringify(text)}`)
    }
  })
}

test('a delimiter may be any character, also one that regular expressions use', () => {
  assert.equal(parseRecords('a|b\n"c|d"|e', '|', /\n/).records, [
    ['a', 'b'],
    ['c|d', 'e'],
  ])
})

test.run()
