import * as assert from 'uvu/assert'
import { type BinaryRow, copyRows } from '../../server/sql/copy-rows.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { suite } from '../suite.ts'

const test = suite('rows in binary form')
let db: TestDatabase

test.before(async () => {
  db = await openTestDatabase()
})
test.after(() => db.close())

async function rowsOf(select: string): Promise<(string | null)[][]> {
  const rows: (string | null)[][] = []
  await copyRows(db.sql, select, (row) => void rows.push(row.map((value) => value?.toString() ?? null)))
  return rows
}

test('values, empty ones and nulls arrive as they are, and no row is one too', async () => {
  assert.equal(await rowsOf("select 'a', null, '' union all select 'ü', 'b', null order by 1"), [
    ['a', null, ''],
    ['ü', 'b', null],
  ])
  assert.equal(await rowsOf("select 'a' where false"), [])
  const numbers: number[] = []
  const read = (row: BinaryRow) => void numbers.push(row[0]?.readInt32BE() ?? 0, row[1]?.readDoubleBE() ?? 0)
  await copyRows(db.sql, 'select -7::int, 0.25::float8', read)
  assert.equal(numbers, [-7, 0.25])
})

test('results of every length leave the connection to what is asked meanwhile and afterwards', async () => {
  for (let rows = 1; rows <= 20_000; rows = Math.ceil(rows * 1.4)) {
    let bytes = 0
    const copying = copyRows(db.sql, `select repeat('x', 30) from generate_series(1, ${rows})`, (row) => {
      bytes += row[0]?.length ?? 0
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

test('a statement that fails before its first row, or in the middle, rejects', async () => {
  const codeOf = async (select: string) =>
    rowsOf(select).then(
      () => 'none',
      (error: { code?: string }) => error.code,
    )
  assert.is(await codeOf('select 1 from nowhere'), '42P01')
  assert.is(await codeOf("select repeat('x', 1000), 1 / (4000 - n) from generate_series(1, 5000) as n"), '22012')
  assert.equal(await rowsOf("select 'a'"), [['a']])
})

test.run()
