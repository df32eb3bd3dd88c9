import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { cosineOf } from '../../../server/embed/calibrate.ts'
import { BlockAllocator } from '../../../server/search/memory/block-allocator.ts'
import { ExcerptTable } from '../../../server/search/memory/excerpt-table.ts'
import { createScan } from '../../../server/search/memory/kernel.ts'
import { nearestExcerpts, nearestInParts, scanClaimed } from '../../../server/search/memory/nearest-excerpts.ts'
import { type ScanRequest, scanRequest } from '../../../server/search/memory/scan-request.ts'
import { thresholdsOf } from '../../../server/search/policy.ts'
import { uuidBytes } from '../../../server/sql/uuid.ts'
import { suite } from '../../suite.ts'

const test = suite('the nearest excerpts in memory')
/** A block has 56 of such vectors, and a table more blocks than a thread takes at once. */
const DIMENSIONS = 1_200
const DECISIVE = 40
const EXCERPTS = 3_000
const allocator = new BlockAllocator(1e8)
/** Strips that were compared, the rests of whose vectors would be needed for nothing included. */
let compared = 0
const kernel = createScan(allocator.memory)
const scanner = {
  views: allocator.views,
  scratches: [allocator.allocate(), allocator.allocate()],
  scan: (...given: Parameters<typeof kernel>) => {
    compared++
    return kernel(...given)
  },
}

let state = 23
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) | 0
  return (state >>> 8) / 2 ** 24
}
const query = Float32Array.from({ length: DIMENSIONS }, (_, i) =>
  Math.round((random() - 0.5) * (i < DIMENSIONS - DECISIVE ? 40 : 600)),
)

/** A vector at about this cosine from the query. */
function vectorAt(cosine: number): number[] {
  const length = Math.hypot(...query)
  const noise = Array.from({ length: DIMENSIONS }, (_, i) => (random() - 0.5) * (i < DIMENSIONS - DECISIVE ? 1 : 15))
  const along = noise.reduce((sum, x, i) => sum + x * (query[i] ?? 0), 0) / length ** 2
  const across = noise.map((x, i) => x - along * (query[i] ?? 0))
  const size = Math.hypot(...across)
  const values = across.map((x, i) => (cosine * (query[i] ?? 0)) / length + (Math.sqrt(1 - cosine ** 2) * x) / size)
  const scale = 127 / Math.max(...values.map(Math.abs))
  return values.map((x) => Math.round(x * scale))
}

function sent(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(28 + values.length * 4)
  bytes.writeUInt32BE(4 + values.length * 4, 20)
  bytes.writeUInt16BE(values.length, 24)
  for (const [i, value] of values.entries()) bytes.writeFloatBE(value, 28 + i * 4)
  return bytes
}

/** A table of one vector an excerpt, and each one's similarity as it is stored. */
function tableOf(cosines: readonly number[]): { table: ExcerptTable; similarities: number[] } {
  const table = new ExcerptTable(allocator, DIMENSIONS, DECISIVE)
  const similarities = cosines.map((cosine) => {
    const values = vectorAt(cosine)
    const [reviewId, id] = [uuidBytes(randomUUID()), uuidBytes(randomUUID())]
    const plain = { rating: 5, sentiment: 'positive', hidden: false, complaint: false, source: 'google', ordinal: 0 }
    const more = { occurredAt: null, config: 'english', lexemes: Buffer.from('w'), metadata: null }
    table.append({ ...plain, ...more, reviewId, id, vectors: sent(values) })
    return cosineOf(query, values)
  })
  return { table, similarities }
}

function requestTo(table: ExcerptTable, nearest: number): ScanRequest {
  const policy = { minRating: 4, withoutComplaints: false, sources: undefined, since: undefined, metadata: [] }
  const depth = { among: 'nearest', limit: 100 } as const
  const thresholds = thresholdsOf(0.2)
  return { ...scanRequest(table, { vector: query, forms: [], policy, thresholds, depth }), nearest }
}

const inOrder = (found: { excerpts: readonly number[] }) => [...found.excerpts].sort((a, b) => a - b)
const nearestBySorting = (similarities: readonly number[], count: number) =>
  similarities
    .map((_, place) => place)
    .sort((a, b) => (similarities[b] ?? 0) - (similarities[a] ?? 0))
    .slice(0, count)
    .sort((a, b) => a - b)

test('are those of a plain sort, in one part or several, wherever in the table they stand', () => {
  const shapes = {
    anywhere: () => random(),
    'at its beginning': (i: number) => (i < 200 ? 0.9 : 0.5) + random() / 20,
    'at its end': (i: number) => (i >= EXCERPTS - 200 ? 0.9 : 0.5) + random() / 20,
    'in one of thirty': (i: number) => (i % 300 < 10 ? 0.9 : 0.3) + random() / 20,
  }
  for (const [where, cosine] of Object.entries(shapes)) {
    const { table, similarities } = tableOf(Array.from({ length: EXCERPTS }, (_, i) => cosine(i)))
    for (const nearest of [1, 20, 60, 250, 700]) {
      const request = requestTo(table, nearest)
      const expected = nearestBySorting(similarities, nearest)
      const [once, again] = nearestExcerpts(scanner, [request, request])
      assert.equal(once && inOrder(once), expected, `${nearest} ${where}`)
      assert.equal(again, once)
      for (const parts of [1, 2, 3, 7]) {
        const met = Array.from({ length: parts }, (_, nth) => {
          let run = nth - parts
          return scanClaimed(scanner, request, () => {
            run += parts
            return run
          })
        })
        assert.equal(inOrder(nearestInParts(scanner, request, met)), expected, `${nearest} ${where}, in ${parts} parts`)
      }
    }
    table.free()
  }
})

test('are looked for once where the table is alike everywhere, and once more where too few were kept', () => {
  const compares = (cosine: (i: number) => number, nearest: number) => {
    const { table, similarities } = tableOf(Array.from({ length: EXCERPTS }, (_, i) => cosine(i)))
    compared = 0
    const [found] = nearestExcerpts(scanner, [requestTo(table, nearest)])
    const scans = compared / table.view().headBlocks.length
    assert.equal(found && inOrder(found), nearestBySorting(similarities, nearest))
    table.free()
    return scans
  }
  assert.is(
    compares(() => random(), 100),
    1,
  )
  // The blocks compared first hold more of the nearest than their share, and the table fewer than are wanted.
  assert.is(
    compares((i) => (i < 200 ? 0.95 : 0.6) + random() / 50, 300),
    2,
  )
})

test.run()
