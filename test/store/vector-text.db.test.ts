import * as assert from 'uvu/assert'
import { VECTOR_SCALE, vectorText } from '../../server/store/vector-text.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { suite } from '../suite.ts'

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
  assert.is(
    vectorText(Float32Array.of(0.5, -0.25, 0, -1e-12, 1)),
    `[${VECTOR_SCALE / 2},${-VECTOR_SCALE / 4},0,0,${VECTOR_SCALE}]`,
  )
})

test('the database finds the cosine of the vectors, to six places', async () => {
  for (const size of [2, 257, 1536]) {
    const [a, b] = [unit(1, size), unit(2, size)]
    const expected = a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0)
    const [row] = await db.sql`select 1 - (${vectorText(a)}::text::vector <=> ${vectorText(b)}::text::vector) as cosine`
    assert.ok(Math.abs(row?.cosine - expected) < 1e-6, `${row?.cosine} is not ${expected}`)
    const [same] =
      await db.sql`select 1 - (${vectorText(a)}::text::vector <=> ${vectorText(a)}::text::vector) as cosine`
    assert.ok(Math.abs(same?.cosine - 1) < 1e-6)
  }
})

test.run()
