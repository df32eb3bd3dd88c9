import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { BlockAllocator } from '../../../server/search/memory/block-allocator.ts'
import { ExcerptTable } from '../../../server/search/memory/excerpt-table.ts'
import { IndexEntry } from '../../../server/search/memory/index-entry.ts'
import { Indexes } from '../../../server/search/memory/indexes.ts'
import { suite } from '../../suite.ts'

const test = suite('the indexes in memory')
const allocator = new BlockAllocator(1e8)
const table = () => new ExcerptTable(allocator, 1)

/** An index of about 200 KB: a block each for vectors, excerpts and words. */
function indexOf(state: IndexEntry['state']): IndexEntry {
  const scope = { projectId: randomUUID(), env: 'live', modelId: 1 } as const
  const entry = new IndexEntry(scope, table(), Number.NEGATIVE_INFINITY)
  const vectors = Buffer.alloc(20 + 8 + 4)
  vectors.writeUInt16BE(1, 24)
  vectors.writeFloatBE(1, 28)
  entry.table.append({
    reviewId: Buffer.alloc(16, 1),
    id: Buffer.alloc(16, 2),
    ordinal: 0,
    rating: 5,
    sentiment: 'positive',
    hidden: false,
    complaint: false,
    source: 'google',
    occurredAt: null,
    config: 'english',
    lexemes: Buffer.from('quiet'),
    metadata: null,
    vectors,
  })
  entry.state = state
  return entry
}

test('one that follows makes no room for another that is being loaded, and stays', async () => {
  const [first, second, loading] = [indexOf('ready'), indexOf('ready'), indexOf('loading')]
  const indexes = new Indexes(first.table.bytes * 2.5)
  for (const entry of [first, second, loading]) indexes.add(entry)
  assert.ok(await indexes.evictUntilFits(second))
  assert.equal(
    indexes.all().map(({ state }) => state),
    ['ready', 'ready', 'loading'],
  )
  assert.ok(await indexes.evictUntilFits(loading))
  assert.equal(indexes.all(), [second, loading])
})

test('thousands of indexes that may not go are each looked at a few times, and not each for every other', async () => {
  const indexes = new Indexes(0)
  let looks = 0
  for (let i = 0; i < 300; i++) {
    const entry = new IndexEntry({ projectId: randomUUID(), env: 'live', modelId: 1 }, table(), 0)
    Object.defineProperty(entry.table, 'bytes', { get: () => ++looks })
    entry.state = i === 0 ? 'loading' : 'ready'
    indexes.add(entry)
  }
  const [loading] = indexes.all()
  assert.is(loading && (await indexes.evictUntilFits(loading, Number.NEGATIVE_INFINITY)), false)
  assert.is(indexes.all().length, 300)
  assert.ok(looks <= 900, `${looks} looks`)
})

test.run()
