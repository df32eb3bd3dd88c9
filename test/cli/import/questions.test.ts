import { strToU8, zipSync } from 'fflate'
import stringWidth from 'string-width'
import * as assert from 'uvu/assert'
import { previewOf } from '../../../src/cli/import/preview.ts'
import { askForColumns, askForDateOrder, type Prompter } from '../../../src/cli/import/questions.ts'
import type { ImportOptions } from '../../../src/importer/formats/mapping.ts'
import { suite } from '../../suite.ts'

const test = suite('the interactive step of an import')

/** Answers by field from a list of rounds, Enter (the suggestion) where it has none, and keeps what it was shown. */
function scripted(rounds: Record<string, string>[], agreements: boolean[] = [true]) {
  const asked: { field: string; choices: string[]; initial: string }[] = []
  const shown: string[] = []
  const names: string[] = []
  let round = 0
  const prompter: Prompter = {
    async select(message, choices, initial) {
      names.push(...choices.map(({ name }) => name))
      const field = /the (\w+)\?/.exec(message)?.[1] ?? ''
      if (field === 'text' && asked.some((one) => one.field === 'text')) round++
      asked.push({ field, choices: choices.map(({ value }) => value), initial })
      return rounds[round]?.[field] ?? initial
    },
    confirm: async () => agreements.shift() ?? true,
    show: (line) => shown.push(line),
  }
  return { prompter, asked, shown, names }
}
const ask = (csv: string, options: ImportOptions, prompter: Prompter) =>
  askForColumns({ name: 'sheet.csv', bytes: Buffer.from(csv) }, options, prompter)

test('nothing is asked when text and date are certain', async () => {
  const { prompter, asked } = scripted([])
  const options = { source: 'yelp' } as const
  assert.is(await ask('date,text\n2026-01-05,Good.\n', options, prompter), options)
  assert.equal(asked, [])
})

test('unknown columns are suggested by their cells, and three rows shown as they will be stored', async () => {
  const { prompter, asked, shown } = scripted([{}, { author: 'wer' }], [false, true])
  const csv = `wann,wer,was\n${'2026-01-05,Ute,Das Brot war warm und der Empfang auch.\n'.repeat(5)}`
  const options = await ask(csv, { source: 'yelp' }, prompter)
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

test('what is shown of a cell and of a row ends with a whole character, and wide ones count as two', async () => {
  const { prompter, shown, names } = scripted([{}])
  for (const before of ['', 'a']) {
    const text = `${before}${'😀 朝食 '.repeat(20)}おいしい と 思う`
    await ask(`wann,was\n${`2026-01-05,${text}\n`.repeat(3)}`, {}, prompter)
  }
  const lines = [...names, ...shown].filter((line) => line.includes('朝食'))
  assert.ok(lines.length > 3)
  for (const line of lines) {
    assert.ok(line.isWellFormed(), JSON.stringify(line))
    assert.ok(stringWidth(line) <= 103, line)
  }
})

test('short texts are suggested too, and ratings of another scale are not shown as stars', async () => {
  const { prompter, asked, shown } = scripted([{}])
  const csv =
    'review date,guest name,liked,review score\n2026-02-03,Ann,Lovely quiet room,9.6\n2026-02-06,Cy,It was loud,3.0\n'
  const options = await ask(csv, {}, prompter)
  assert.equal(options.map, { text: 'liked', date: 'review date' })
  assert.is(asked.find(({ field }) => field === 'text')?.initial, 'liked')
  assert.match(shown.join('\n'), /None of the first rows could be read this way/)
  assert.not.match(shown.join('\n'), /3\/5/)
})

test('a first line that is a review is refused, not asked about', async () => {
  const { prompter, asked } = scripted([{}])
  const failure = await ask('2026-01-02,Ann,Clean rooms\n2026-02-03,Bob,Good\n', {}, prompter).catch((error) => error)
  assert.is(failure.code, 'no_headings')
  assert.equal(asked, [])
})

test('two columns that could be the text are asked about', async () => {
  const { prompter, asked } = scripted([{ text: 'feedback' }])
  const options = await ask('date,comment,feedback\n2026-01-05,One thing.,Another thing.\n', {}, prompter)
  assert.is(options.map?.text, 'feedback')
  assert.is(asked.find(({ field }) => field === 'text')?.initial, 'comment')
  assert.is(options.map?.rating, undefined)
})

test('dates that can be read in two ways are asked about, once for all such files and no others', async () => {
  const zip = zipSync({
    'a.csv': strToU8('date,text\n01/02/2026,One.\n'),
    'b.csv': strToU8('Created,Comment\n03/04/2026,Two.\n'),
    'c.csv': strToU8('date,text,author\n01/23/2026,Three.,Ana\n'),
  })
  const previews = await previewOf({ name: 'x.zip', bytes: zip }, {}, true)
  const questions: [string, string[], string][] = []
  const prompter: Prompter = {
    ...scripted([]).prompter,
    async select(message, choices, initial) {
      questions.push([message, choices.map(({ name }) => name), initial])
      return 'day'
    },
  }
  assert.equal(await askForDateOrder(previews, { source: 'yelp' }, prompter), {
    source: 'yelp',
    day_first_when_unclear: true,
  })
  assert.is(questions.length, 1)
  assert.match(questions[0]?.[0] ?? '', /01\/02\/2026 .*a\.csv, line 2; 2 rows in 2 files/)
  assert.match(questions[0]?.[1].join() ?? '', /January 2, 2026.*February 1, 2026/)
  assert.is(questions[0]?.[2], 'month')
  const certain = await previewOf({ name: 'c.csv', bytes: Buffer.from('date,text\n23/01/2026,One.\n') }, {}, true)
  assert.equal(await askForDateOrder(certain, {}, prompter), {})
  assert.is(questions.length, 1)
})

test('it asks again until the rows are right', async () => {
  const { prompter, shown } = scripted(
    [
      { text: 'a', date: 'a' },
      { text: 'b', date: 'a' },
    ],
    [false, true],
  )
  const options = await ask('a,b\n2026-01-05,Hm.\n', {}, prompter)
  assert.equal([options.map?.text, options.map?.date], ['b', 'a'])
  assert.ok(shown.some((line) => line.includes('Hm.')))
})

test.run()
