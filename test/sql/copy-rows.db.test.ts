import * as assert from 'uvu/assert'
import { copyRows } from '../../server/sql/copy-rows.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { suite } from '../suite.ts'

const test = suite('rows in binary form')
let db: TestDatabase

test.before(async () => {
  db = await openTestDatabase()
})
test.after(() => db.close())

/** What the rows say, of so many columns. */
async function rowsOf(select: string, columns: number): Promise<(string | null)[][]> {
  const rows: (string | null)[][] = []
  const numbers = Array.from({ length: columns }, (_, column) => column)
  await copyRows(db.sql, select, (row) => void rows.push(numbers.map((column) => row.text(column))))
  return rows
}

test('values, empty ones and nulls arrive as they are, and no row is one too', async () => {
  assert.equal(await rowsOf("select 'a', null, '' union all select 'ü', 'b', null order by 1", 3), [
    ['a', null, ''],
    ['ü', 'b', null],
  ])
  assert.equal(await rowsOf("select 'a' where false", 1), [])
})

test('each type is read as it was written, and null as null', async () => {
  const values: unknown[] = []
  const select = `select -7::smallint, -70000::int, 0.25::float8, true, false, 'ü', '\\x00ff'::bytea,
    null::smallint, null::int, null::float8, null::boolean, null::text, null::bytea, 'last'`
  await copyRows(db.sql, select, (row) => {
    values.push(row.int16(0), row.int32(1), row.float64(2), row.boolean(3), row.boolean(4), row.text(5))
    values.push([...row.slice(6)])
    values.push(row.int16(7), row.int32(8), row.float64(9), row.boolean(10), row.text(11), row.slice(12).length)
    values.push(row.text(13), row.isNull(12), row.isNull(13))
  })
  assert.equal(values.slice(0, 7), [-7, -70_000, 0.25, true, false, 'ü', [0, 255]])
  assert.equal(values.slice(7), [null, null, null, false, null, 0, 'last', true, false])
})

test('results of every length leave the connection to what is asked meanwhile and afterwards', async () => {
  for (let rows = 1; rows <= 20_000; rows = Math.ceil(rows * 1.4)) {
    let bytes = 0
    const copying = copyRows(db.sql, `select repeat('x', 30) from generate_series(1, ${rows})`, (row) => {
      bytes += row.slice(0).length
    })
    // More than there are connections: what finds none that is free goes over one that is not.
    const beside = Array.from({ length: 12 }, () => db.sql<{ one: number }[]>`select 1 as one`)
    assert.equal((await Promise.all(beside)).flat().length, 12)
    await copying
    assert.is(bytes, rows * 30)
  }
})

test('what a row does wrong is thrown, after which the connection answers on', async () => {
  let seen = 0
  const fail = async () =>
    copyRows(db.sql, "select repeat('x', 1000) from generate_series(1, 5000)", () => {
      if (++seen === 700) throw new RangeError('enough')
    })
  const error = await fail().catch((reason: unknown) => reason)
  assert.instance(error, RangeError)
  assert.is(seen, 700)
  assert.is((await Promise.all(Array.from({ length: 12 }, () => db.sql`select 1`))).length, 12)
})

test('a statement that fails before its first row, before that row is on its way, or in the middle, rejects', async () => {
  const codeOf = async (select: string) =>
    rowsOf(select, 1).then(
      () => 'none',
      (error: { code?: string }) => error.code,
    )
  assert.is(await codeOf('select 1 from nowhere'), '42P01')
  // The beginning, the rows and the error come in one packet.
  for (const row of [1, 5]) assert.is(await codeOf(`select 1 / (n - ${row}) from generate_series(1, 10) as n`), '22012')
  assert.is(await codeOf("select repeat('x', 1000), 1 / (4000 - n) from generate_series(1, 5000) as n"), '22012')
  assert.equal(await rowsOf("select 'a'", 1), [['a']])
})

test.run()
