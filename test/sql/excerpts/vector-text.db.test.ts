import * as assert from 'uvu/assert'
import { calibrate, cosineOf } from '../../../server/embed/calibrate.ts'
import { vectorText } from '../../../server/sql/excerpts/vector-text.ts'
import { openTestDatabase, type TestDatabase } from '../../database.ts'
import { suite } from '../../suite.ts'

const test = suite('vector text')
let db: TestDatabase

test.before(async () => {
  db = await openTestDatabase()
})
test.after(() => db.close())

function unit(seed: number, size: number): Float32Array {
  const vector = Float32Array.from({ length: size }, (_, i) => Math.sin(seed * 997 + i * i))
  const length = Math.hypot(...vector)
  return vector.map((x) => x / length)
}

test('writes whole numbers, and zero without a sign', () => {
  assert.is(vectorText(Float32Array.of(127, -64, 0, -0, 4000)), '[127,-64,0,0,4000]')
  const all = Float32Array.from({ length: 255 }, (_, i) => i - 127)
  assert.is(vectorText(all), `[${all.join(',')}]`)
  assert.is(vectorText(Float32Array.of(-128, 128, 3)), '[-128,128,3]')
  assert.is(vectorText(Float32Array.of()), '[]')
  assert.is(vectorText(Float32Array.of(0.5, Number.NaN, -3)), '[0.5,NaN,-3]')
})

test('the database finds the cosine of rounded vectors, to the last bit', async () => {
  for (const size of [2, 257, 1536, 3072]) {
    for (const k of [0, 0.7, 10]) {
      const [query, document] = [calibrate(unit(1, size), k, 'query'), calibrate(unit(2, size), k, 'document')]
      const [row] = await db.sql<{ cosine: number }[]>`
        select 1 - (${vectorText(document)}::text::vector <=> ${vectorText(query)}::text::vector) as cosine`
      assert.is(row?.cosine, 1 - (1 - cosineOf(document, query)), `${size} components, k = ${k}`)
    }
  }
})

test('a stored vector is rounded by the database as the embedders round theirs', async () => {
  for (const size of [2, 257, 1536, 3072]) {
    for (const k of [0, 0.7]) {
      const raw = unit(3, size)
      const before = [...raw, Math.sqrt(k)].map((x) => Math.round((x / Math.sqrt(1 + k)) * 2 ** 24))
      const [row] = await db.sql<{ rounded: string }[]>`
        select int8_vector(${JSON.stringify(before)}::text::vector)::text as rounded`
      const rounded: number[] = JSON.parse(row?.rounded ?? '')
      const expected = calibrate(raw, k, 'document')
      const worst = Math.max(...rounded.map((x, i) => Math.abs(x - (expected[i] ?? 0))))
      // A component on the edge of two whole numbers may fall to either side.
      assert.ok(worst <= 1 && cosineOf(rounded, expected) > 0.99999, `${size} components, k = ${k}`)
    }
  }
  const [zero] = await db.sql`select int8_vector('[0,0]')::text as rounded`
  assert.is(zero?.rounded, '[0,0]')
})

test.run()
