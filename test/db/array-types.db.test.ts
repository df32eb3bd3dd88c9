import * as assert from 'uvu/assert'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { suite } from '../suite.ts'

const test = suite('arrays to and from the database')
let db: TestDatabase

test.before(async () => {
  db = await openTestDatabase()
})
test.after(() => db.close())

test('come back as they went, whatever stands in their elements', async () => {
  const texts = [
    'plain',
    '',
    'null',
    'NULL',
    'a,b',
    '{x}',
    '"quoted"',
    'back\\slash',
    '\\"',
    ' spaced ',
    'line\nbreak',
    'ñ🚀',
    "it's",
  ]
  const uuids = ['6ba7b810-9dad-11d1-80b4-00c04fd430c8', '00000000-0000-0000-0000-000000000000']
  const numbers = [0, -1, 2147483647]
  const [row] = await db.sql`
    select ${texts}::text[] as texts, ${uuids}::uuid[] as uuids, ${numbers}::int[] as numbers, ${[]}::text[] as none,
      ${[0.5, -1e-7]}::float8[] as floats, array['a', null, 'c'] as holes, cardinality(${texts}::text[]) as count`
  assert.equal(row, {
    texts,
    uuids,
    numbers,
    none: [],
    floats: [0.5, -1e-7],
    holes: ['a', null, 'c'],
    count: texts.length,
  })
})

test('are parameters of unsafe statements too', async () => {
  const [row] = await db.sql.unsafe('select $1::text[] as texts', [['a', 'b,c']])
  assert.equal(row?.texts, ['a', 'b,c'])
})

test.run()
