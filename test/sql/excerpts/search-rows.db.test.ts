import * as assert from 'uvu/assert'
import { StoredVectors } from '../../../server/search/memory/stored-vectors.ts'
import {
  eachSearchRow,
  nextRowRange,
  type RowRange,
  type SearchRow,
  searchRowsOf,
} from '../../../server/sql/excerpts/search-rows.ts'
import { formatUuid } from '../../../server/sql/uuid.ts'
import { openTestDatabase, type TestDatabase } from '../../database.ts'
import { Garden } from '../../search/planted.ts'
import { suite } from '../../suite.ts'

const test = suite('rows for a search')
const garden = new Garden()
const DIMENSIONS = 3
let db: TestDatabase

test.before(async () => {
  db = await openTestDatabase()
  await garden.open('Lakeside', db.sql)
  await garden.sql`update embedding_models set dimensions = ${DIMENSIONS} where id = ${garden.modelId}`
  for (let i = 0; i < 9; i++) {
    const env = i % 3 === 2 ? 'test' : 'live'
    const slices = Array.from({ length: 1 + (i % 4) }, (_, at) => [`Rooms ${'and rooms '.repeat(at)}`, 1] as const)
    await garden.plant({ env, slices, rating: i % 2 ? 5 : null, metadata: i === 4 ? { branch: 'süd' } : {} })
  }
  // Whole numbers, as they are stored.
  for (let ordinal = 0; ordinal < 4; ordinal++)
    await garden.sql`update excerpts set embedding = ${`[${ordinal},-127,${ordinal * 7}]`}::text::vector
      where ordinal = ${ordinal}`
  await garden.sql`update excerpts set sentences = array['[1,2,3]'::vector, '[-4,0,127]'::vector] where ordinal = 1`
  // A neighbour's are none of ours.
  await garden.plant({ slices: [['Elsewhere', 1]] }, await garden.project('Seaside'))
})
test.after(() => db.close())

const scope = () => ({ projectId: garden.context.project.id, env: 'live' as const, modelId: garden.modelId })

/** A row as values that do not change any more. */
function shown(row: SearchRow): Record<string, unknown> {
  const stored = new StoredVectors(DIMENSIONS, DIMENSIONS)
  const vectors = Array.from({ length: stored.open(row.vectors) }, (_, nth) => {
    const into = new Int8Array(DIMENSIONS)
    return [stored.read(nth, into, 0, 0).square, ...into]
  })
  const id = (bytes: Uint8Array) => formatUuid(Buffer.from(bytes).toString('hex'))
  const lexemes = Buffer.from(row.lexemes).toString()
  return { ...row, reviewId: id(row.reviewId), id: id(row.id), lexemes, vectors }
}

async function readInRanges(length: number): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  let range: RowRange | null = null
  for (let next = await nextRowRange(db.sql, scope(), range, length); next; ) {
    range = next
    const before: number = rows.length
    await eachSearchRow(db.sql, scope(), range, (row) => rows.push(shown(row)))
    assert.ok(rows.length - before <= length)
    next = await nextRowRange(db.sql, scope(), range, length)
  }
  return rows
}

test('ranges of any length are every excerpt once, in order', async () => {
  const all = await db.sql<{ id: string; ordinal: number }[]>`select id, ordinal from excerpts
    where project_id = ${garden.context.project.id} and env = 'live' order by review_id, ordinal`
  assert.ok(all.length > 9)
  const whole = await readInRanges(1_000)
  assert.equal(
    whole.map(({ id, ordinal }) => ({ id, ordinal })),
    [...all],
  )
  for (const length of [1, 2, 3, 7, 20, all.length]) assert.equal(await readInRanges(length), whole)
})

test('rows by their reviews are the same rows', async () => {
  const whole = await readInRanges(1_000)
  const ids = [...new Set(whole.map(({ reviewId }) => String(reviewId)))]
  const order = (rows: Record<string, unknown>[]) => rows.sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1))
  assert.equal(order((await searchRowsOf(db.sql, scope(), ids)).map(shown)), order([...whole]))
})

test('an empty project has one range without an end, and no row', async () => {
  const projectId = await garden.project('Nowhere')
  const range = await nextRowRange(db.sql, { ...scope(), projectId }, null, 10)
  assert.is(range?.last, undefined)
  assert.is(range && (await nextRowRange(db.sql, { ...scope(), projectId }, range, 10)), undefined)
})

test.run()
