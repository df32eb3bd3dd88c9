import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { prepare } from '../prepared.ts'

const test = suite('months of one name in Polish and Croatian')

const read = async (...dates: string[]) => {
  const { rows, warnings } = await prepare(
    `date,text\n${dates.map((date, row) => `${date},Text number ${row}.\n`).join('')}`,
  )
  return {
    days: rows.map(({ review }) => review.occurred_at.toISOString().slice(0, 10)),
    told: warnings.map(({ message }) => message).join('\n'),
  }
}

test('are those of the language that the other months of the file are in', async () => {
  const croatian = await read('5. listopada 2026.', '7. lis 2025', '9. lip 2026', '3. siječnja 2026', '4. kol 2026')
  assert.equal(croatian.days, ['2026-10-05', '2025-10-07', '2026-06-09', '2026-01-03', '2026-08-04'])
  const polish = await read('5 listopada 2026', '7 lis 2025', '9 lip 2026', '3 stycznia 2026', '4 sie 2026')
  assert.equal(polish.days, ['2026-11-05', '2025-11-07', '2026-07-09', '2026-01-03', '2026-08-04'])
  assert.not.match(croatian.told + polish.told, /Croatian/)
})

test('are read as Polish with a note where nothing tells, or both do', async () => {
  for (const others of [[], ['3. siječnja 2026', '3 stycznia 2026'], ['2026-01-31', '5 May 2026']]) {
    const { days, told } = await read('5 listopada 2026', '7 lip 2025', ...others)
    assert.equal(days.slice(0, 2), ['2026-11-05', '2025-07-07'])
    assert.match(
      told,
      /2 rows have month names with a different meaning in Croatian than in Polish \("5 listopada 2026" in line 2\)/,
    )
  }
  assert.match((await read('5 lis 2026')).told, /1 row has a month name with a different meaning/)
})

test('all months of Croatia are known', async () => {
  const months = 'siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna listopada studenoga prosinca'
  const { days } = await read(...months.split(' ').map((month) => `5. ${month} 2026.`))
  assert.equal(
    days,
    days.map((_, month) => `2026-${String(month + 1).padStart(2, '0')}-05`),
  )
  assert.is(days.length, 12)
})

test.run()
