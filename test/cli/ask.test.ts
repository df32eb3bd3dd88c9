import * as assert from 'uvu/assert'
import { type Asker, askForColumns } from '../../src/cli/import/ask.ts'
import type { ImportOptions } from '../../src/importer/mapping.ts'
import { suite } from '../suite.ts'

const test = suite('the interactive step of an import')

/** Answers by field from a list of rounds, Enter (the suggestion) where it has none, and keeps what it was shown. */
function scripted(rounds: Record<string, string>[], agreements: boolean[] = [true]) {
  const asked: { field: string; choices: string[]; initial: string }[] = []
  const shown: string[] = []
  let round = 0
  const asker: Asker = {
    async select(message, choices, initial) {
      const field = /the (\w+)\?/.exec(message)?.[1] ?? ''
      if (field === 'text' && asked.some((one) => one.field === 'text')) round++
      asked.push({ field, choices: choices.map(({ value }) => value), initial })
      return rounds[round]?.[field] ?? initial
    },
    confirm: async () => agreements.shift() ?? true,
    show: (line) => shown.push(line),
  }
  return { asker, asked, shown }
}
const ask = (csv: string, options: ImportOptions, asker: Asker) =>
  askForColumns({ name: 'sheet.csv', bytes: Buffer.from(csv) }, options, asker)

test('nothing is asked when text and date are certain', async () => {
  const { asker, asked } = scripted([])
  const options = { source: 'yelp' } as const
  assert.is(await ask('date,text\n2026-01-05,Good.\n', options, asker), options)
  assert.equal(asked, [])
})

test('unknown columns are suggested by their cells, and three rows shown as they will be stored', async () => {
  const { asker, asked, shown } = scripted([{}, { author: 'wer' }], [false, true])
  const csv = `wann,wer,was\n${'2026-01-05,Ute,Das Brot war warm und der Empfang auch.\n'.repeat(5)}`
  const options = await ask(csv, { source: 'yelp' }, asker)
  assert.equal(options, { source: 'yelp', map: { text: 'was', date: 'wann', author: 'wer' } })
  assert.is(asked.find(({ field }) => field === 'text')?.initial, 'was')
  assert.equal(asked.find(({ field }) => field === 'date')?.choices, ['wann', 'wer', 'was'])
  assert.equal(
    asked.slice(0, 3).map(({ field }) => field),
    ['text', 'date', 'text'],
  )
  assert.equal(asked.find(({ field }) => field === 'rating')?.choices, ['', 'wann', 'wer', 'was'])
  assert.is(shown.filter((line) => line.includes('2026-01-05  unrated  Ute  yelp  Das Brot')).length, 3)
})

test('two columns that could be the text are asked about', async () => {
  const { asker, asked } = scripted([{ text: 'feedback' }])
  const options = await ask('date,comment,feedback\n2026-01-05,One thing.,Another thing.\n', {}, asker)
  assert.is(options.map?.text, 'feedback')
  assert.is(asked.find(({ field }) => field === 'text')?.initial, 'comment')
  assert.is(options.map?.rating, undefined)
})

test('it asks again until the rows are right', async () => {
  const { asker, shown } = scripted(
    [
      { text: 'a', date: 'a' },
      { text: 'b', date: 'a' },
    ],
    [false, true],
  )
  const options = await ask('a,b\n2026-01-05,Hm.\n', {}, asker)
  assert.equal([options.map?.text, options.map?.date], ['b', 'a'])
  assert.ok(shown.some((line) => line.includes('Hm.')))
})

test.run()
