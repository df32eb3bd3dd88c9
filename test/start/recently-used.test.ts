import * as assert from 'uvu/assert'
import { recentlyUsed } from '../../server/recently-used.ts'
import { suite } from '../suite.ts'

const test = suite('caches of what was used most recently')

test('beyond the number of entries, the one that was not used for longest is forgotten', () => {
  const cache = recentlyUsed<number>(3)
  for (const name of ['a', 'b', 'c']) cache.set(name, 1)
  cache.get('a')
  cache.set('d', 1)
  assert.equal(
    ['a', 'b', 'c', 'd'].map((name) => cache.has(name)),
    [true, false, true, true],
  )
})

test('an entry is forgotten after its time', async () => {
  const cache = recentlyUsed<number>(3, { ttl: 1 })
  cache.set('a', 1)
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.is(cache.get('a'), undefined)
})

test('memory is taken for entries, not for the room that they may have', () => {
  const before = process.memoryUsage().arrayBuffers
  const caches = Array.from({ length: 20 }, () => recentlyUsed<number>(50_000))
  const taken = process.memoryUsage().arrayBuffers - before
  // Reserved at once it was six million.
  assert.ok(taken < 1_000_000, `${caches.length} caches: ${taken} bytes`)
})

test.run()
